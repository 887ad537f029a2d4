package api

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/cube"
)

// local lets a server that listens at a loopback address be read by programs of this machine, and by the pages that it serves: others reach
// it through the browser of somebody who sits here, by its address or, if their name leads to it (DNS rebinding), by their own. Origins
// are the sites that may read it too; * lets all. A page from a file has the origin null, as a sandboxed frame of any site has: it is let in only
// where null is among the origins.
func local(origins []string) echo.MiddlewareFunc {
	everybody := slices.Contains(origins, "*")
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			header := c.Response().Header()
			reply.Vary(header, echo.HeaderOrigin)
			origin := c.Request().Header.Get(echo.HeaderOrigin)
			mayRead := everybody || origin == "" || slices.Contains(origins, origin) || isHere(origin)
			if mayRead && origin != "" {
				header.Set(echo.HeaderAccessControlAllowOrigin, origin)
			} else {
				header.Del(echo.HeaderAccessControlAllowOrigin)
			}
			if !everybody && !mayRead {
				return refuseForeign("pages of " + origin)
			}
			host := c.Request().Host
			named := func(o string) bool { return strings.HasSuffix(o, "://"+host) }
			if !everybody && !isHere("http://"+host) && !slices.ContainsFunc(origins, named) {
				return refuseForeign("requests for " + host)
			}
			return next(c)
		}
	}
}

// isHere tells whether an origin is this machine.
func isHere(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}

// IsLocal tells whether only this machine reaches an address that a server listens at.
func IsLocal(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

func refuseForeign(what string) error {
	return cube.Errorf(reply.CodeForeign, "this server is for its own machine, and answers no %s", what).
		WithHint("start it with --allow-origin and the address of the site, or with --public-url if a proxy publishes it")
}
