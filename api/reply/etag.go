package reply

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/request"
	"fiscube/cube"
)

// An answer depends on the content of a version and on the request alone, so its tag is known before the store is asked:
// a client that has the answer already gets a 304 that costs no question.

// HeaderETag names an answer (RFC 9110, section 8.8.3).
const HeaderETag = "ETag"

// Unchanged tags the answer of a version in a media type, and reports whether the
// client has it.
func Unchanged(c echo.Context, cb *cube.Cube, media string) bool {
	return Tagged(c, media, cb.Fingerprint, fmt.Sprint(cb.Version), cb.LoadedAt.String())
}

// Tagged tags an answer that depends on the contents and the request alone, and reports whether the client has it. A 304
// varies by the same headers as the answer (RFC 9110, section 15.4.5).
func Tagged(c echo.Context, media string, contents ...string) bool {
	r := c.Request()
	coding := ""
	if compressible(media) {
		Vary(c.Response().Header(), echo.HeaderAcceptEncoding)
		if chosen := codingFor(r.Header); chosen != nil {
			coding = chosen.name
		}
	}
	digest := sha256.New()
	for _, part := range append(contents, build(), request.Base(c), r.URL.EscapedPath(), r.URL.RawQuery,
		media, coding) {
		_, _ = fmt.Fprintf(digest, "%d:%s", len(part), part)
	}
	tag := `"` + base64.RawURLEncoding.EncodeToString(digest.Sum(nil)[:18]) + `"`
	c.Response().Header().Set(HeaderETag, tag)
	return Has(r, tag)
}

// Has reports whether the client has the answer of a tag.
func Has(r *http.Request, tag string) bool {
	for _, list := range r.Header["If-None-Match"] {
		for known := range strings.SplitSeq(list, ",") {
			known = strings.TrimSpace(known)
			if known == "*" || strings.TrimPrefix(known, "W/") == tag { // the weak comparison (RFC 9110, section 13.1.2)
				return true
			}
		}
	}
	return false
}

// SendNotModified answers 304.
func SendNotModified(c echo.Context) error { return c.NoContent(http.StatusNotModified) }

// build distinguishes programs that may answer differently: by their commit, or else by their bytes.
var build = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" && settings["vcs.modified"] == "false" {
		return revision
	}
	path, _ := os.Executable()
	program, err := os.Open(path)
	if err != nil {
		return time.Now().String()
	}
	defer func() { _ = program.Close() }()
	digest := sha256.New()
	if _, err := io.Copy(digest, program); err != nil {
		return time.Now().String()
	}
	return string(digest.Sum(nil))
})
