package reply

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzhttp/writer/gzkp" // compressors that are used again
	"github.com/klauspost/compress/gzhttp/writer/zstdkp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

// gzhttp's own handler does not do here: it answers HEAD otherwise than GET, ends an answer that is cut as if it were whole,
// and reads no *, x-gzip or identity in Accept-Encoding.

// minCompressed is how many bytes an answer has at least that is compressed: less fits into one packet anyway.
const minCompressed = 1400

// Compress compresses the answers that become smaller by it, as the request wants it. It is outside of all
// that writes, errors included. Where a panic cuts an answer it writes no end, so that a part is never taken for
// the whole.
func Compress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		w := &compressor{ResponseWriter: c.Response().Writer, request: c.Request()}
		c.Response().Writer = w
		if err := next(c); err != nil {
			return err
		}
		_ = w.close() // a client that does not take the end of an answer is gone
		return nil
	}
}

// compressor is the writer of one answer. It decides at the header where the length is known, and holds what is
// written until it is enough to be worth it where it is not.
type compressor struct {
	http.ResponseWriter
	request *http.Request
	status  int    // 0: no header yet
	coding  string // by which it is compressed, "" for none
	coder   coder
	begun   bool
	held    []byte
}

// WriteHeader takes the header. HEAD gets the same as GET would: what has no length there is long.
func (w *compressor) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	header := w.Header()
	length, err := strconv.Atoi(header.Get(echo.HeaderContentLength))
	known := err == nil
	if compressible(header.Get(echo.HeaderContentType)) && header.Get(echo.HeaderContentEncoding) == "" && header.Get(HeaderDigest) == "" {
		Vary(header, echo.HeaderAcceptEncoding)
		if status != http.StatusNoContent && header.Get("Content-Range") == "" && !(known && length < minCompressed) {
			w.coding = CodingOf(w.request.Header)
		}
	}
	switch {
	case w.coding == "":
		_ = w.begin("")
	case known || w.request.Method == http.MethodHead:
		_ = w.begin(w.coding)
	}
}

// begin sends the header, and what was held, in a coding or "" for none.
func (w *compressor) begin(coding string) error {
	w.begun = true
	if coding != "" {
		w.Header().Del(echo.HeaderContentLength)
		w.Header().Set(echo.HeaderContentEncoding, coding)
	}
	w.ResponseWriter.WriteHeader(w.status)
	if coding != "" && w.request.Method != http.MethodHead {
		w.coder = coders[coding](w.ResponseWriter)
	}
	if len(w.held) == 0 {
		return nil
	}
	_, err := w.Write(w.held)
	w.held = nil
	return err
}

// Write implements io.Writer.
func (w *compressor) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	switch {
	case w.coder != nil:
		return w.coder.Write(b)
	case w.begun:
		return w.ResponseWriter.Write(b)
	}
	if w.held = append(w.held, b...); len(w.held) < minCompressed {
		return len(b), nil
	}
	return len(b), w.begin(w.coding)
}

// FlushError sends what was written so far. An answer that is sent in parts is a long one.
func (w *compressor) FlushError() error {
	if w.status != 0 && !w.begun {
		if err := w.begin(w.coding); err != nil {
			return err
		}
	}
	if w.coder != nil {
		if err := w.coder.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController find the writer below.
func (w *compressor) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// close ends the answer.
func (w *compressor) close() error {
	switch {
	case w.status != 0 && !w.begun:
		w.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(w.held)))
		return w.begin("")
	case w.coder != nil:
		return w.coder.Close()
	}
	return nil
}

// Vary adds a name to the header Vary.
func Vary(header http.Header, name string) {
	names := header.Values(echo.HeaderVary)
	for _, list := range names {
		for known := range strings.SplitSeq(list, ",") {
			if known = strings.TrimSpace(known); strings.EqualFold(known, name) || known == "*" {
				return
			}
		}
	}
	header.Set(echo.HeaderVary, strings.Join(append(slices.Clone(names), name), ", "))
}

// compressible reports whether answers of a type become smaller: text does, and what is compressed already, as
// images, spreadsheets and Parquet are, does not.
func compressible(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	switch media {
	case "application/json", "application/x-ndjson", "application/yaml", "application/javascript", "image/svg+xml",
		"application/vnd.apache.arrow.stream":
		return true
	}
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json")
}

// IsCoded tells whether an answer in a media type is compressed for a request.
func IsCoded(request http.Header, media string) bool {
	return compressible(media) && CodingOf(request) != ""
}

// coder compresses one answer.
type coder interface {
	io.WriteCloser
	Flush() error
}

// coders begin to compress in the codings that the service knows.
var coders = map[string]func(w io.Writer) coder{
	"zstd": func(w io.Writer) coder { return zstdkp.NewWriter(w, int(zstd.SpeedDefault)) },
	"gzip": func(w io.Writer) coder { return gzkp.NewWriter(w, gzip.DefaultCompression) },
}

// CodingOf names the coding that a request wants most, the better one of equals, or "" for none. A part is one of the bytes as they are.
func CodingOf(header http.Header) string {
	accepted := header.Values("Accept-Encoding")
	if len(accepted) == 0 || len(header.Values("Range")) > 0 {
		return ""
	}
	weights := AcceptedCodings(accepted)
	best, most := "", 0.0
	for _, name := range []string{"zstd", "gzip"} { // the better one first
		weight, named := weights[name]
		if !named {
			weight = weights["*"]
		}
		if weight > most {
			best, most = name, weight
		}
	}
	if most < weights["identity"] {
		return ""
	}
	return best
}

// Encode compresses a whole answer in a coding where it becomes smaller by it, and says in which it then is.
func Encode(body []byte, media, coding string) (encoded []byte, in string) {
	if coding == "" || len(body) < minCompressed || !compressible(media) {
		return body, ""
	}
	var b bytes.Buffer
	coder := coders[coding](&b)
	_, _ = coder.Write(body) // a buffer takes everything
	_ = coder.Close()
	return bytes.Clone(b.Bytes()), coding
}

// AcceptedCodings reads Accept-Encoding. A weight that is none counts as 0: what cannot be understood must not
// bring about an answer that cannot be read.
func AcceptedCodings(values []string) map[string]float64 {
	weights := map[string]float64{}
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "x-gzip" {
			name = "gzip"
		}
		if name != "" {
			weights[name] = weightOf(parameters)
		}
	}
	return weights
}

// weightOf reads the q of an item, 1 where there is none.
func weightOf(parameters string) float64 {
	name, text, assigned := strings.Cut(strings.TrimSpace(parameters), "=")
	if name == "" {
		return 1
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !assigned || !strings.EqualFold(strings.TrimSpace(name), "q") || err != nil || weight > 1 {
		return 0
	}
	return weight
}
