// Package docs serves the reference page: openapi.yaml in Swagger UI.
package docs

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"html/template"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
)

// docsPolicy lets the viewer use its own files and ask this service, and nothing else. It draws its icons from data URIs.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

var (
	//go:embed viewer/docs.html
	docsHTML string

	//go:embed viewer/start.js
	docsStart []byte

	//go:embed viewer/docs.css
	docsColours []byte

	// Swagger UI: where it is from, its licence and how to renew it is in viewer/README.md.
	//go:embed viewer/swagger-ui-bundle.js.gz
	docsScript []byte

	//go:embed viewer/swagger-ui.css.gz
	docsStyle []byte

	docsPage = template.Must(template.New("docs").Parse(docsHTML))

	docsFiles = map[string]docsFile{
		"start.js":             newDocsFile("application/javascript", docsStart, false),
		"docs.css":             newDocsFile("text/css; charset=utf-8", docsColours, false),
		"swagger-ui-bundle.js": newDocsFile("application/javascript", docsScript, true),
		"swagger-ui.css":       newDocsFile("text/css; charset=utf-8", docsStyle, true),
	}

	docsSums = sumsOf(docsFiles)
)

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

func sumsOf(files map[string]docsFile) map[string]string {
	sums := map[string]string{}
	for name, file := range files {
		sums[name] = file.sum
	}
	return sums
}

// Page shows people openapi.yaml. The links are relative, so that the page also works below a path of another server.
func Page(c echo.Context) error {
	view := struct {
		Files, Document string
		Sums            map[string]string
	}{"docs/", "openapi.yaml", docsSums}
	if strings.HasSuffix(c.Request().URL.Path, "/") {
		view.Files, view.Document = "", "../openapi.yaml"
	}
	var page bytes.Buffer
	if err := docsPage.Execute(&page, view); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, docsPolicy)
	if reply.Unchanged(c, echo.MIMETextHTML, page.String()) {
		return reply.SendNotModified(c)
	}
	return reply.Send(c, http.StatusOK, echo.MIMETextHTMLCharsetUTF8, page.Bytes())
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
