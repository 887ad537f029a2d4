package api

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// linkPages leads to the pages around this one (RFC 8288). The links are relative, so that they also hold below a path of
// another server, and pinned to a version: its pages neither skip nor repeat a cell. Version 0 pins nothing.
func linkPages(header http.Header, u *url.URL, version int, page cube.Page, total int64) {
	if page.Size <= 0 {
		return
	}
	last := max(1, (total+int64(page.Size)-1)/int64(page.Size))
	for _, link := range []struct {
		rel  string
		page int64
		is   bool
	}{
		{"next", int64(page.Number) + 1, int64(page.Number) < last},
		{"prev", min(int64(page.Number)-1, last), page.Number > 1},
		{"first", 1, true},
		{"last", last, true},
	} {
		if link.is {
			addLink(header, pageAt(u, version, link.page), link.rel)
		}
	}
}

// headerTotal is how many rows there are on all pages.
const headerTotal = "X-Total-Count"

// countPages says of an answer that is its rows alone how many there are, and where.
func countPages(c echo.Context, version int, page cube.Page, total int64) {
	header := c.Response().Header()
	header.Set(headerTotal, strconv.FormatInt(total, 10))
	linkPages(header, c.Request().URL, version, page, total)
}

// addLink adds a link where it leaves room for those after it: the more needed comes first.
func addLink(header http.Header, target, rel string) {
	link := "<" + target + `>; rel="` + rel + `"`
	taken := len(strings.Join(header.Values(headerLink), ""))
	if len(link) <= mostLink && taken+len(link) <= mostLinks {
		header.Add(headerLink, link)
	}
}

// pageAt is the reference of a page, relative to the URL of another.
func pageAt(u *url.URL, version int, page int64) string {
	pairs := []string{"page=" + strconv.FormatInt(page, 10)}
	if version > 0 {
		pairs = append(pairs, pin.name+"="+strconv.Itoa(version))
	}
	return reference(append(without(u, "page", pin.name), pairs...))
}

// without gives the pieces of a query but those of the parameters named.
func without(u *url.URL, names ...string) []string {
	return slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(piece string) bool {
		name, _, _ := strings.Cut(piece, "=")
		return piece == "" || slices.Contains(names, unescape(name))
	})
}

// reference is that of the same path with another query; it stays inside the brackets of a link.
func reference(pieces []string) string { return "?" + inLink(strings.Join(pieces, "&")) }
