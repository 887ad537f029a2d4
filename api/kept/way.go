package kept

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
)

// way leads from a request to an answer.
type way struct {
	to     string // the key of the answer
	state  int64  // of the catalogue at the request
	header []field
}

// field is a field of the header that an answer was sent with.
type field struct {
	name   string
	values []string
}

func (w *way) bytes() int {
	n := len(w.to)
	for _, f := range w.header {
		for _, value := range f.values {
			n += len(f.name) + len(value)
		}
	}
	return n
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
		if found, ok := k.entries.GetIfPresent(key); ok && found.way.state == state {
			if answer, ok := k.entries.GetIfPresent(found.way.to); ok {
				k.hits.Add(1)
				limits.TimingOf(c).Done(limits.StageKept)
				return sendAgain(c, found.way, answer.Answer)
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
	for _, name := range []string{echo.HeaderAccept, echo.HeaderAcceptEncoding} {
		for _, value := range r.Header[name] {
			key = append(append(key, value...), ',')
		}
		key = append(key, '\n')
	}
	return string(key)
}

func sendAgain(c echo.Context, w *way, a Answer) error {
	header := c.Response().Header()
	if reply.Has(c.Request(), w.header[0].values[0]) {
		put(header, w.header[:sentUnchanged])
		return reply.SendNotModified(c)
	}
	put(header, w.header)
	return reply.Send(c, http.StatusOK, a.Media, a.Body)
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

// rememberWay keeps the way from a request to the answer of a key, unless the catalogue has changed meanwhile.
func (k *Answers) rememberWay(c echo.Context, to string) {
	from, ok := c.Get(requestedKey).(requested)
	if state, err := k.state(c.Request().Context()); !ok || err != nil || state != from.state {
		return
	}
	w := &way{to: to, state: from.state}
	for _, name := range sent {
		w.header = append(w.header, field{http.CanonicalHeaderKey(name), slices.Clip(slices.Clone(c.Response().Header().Values(name)))})
	}
	k.entries.Set(from.key, entry{way: w})
}
