// Package harvest tells portals and search engines what is served: a catalogue in the words of DCAT (W3C, version 3), each cube
// in those of schema.org for its page, a sitemap, feeds of versions, and which pages are worth a visit of a robot.
//
// What a package does not say of itself is left out: nothing is guessed, neither a licence nor a language.
package harvest

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/internal/tidy"
)

// Catalogue has what is loaded.
type Catalogue interface {
	Catalog(ctx context.Context) (*cube.Catalog, error)
}

// Routes gives what answers each path.
func Routes(loaded Catalogue) map[string]echo.HandlerFunc {
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
		"/catalog.jsonld":        served("application/ld+json", catalogue),
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
