package reply

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip" // faster than the standard library's, and beside it zstd
	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

// leastCompressed is how many bytes an answer has at least that is compressed: less fits into one packet anyway.
const leastCompressed = 1400

// Compress compresses the answers that become smaller by it, as the request wants it. It stands outside of all
// that writes, errors included. Where a panic cuts an answer it writes no end, so that a part is never taken for
// the whole.
func Compress(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		w := &compressor{ResponseWriter: c.Response().Writer, request: c.Request()}
		c.Response().Writer = w
		if err := next(c); err != nil {
			return err
		}
		_ = w.close() // who does not take the end of an answer is gone
		return nil
	}
}

// compressor is the writer of one answer. It decides at the header where the length is known, and holds what is
// written until it is enough to be worth it where it is not.
type compressor struct {
	http.ResponseWriter
	request *http.Request
	status  int // 0: no header yet
	coding  *coding
	coder   coder
	decided bool
	held    []byte
}

// WriteHeader takes the header. HEAD is told the same as GET would be: what has no length there is long.
func (w *compressor) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.status = status
	length, err := strconv.Atoi(w.Header().Get(echo.HeaderContentLength))
	switch {
	case !w.smaller():
		w.plain()
	case err == nil && length >= leastCompressed, err != nil && w.request.Method == http.MethodHead:
		w.compress()
	case err == nil:
		w.plain()
	}
}

// smaller tells whether the answer may be compressed, and says to caches what that depends on.
func (w *compressor) smaller() bool {
	header := w.Header()
	if !compressible(header.Get(echo.HeaderContentType)) || header.Get(echo.HeaderContentEncoding) != "" {
		return false
	}
	Vary(header, echo.HeaderAcceptEncoding)
	w.coding = codingFor(w.request.Header)
	return w.coding != nil && w.status != http.StatusNoContent && header.Get("Content-Range") == ""
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

// compressible tells whether answers of a type become smaller: text does, and what is compressed already, as
// images, spreadsheets and Parquet are, does not.
func compressible(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	switch media {
	case "application/json", "application/x-ndjson", "application/yaml", "application/javascript", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+json")
}

// plain sends the answer as it is.
func (w *compressor) plain() {
	w.decided = true
	w.ResponseWriter.WriteHeader(w.status)
}

// compress sends the answer in its coding.
func (w *compressor) compress() {
	w.decided = true
	w.Header().Del(echo.HeaderContentLength)
	w.Header().Set(echo.HeaderContentEncoding, w.coding.name)
	w.ResponseWriter.WriteHeader(w.status)
	if w.request.Method == http.MethodHead {
		return
	}
	w.coder = w.coding.coders.Get().(coder)
	w.coder.Reset(w.ResponseWriter)
}

// Write implements io.Writer.
func (w *compressor) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	switch {
	case w.coder != nil:
		return w.coder.Write(b)
	case w.decided:
		return w.ResponseWriter.Write(b)
	}
	w.held = append(w.held, b...)
	if len(w.held) < leastCompressed {
		return len(b), nil
	}
	w.compress()
	return len(b), w.release()
}

// release writes what was held.
func (w *compressor) release() error {
	held := w.held
	w.held = nil
	_, err := w.Write(held)
	return err
}

// FlushError sends what was written so far. An answer that is sent in parts is a long one.
func (w *compressor) FlushError() error {
	if w.status != 0 && !w.decided {
		w.compress()
		if err := w.release(); err != nil {
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
	if w.status != 0 && !w.decided {
		w.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(w.held)))
		w.plain()
		return w.release()
	}
	if w.coder == nil {
		return nil
	}
	err := w.coder.Close()
	w.coder.Reset(nil)
	w.coding.coders.Put(w.coder)
	return err
}

// coding is a way to compress an answer.
type coding struct {
	name   string
	coders *sync.Pool
}

// coder compresses one answer. It can be used for another after Reset.
type coder interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// codings are those the service knows, the better one first.
var codings = []*coding{
	{"zstd", &sync.Pool{New: func() any { return newZstd() }}},
	{"gzip", &sync.Pool{New: func() any { return gzip.NewWriter(nil) }}},
}

// zstdWindow is how far back zstd looks: as much as every client has memory for (RFC 9659), and less than a
// server of many answers has.
const zstdWindow = 1 << 20

func newZstd() coder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(zstdWindow))
	if err != nil {
		panic(err) // the options are constant
	}
	return encoder
}

// codingFor gives the coding that the request wants most, the better one of equals, or nil for none.
func codingFor(header http.Header) *coding {
	weights := AcceptedCodings(header.Values("Accept-Encoding"))
	best, most := (*coding)(nil), 0.0
	for _, one := range codings {
		weight, named := weights[one.name]
		if !named {
			weight = weights["*"]
		}
		if weight > most {
			best, most = one, weight
		}
	}
	if most < weights["identity"] {
		return nil
	}
	return best
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
