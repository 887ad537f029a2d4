package reply

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// An answer depends on the content of a version and on the request alone, so its tag is known before the store is asked:
// a client that has the answer already gets a 304 that costs no question.

// HeaderETag names an answer (RFC 9110, section 8.8.3).
const HeaderETag = "ETag"

// HeaderDigest has the hash of the bytes of an answer (RFC 9530). They are sent as they are.
const HeaderDigest = "Repr-Digest"

// Unchanged tags an answer in a media type that depends on a content, such as a version (cube.Cube.Key), and on the request
// alone, and reports whether the client has it. A 304 varies by the same headers as the answer (RFC 9110, section 15.4.5).
func Unchanged(c echo.Context, media, content string) bool {
	r := c.Request()
	coding := ""
	if compressible(media) {
		Vary(c.Response().Header(), echo.HeaderAcceptEncoding)
		coding = CodingOf(r.Header)
	}
	depends := make([]byte, 0, 512)
	for _, part := range [...]string{content, build(), request.Base(c), r.URL.EscapedPath(), r.URL.RawQuery, media, coding} {
		depends = append(append(strconv.AppendInt(depends, int64(len(part)), 10), ':'), part...)
	}
	digest := sha256.Sum256(depends)
	tag := `"` + base64.RawURLEncoding.EncodeToString(digest[:18]) + `"`
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

// build distinguishes programs that may answer differently: by their commit, by the ID that Go gave them, or else by their
// bytes, of which there are more than a hundred million.
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
	if id := buildID(path); id != "" {
		return id
	}
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

// buildID gives the ID that Go gave a program for Linux, which has a digest of its bytes; "" where it gave none or another was set.
func buildID(path string) string {
	program, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = program.Close() }()
	note := program.Section(".note.go.buildid")
	if note == nil {
		return ""
	}
	id, err := note.Data()
	if err != nil || bytes.Count(id, []byte("/")) != 3 { // digests of what two steps read and of what they wrote
		return ""
	}
	return string(id)
}

// LinkPages leads to the pages around this one (RFC 8288). The links are relative, so that they also hold below a path of
// another server, and pinned to a version: its pages neither skip nor repeat a cell. Version 0 pins nothing.
func LinkPages(header http.Header, u *url.URL, version int, page query.Page, total int64) {
	if page.Size <= 0 {
		return
	}
	last := max(1, (total+int64(page.Size)-1)/int64(page.Size))
	pieces, pinned := without(u, "page", request.Pin.Name), ""
	if version > 0 {
		pinned = "&" + request.Pin.Name + "=" + strconv.Itoa(version)
	}
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
			AddLink(header, escaped(append(pieces, "page="+strconv.FormatInt(link.page, 10)+pinned)), link.rel)
		}
	}
}

// HeaderTotal is how many rows there are on all pages.
const HeaderTotal = "X-Total-Count"

// CountPages says of an answer that is its rows alone how many there are, and where.
func CountPages(c echo.Context, version int, page query.Page, total int64) {
	header := c.Response().Header()
	header.Set(HeaderTotal, strconv.FormatInt(total, 10))
	LinkPages(header, c.Request().URL, version, page, total)
}

// Reference leads to the same path with some parameters set, and those set to "" left out. It is relative, so that it also
// holds below a path of another server, and stays inside the brackets of a link.
func Reference(u *url.URL, set ...[2]string) string {
	pieces := without(u, each.Text(set, func(s [2]string) string { return s[0] })...)
	for _, s := range set {
		if s[1] != "" {
			pieces = append(pieces, s[0]+"="+s[1])
		}
	}
	return escaped(pieces)
}

// without gives the parameters of an address but for some.
func without(u *url.URL, names ...string) []string {
	return slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(piece string) bool {
		name, _, _ := strings.Cut(piece, "=")
		return piece == "" || slices.Contains(names, request.Unescape(name))
	})
}

// inFormat leads to the same answer in another format. What else the reference says stays where it is: metadata is held against the very
// address that it describes.
func inFormat(u *url.URL, format *encode.Format) string {
	pieces := strings.Split(u.RawQuery, "&")
	at := slices.IndexFunc(pieces, func(piece string) bool { return strings.HasPrefix(piece, "format=") })
	if at < 0 {
		at, pieces = len(pieces), append(pieces, "")
	}
	pieces[at] = "format=" + format.Name
	return escaped(slices.DeleteFunc(pieces, func(piece string) bool { return piece == "" }))
}

