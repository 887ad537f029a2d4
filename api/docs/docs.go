// Package docs serves the reference page: openapi.yaml in Swagger UI, in the frame of all pages.
package docs

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube/prose"
)

// viewer is the page, and Swagger UI: where it is from, its licence and how to renew it is in viewer/README.md.
//
//go:embed viewer/docs.html viewer/docs.css viewer/start.js viewer/*.gz
var viewer embed.FS

var (
	docsPage = site.Template(viewer, "viewer/docs.html")

	docsFiles = map[string]docsFile{
		"start.js":             newDocsFile("application/javascript", read("start.js"), false),
		"docs.css":             newDocsFile(css, slices.Concat([]byte("@layer frame {\n"), site.Style(), []byte("}\n"), read("docs.css")), false),
		"swagger-ui-bundle.js": newDocsFile("application/javascript", read("swagger-ui-bundle.js.gz"), true),
		"swagger-ui.css":       newDocsFile(css, read("swagger-ui.css.gz"), true),
	}

	docsSums = sumsOf(docsFiles)
)

const css = "text/css; charset=utf-8"

// docsFile is a file that the page loads.
type docsFile struct {
	media  string
	body   []byte
	packed bool   // body is gzipped
	sum    string // names the content
}

func newDocsFile(media string, body []byte, packed bool) docsFile {
	sum := sha256.Sum256(body)
	return docsFile{media, body, packed, hex.EncodeToString(sum[:8])}
}

// read gives a file of the viewer.
func read(name string) []byte {
	body, err := viewer.ReadFile("viewer/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return body
}

func sumsOf(files map[string]docsFile) map[string]string {
	sums := map[string]string{}
	for name, file := range files {
		sums[name] = file.sum
	}
	return sums
}

// Page shows people openapi.yaml.
func Page(limiter *limits.Limiter) echo.HandlerFunc {
	return site.Handler(limiter, func(v *site.Visit) (*site.Frame, error) {
		title := prose.Begin(v.Say("page.reference"))
		return v.Frame(docsPage, title, reference{v.Reader, title, v.Root, docsSums}), nil
	})
}

// reference is the page. Its links are relative, so that it also works below a path of another server.
type reference struct {
	site.Reader
	Title string
	Root  string
	Sums  map[string]string // of the files that it loads
}

// File sends a file of the page.
func File(c echo.Context) error {
	file := docsFiles[request.Path(c, "file")]
	return reply.SendNamed(c, file.media, file.sum, func() error { return file.send(c) })
}

// send sends a packed file as it is to a client that takes gzip.
func (f docsFile) send(c echo.Context) error {
	if !f.packed {
		return reply.Send(c, http.StatusOK, f.media, f.body)
	}
	header := c.Response().Header()
	reply.Vary(header, echo.HeaderAcceptEncoding)
	if reply.AcceptedCodings(c.Request().Header.Values(echo.HeaderAcceptEncoding))["gzip"] > 0 {
		header.Set(echo.HeaderContentEncoding, "gzip")
		return reply.Send(c, http.StatusOK, f.media, f.body)
	}
	body, err := unpacked(f.body)
	if err != nil {
		return err
	}
	return reply.Send(c, http.StatusOK, f.media, body)
}

func unpacked(body []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
