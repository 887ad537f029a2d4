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
	"slices"
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

// Answer is a whole answer, in JSON.
type Answer struct {
	Body  []byte
	Total int64  // rows on all pages, for the links to them
	Next  string // the token of the next page

	encoded bool
	coding  string // of the body, "" where it is as it was made
	key     string // under which it is kept, "" where it is not
}

// entry is an answer or, where it has one, a request that was answered.
type entry struct {
	Answer
	version string // of the cube
	request *answered
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
			Weigher: func(key string, e entry) uint32 {
				n := entryBytes + len(key) + len(e.Body) + len(e.key) + len(e.version)
				if e.request != nil {
					n += len(e.request.key)
					for _, f := range e.request.header {
						for _, value := range f.values {
							n += len(f.name) + len(value)
						}
					}
				}
				return uint32(n)
			},
		})
	}
	return k
}

// entryBytes is about what an entry takes beside its texts.
const entryBytes = 400

// Stats are how many answers were found, how many were made, and how many bytes the kept ones take.
func (k *Answers) Stats() (hits, made, bytes int64) {
	if k.entries != nil {
		bytes = int64(k.entries.WeightedSize())
	}
	return k.hits.Load(), k.made.Load(), bytes
}

// Of gives the answer to a question about a version in a coding, "" for none. It is made unless it is kept. The parts of the
// question say everything that the body depends on, but for its coding. Only the last may be the text of a caller.
func (k *Answers) Of(c echo.Context, cb *cube.Cube, coding string, question []any, answer func() (Answer, error)) (Answer, error) {
	if k.entries == nil {
		return answer()
	}
	version := cb.Key()
	key := version + "\x00" + coding + fmt.Sprintf(strings.Repeat("\x00%v", len(question)), question...)
	if found, ok := k.entries.GetIfPresent(key); ok {
		k.hits.Add(1)
		limits.TimingOf(c).Done(limits.StageKept)
		return found.Answer, nil
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
	a.Body, a.coding = reply.Encode(a.Body, echo.MIMEApplicationJSON, coding)
	if len(a.Body) <= k.largest {
		a.key = key
		k.entries.Set(key, entry{Answer: a, version: version})
	}
	return a
}

// Send sends an answer, and keeps which request it answers. The header of the response has what is to be said
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
	reply.LinkToPage(c)
	if from, ok := c.Get(requestedKey).(requested); ok && a.key != "" && tag != "" {
		earlier := &answered{key: a.key, state: from.state}
		for _, name := range sent {
			earlier.header = append(earlier.header, field{http.CanonicalHeaderKey(name), slices.Clip(slices.Clone(header.Values(name)))})
		}
		if state, err := k.state(c.Request().Context()); err == nil && state == from.state { // the catalogue is still the same
			k.entries.Set(from.key, entry{request: earlier})
		}
	}
	return reply.Send(c, http.StatusOK, echo.MIMEApplicationJSON, a.Body)
}

// answered is a request that was answered.
type answered struct {
	key    string // of the answer
	state  int64  // of the catalogue at the request
	header []field
}

// field is a field of the header that an answer was sent with.
type field struct {
	name   string
	values []string
}

// sent are the fields of a header that belong to an answer, those first that a 304 has too.
var sent = []string{reply.HeaderETag, echo.HeaderVary, echo.HeaderCacheControl, echo.HeaderContentEncoding, "Link"}

const sentUnchanged = 3

// Again answers the requests that were answered before. It is inside of all that counts, limits and logs requests.
func (k *Answers) Again(next echo.HandlerFunc) echo.HandlerFunc {
	if k.entries == nil {
		return next
	}
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return next(c)
		}
		state, err := k.state(r.Context())
		if err != nil {
			return err
		}
		key := keyOf(c)
		if found, ok := k.entries.GetIfPresent(key); ok && found.request.state == state {
			if answer, ok := k.entries.GetIfPresent(found.request.key); ok {
				k.hits.Add(1)
				limits.TimingOf(c).Done(limits.StageKept)
				return sendAgain(c, found.request, answer.Answer)
			}
		}
		c.Set(requestedKey, requested{key, state})
		return next(c)
	}
}

// keyOf says everything of a request that its answer depends on. A line end separates the parts, none of which can have one.
func keyOf(c echo.Context) string {
	r := c.Request()
	key := make([]byte, 0, 512)
	key = append(append(key, request.Base(c)...), '\n')
	key = append(append(key, r.RequestURI...), '\n')
	if limits.IsTrusted(r.Context()) { // and sees more
		key = append(key, "trusted\n"...)
	}
	for _, name := range []string{echo.HeaderAccept, echo.HeaderAcceptEncoding} {
		for _, value := range r.Header[name] {
			key = append(append(key, value...), ',')
		}
		key = append(key, '\n')
	}
	return string(key)
}

func sendAgain(c echo.Context, earlier *answered, a Answer) error {
	header := c.Response().Header()
	if reply.Has(c.Request(), earlier.header[0].values[0]) {
		put(header, earlier.header[:sentUnchanged])
		return reply.SendNotModified(c)
	}
	put(header, earlier.header)
	return reply.Send(c, http.StatusOK, echo.MIMEApplicationJSON, a.Body)
}

func put(header http.Header, fields []field) {
	for _, f := range fields {
		if len(f.values) > 0 {
			header[f.name] = f.values
		}
	}
}

// requested is a request whose answer may be kept.
type requested struct {
	key   string
	state int64 // of the catalogue
}

// requestedKey is where a request keeps it.
const requestedKey = "requested"
