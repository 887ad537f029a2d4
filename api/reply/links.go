package reply

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
)

// LinkPages leads to the pages around this one (RFC 8288). The links are relative, so that they also hold below a path of
// another server, and pinned to a version: its pages neither skip nor repeat a cell. Version 0 pins nothing.
func LinkPages(header http.Header, u *url.URL, version int, page query.Page, total int64) {
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
			AddLink(header, PageAt(u, version, link.page), link.rel)
		}
	}
}

// headerTotal is how many rows there are on all pages.
const headerTotal = "X-Total-Count"

// CountPages says of an answer that is its rows alone how many there are, and where.
func CountPages(c echo.Context, version int, page query.Page, total int64) {
	header := c.Response().Header()
	header.Set(headerTotal, strconv.FormatInt(total, 10))
	LinkPages(header, c.Request().URL, version, page, total)
}

// PageAt is the reference of a page, relative to the URL of another.
func PageAt(u *url.URL, version int, page int64) string {
	pinned := ""
	if version > 0 {
		pinned = strconv.Itoa(version)
	}
	return Reference(u, [2]string{"page", strconv.FormatInt(page, 10)}, [2]string{request.Pin.Name, pinned})
}

// Reference leads to the same path with some parameters set, and those set to "" left out. It is relative, so that it also
// holds below a path of another server, and stays inside the brackets of a link.
func Reference(u *url.URL, set ...[2]string) string {
	pieces := slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(piece string) bool {
		name, _, _ := strings.Cut(piece, "=")
		name = request.Unescape(name)
		return piece == "" || slices.ContainsFunc(set, func(s [2]string) bool { return s[0] == name })
	})
	for _, s := range set {
		if s[1] != "" {
			pieces = append(pieces, s[0]+"="+s[1])
		}
	}
	var b strings.Builder
	for _, char := range []byte("?" + strings.Join(pieces, "&")) {
		if char <= ' ' || char >= 0x7f || strings.IndexByte(`<>"\^{|}`+"`", char) >= 0 {
			fmt.Fprintf(&b, "%%%02X", char)
			continue
		}
		b.WriteByte(char)
	}
	return b.String()
}

// Permanent gives the path of a question of a cube, pinned to the version.
func Permanent(cb *cube.Cube, route string, clauses [][2]string) string {
	clauses = append(clauses, [2]string{request.Pin.Name, strconv.Itoa(cb.Version)})
	pairs := make([]string, len(clauses))
	for i, clause := range clauses {
		pairs[i] = clause[0] + "=" + url.QueryEscape(clause[1])
	}
	return "/cubes/" + url.PathEscape(cb.Name) + "/" + route + "?" + strings.Join(pairs, "&")
}

// Upwards leads from the path of the request to its folder: links are relative, so that they also hold below a path of
// another server.
func Upwards(c echo.Context) string {
	if strings.HasSuffix(c.Request().URL.Path, "/") {
		return "../"
	}
	return ""
}

// headerLink leads to other resources (RFC 8288).
const headerLink = "Link"

// AddLink adds a link where it leaves room for those after it: the more needed comes first.
func AddLink(header http.Header, target, rel string) {
	link := "<" + target + `>; rel="` + rel + `"`
	taken := len(strings.Join(header.Values(headerLink), ""))
	if len(link) <= maxLink && taken+len(link) <= maxLinks {
		header.Add(headerLink, link)
	}
}
