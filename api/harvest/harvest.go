// Package harvest tells portals and search engines what is served: a catalogue in the words of DCAT (W3C, version 3) and DCAT-AP, each cube
// in those of schema.org for its page, a sitemap, feeds of versions, and which pages are worth a visit of a robot. It tells language models how to ask, and whoever
// finds a hole whom to tell.
//
// What a package does not say of itself is left out: nothing is guessed, neither a licence nor a language. A description, which portals demand, is
// made of what its model says.
package harvest

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// Catalogue has what is loaded.
type Catalogue interface {
	Catalog(ctx context.Context) (*cube.Catalog, error)
}

// Operator is who serves, as far as they say so.
type Operator struct {
	Name     string // of the publisher of the catalogue
	Contact  string // an address, of mail (mailto:) or of a page
	Security string // an address for whoever finds a hole
}

// Routes gives what answers each path.
func Routes(loaded Catalogue, operator Operator) map[string]echo.HandlerFunc {
	served := func(media string, write func(base string, cubes []*cube.Cube) []byte) echo.HandlerFunc {
		return request.Bare(func(c echo.Context) error {
			catalog, err := loaded.Catalog(c.Request().Context())
			if err != nil {
				return err
			}
			body := []byte(tidy.Visible(string(write(request.Base(c), catalog.Served()))))
			if reply.Unchanged(c, media, string(body)) {
				return reply.SendNotModified(c)
			}
			return reply.Send(c, http.StatusOK, media, body)
		})
	}
	return map[string]echo.HandlerFunc{
		"/feed.atom":             feedOf(loaded),
		"/cubes/:cube/feed.atom": feedOf(loaded),
		securityPath:             request.Bare(operator.security),
		"/catalog.jsonld":        served("application/ld+json", func(base string, cubes []*cube.Cube) []byte { return encode.Marshal(operator.catalogue(base, cubes)) }),
		"/catalog.ttl":           served("text/turtle", func(base string, cubes []*cube.Cube) []byte { return turtle(operator.catalogue(base, cubes)) }),
		"/llms.txt":              served(echo.MIMETextPlainCharsetUTF8, llms),
		"/sitemap.xml":           served(echo.MIMEApplicationXMLCharsetUTF8, sitemap),
		"/robots.txt":            served(echo.MIMETextPlainCharsetUTF8, robots),
	}
}

// pageOf is the address of the page of a cube.
func pageOf(base string, cb *cube.Cube) string { return base + "/explore/" + url.PathEscape(cb.Name) }

// dataOf is the address of the data of a cube.
func dataOf(base string, cb *cube.Cube) string { return base + "/cubes/" + url.PathEscape(cb.Name) }

// rowsOf is the address of the rows of a file, written anew as CSV.
func rowsOf(base string, cb *cube.Cube, r cube.Resource) string {
	return dataOf(base, cb) + "/resources/" + url.PathEscape(r.Name) + "/rows.csv"
}

// dateIn gives the day of a published date, or "" where it is none.
func dateIn(text string) string {
	day, _, _ := strings.Cut(strings.TrimSpace(text), "T")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// isLink tells an address of the web from another text.
func isLink(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// nameOf is what to call a cube where it may have no title.
func nameOf(cb *cube.Cube, l cube.Language) string { return cmp.Or(cb.TitleIn(l), cb.Name) }

// aboutOf says of a cube what its model says: its amounts, its country and its years.
func aboutOf(cb *cube.Cube, l cube.Language) string {
	parts := each.Text(cb.Model.Measures(), func(m cube.Measure) string { return prose.MeasureTitle(m, l) })
	if cb.Country != "" {
		parts = append(parts, cb.CountryIn(l))
	}
	if first, last, ok := cb.Years(); ok {
		years := strconv.FormatInt(first, 10)
		if last > first {
			years += "–" + strconv.FormatInt(last, 10)
		}
		parts = append(parts, years)
	}
	return cmp.Or(strings.Join(parts, ", "), nameOf(cb, l))
}

// cleaned gives an address without what no address may have: it is escaped.
func cleaned(address string) string {
	var b strings.Builder
	for _, char := range []byte(address) {
		if char <= ' ' || char == 0x7f || strings.IndexByte(`<>"\^{|}`+"`", char) >= 0 {
			fmt.Fprintf(&b, "%%%02X", char)
		} else {
			b.WriteByte(char)
		}
	}
	return b.String()
}