// escaped makes a reference of the parameters that stays inside the brackets of a link.
func escaped(pieces []string) string {
	text := "?" + strings.Join(pieces, "&")
	if !strings.ContainsFunc(text, leavesBrackets) {
		return text
	}
	var b strings.Builder
	for _, char := range []byte(text) {
		if leavesBrackets(rune(char)) {
			fmt.Fprintf(&b, "%%%02X", char)
			continue
		}
		b.WriteByte(char)
	}
	return b.String()
}

func leavesBrackets(char rune) bool {
	switch char {
	case '<', '>', '"', '\\', '^', '{', '|', '}', '`':
		return true
	}
	return char <= ' ' || char >= 0x7f
}

// Permanent gives the path of a question of a cube, pinned to the version.
func Permanent(cb *cube.Cube, route string, clauses [][2]string) string {
	clauses = append(clauses, [2]string{request.Pin.Name, strconv.Itoa(cb.Version)})
	pairs := each.Text(clauses, func(clause [2]string) string { return clause[0] + "=" + url.QueryEscape(clause[1]) })
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

// HeaderLink leads to other resources (RFC 8288).
const HeaderLink = "Link"

// AddLink adds a link where it leaves room for those after it: the more needed comes first.
func AddLink(header http.Header, target, rel string) {
	addLink(header, "<"+target+`>; rel="`+rel+`"`)
}

// AddDescription leads to the reference of the service (RFC 8631).
func AddDescription(c echo.Context) {
	header, base := c.Response().Header(), request.Base(c)
	addLink(header, "<"+base+`/openapi.json>; rel="service-desc"; type="application/json"`)
	addLink(header, "<"+base+`/docs>; rel="service-doc"; type="text/html"`)
}

// pageKey is where a request keeps the page that shows its answer to people.
const pageKey = "page"

// SetPage notes the page that shows an answer to people, if there is one.
func SetPage(c echo.Context, page string) { c.Set(pageKey, page) }

// LinkToPage leads to that page, after the links to the pages of data.
func LinkToPage(c echo.Context) {
	if page, ok := c.Get(pageKey).(string); ok && page != "" {
		addLink(c.Response().Header(), "<"+page+`>; rel="alternate"; type="text/html"`)
	}
}

func addLink(header http.Header, link string) {
	taken := len(strings.Join(header.Values(HeaderLink), ""))
	if len(link) <= maxLink && taken+len(link) <= maxLinks {
		header.Add(HeaderLink, link)
	}
}

// HeaderWarnings carries the warnings of an answer that is not JSON: a list of RFC 9651, each item a code with a
// message as a Display String, which is ASCII whatever the language.
const HeaderWarnings = "Fiscube-Warnings"

// Proxies refuse answers whose headers are long: 4 KB for all of them is common.
const (
	maxMessage = 240  // characters of one message
	maxHeader  = 3000 // bytes of the warnings and the links; the warnings that do not fit are counted
	maxLinks   = 2500 // bytes of the links; those that do not fit are left out
	maxLink    = 1500 // bytes of a link
)

// warningsText lists the warnings that there is room for. The first has as much of its message as fits.
func warningsText(warnings []cube.Warning, room int) string {
	var b strings.Builder
	for i, w := range warnings {
		separator, most := ", ", maxMessage
		if i == 0 {
			separator, most = "", fitting(w, room)
		}
		item := separator + warningItem(w, most)
		if i > 0 && b.Len()+len(item) > room {
			fmt.Fprintf(&b, ", more;count=%d", len(warnings)-i)
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

// fitting is how many characters of a message fit, to within a half.
func fitting(w cube.Warning, room int) int {
	most := maxMessage
	for most > 0 && len(warningItem(w, most)) > room {
		most /= 2
	}
	return most
}

// warningItem is a warning with so many characters of its message.
func warningItem(w cube.Warning, most int) string {
	return w.Code + ";message=" + displayString(clipped(w.Message, most))
}

func clipped(message string, most int) string {
	if utf8.RuneCountInString(message) <= most {
		return message
	}
	return string([]rune(message)[:most]) + "…"
}

// displayString writes a text as RFC 9651, section 3.3.8 says: what is not printable ASCII, and the two
// characters that end or escape, as percent signs with the bytes of its UTF-8.
func displayString(text string) string {
	var b strings.Builder
	b.WriteString(`%"`)
	for _, c := range []byte(strings.ToValidUTF8(text, "\ufffd")) {
		if c < ' ' || c > '~' || c == '%' || c == '"' {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
