// Package kept keeps whole answers as they were sent, encoded and compressed, so that what many ask costs one question. It
// finds an answer in two ways:
//
//   - by the request, byte for byte. While the catalogue is the same, such a request is answered without being read, with
//     the header that the first one got.
//   - by the question: the version, the canonical question, and how it is written. So it does not matter how a question is
//     put.
//
// A version never changes, so neither do answers about it: one is dropped if there is no room for it, or if its version is
// gone. Errors are not kept, nor are answers that are sent as they come.
package kept

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/maypok86/otter/v2"

	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// Answers keeps answers in so many bytes.
type Answers struct {
	loaded     request.Catalogue
	entries    *otter.Cache[string, entry] // nil: none are kept
	largest    int                         // bytes of an answer that is kept
	hits, made atomic.Int64

	seen     atomic.Pointer[seen]
	changing sync.Mutex
}

// Answer is a whole answer.
type Answer struct {
	Media string
	Body  []byte
	Total int64  // rows on all pages, for the links to them
	Next  string // the token of the next page

	encoded bool
	coding  string // of the body, "" where it is as it was made
	key     string // under which it is kept, "" where it is not
}

// JSON is a whole answer in JSON, of so many rows on all pages.
func JSON(body []byte, total int64) Answer {
	return Answer{Media: echo.MIMEApplicationJSON, Body: body, Total: total}
}

// Question writes what is asked and how as one text. Only the last part may be the text of a caller.
func Question(parts ...any) string {
	return fmt.Sprintf(strings.Repeat("%v\x00", len(parts)), parts...)
}

// entry is an answer or, where it has one, the way to it.
type entry struct {
	Answer
	version string // of the cube
	way     *way
}

// largestAnswer is how many bytes an answer has at most that is kept. Longer ones are rare, and take the room of many.
const largestAnswer = 1 << 20

// New keeps answers about what is loaded in so many bytes; 0 keeps none.
func New(loaded request.Catalogue, bytes int64) *Answers {
	k := &Answers{loaded: loaded, largest: int(min(largestAnswer, bytes/8))}
	k.seen.Store(&seen{})
	if bytes > 0 {
		k.entries = otter.Must(&otter.Options[string, entry]{
			MaximumWeight: uint64(bytes),
			Weigher:       func(key string, e entry) uint32 { return uint32(len(key) + e.bytes()) },
		})
	}
	return k
}

// entryBytes is about what an entry takes beside its texts.
const entryBytes = 400

func (e *entry) bytes() int {
	n := entryBytes + len(e.Body) + len(e.key) + len(e.version)
	if e.way != nil {
		n += e.way.bytes()
	}
	return n
}

// Stats are how many answers were found, how many were made, and how many bytes the kept ones take.
func (k *Answers) Stats() (hits, made, bytes int64) {
	if k.entries != nil {
		bytes = int64(k.entries.WeightedSize())
	}
	return k.hits.Load(), k.made.Load(), bytes
}

// Of gives the answer to a question about a version, which is made unless it is kept. The text of the question says
// everything that the body depends on, but for its coding.
func (k *Answers) Of(c echo.Context, cb *cube.Cube, question string, answer func() (Answer, error)) (Answer, error) {
	version, coding := versionKey(cb), reply.CodingOf(c.Request().Header)
	key := strings.Join([]string{version, coding, question}, "\x00")
	if k.entries != nil {
		if found, ok := k.entries.GetIfPresent(key); ok {
			k.hits.Add(1)
			limits.TimingOf(c).Done(limits.StageKept)
			return found.Answer, nil
		}
	}
	a, err := answer()
	if err != nil {
		return a, err
	}
	return k.keep(a, key, version, coding), nil
}

// keep encodes an answer and keeps it.
func (k *Answers) keep(a Answer, key, version, coding string) Answer {
	if k.entries == nil {
		return a
	}
	k.made.Add(1)
	a.encoded = true
	a.Body, a.coding = reply.Encode(a.Body, a.Media, coding)
	if len(a.Body) <= k.largest {
		a.key = key
		k.entries.Set(key, entry{Answer: a, version: version})
	}
	return a
}

// Send sends an answer, and keeps the way from the request to it. The header of the response has what is to be said
// beside the body; without a tag it depends on more than a version and the request, and nothing is kept.
func (k *Answers) Send(c echo.Context, a Answer) error {
	header := c.Response().Header()
	tag := header.Get(reply.HeaderETag)
	if !a.encoded && tag != "" {
		a = k.keep(a, tag, "", reply.CodingOf(c.Request().Header))
	}
	if a.coding != "" {
		header.Set(echo.HeaderContentEncoding, a.coding)
	}
	if a.key != "" && tag != "" {
		k.rememberWay(c, a.key)
	}
	return reply.Send(c, http.StatusOK, a.Media, a.Body)
}
