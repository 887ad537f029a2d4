package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// caller is who has sent a message over HTTP: the requests to the API are his, and end when he leaves.
type caller struct {
	request *http.Request
	base    string // where he reaches the API
	id      string // of the request, for the log

	turn  chan struct{} // holds a place for the call that is being answered
	calls atomic.Int64  // that the message has, of which old versions of the protocol allow several
	more  func() error  // counts one of them
}

// counted counts a call. The first is counted as the message itself.
func (c *caller) counted() error {
	if c.calls.Add(1) == 1 {
		return nil
	}
	return c.more()
}

// callerKey is the key of the caller in the context of a call.
type callerKey struct{}

// call asks the API what a call of a tool asks. The answers, in short, stand beside a link to the first of them.
func (s *Server) call(ctx context.Context, t tool, arguments json.RawMessage) *mcp.CallToolResult {
	given, err := t.read(arguments)
	if err != nil {
		return refusal(reply.Problem(err), "")
	}
	by, ok := ctx.Value(callerKey{}).(*caller)
	if !ok {
		by = &caller{turn: make(chan struct{}, 1), request: (&http.Request{Header: http.Header{}, Host: "localhost"}).WithContext(ctx), base: s.base}
	} else if err := by.counted(); err != nil {
		return refusal(reply.Problem(err), "")
	}
	select { // several calls of one message come one after the other
	case by.turn <- struct{}{}:
		defer func() { <-by.turn }()
	case <-by.request.Context().Done():
	}
	if err := by.request.Context().Err(); err != nil { // he has left while others were answered
		return refusal(reply.Problem(err), "")
	}
	questions := t.questions(given)
	if err := unused(questions, given); err != nil {
		return refusal(reply.Problem(err), "")
	}
	result := object{{"link", nil}}
	for i, q := range questions {
		path, err := q.address(given)
		if err != nil {
			return refusal(reply.Problem(err), "")
		}
		found := s.get(by, path)
		if found.over {
			return refusal(reply.Problem(cube.Errorf(cube.CodeTooLarge, "the answer has more than %d bytes", mostRead).WithHint("cut it down, or drill fewer levels")), "")
		}
		if found.status != http.StatusOK {
			return refusal(found.body.Bytes(), found.header.Get(echo.HeaderRetryAfter))
		}
		if i == 0 {
			result[0].value = encode.Marshal(linkTo(by.base, path, found.body.Bytes()))
		}
		result = append(result, entry{q.name, encode.Marshal(q.compact(given, readObject(found.body.Bytes())))})
	}
	return t.result(given, result)
}

// result is what a call gives: the numbers as an object, and a sentence.
func (t tool) result(given map[string][]string, result object) *mcp.CallToolResult {
	most := t.bytes
	switch {
	case len(given["pagesize"])+len(given["fields"]) > 0:
		most = mostBytes
	case result.get("cubes") != nil:
		most = listBytes
	}
	leftOut := ""
	beside := len(encode.Marshal(sentence(result, "")))
	for _, part := range result[1:] {
		rows := t.rows[part.key]
		cut, left := fit(result, part.key, rows, most-beside-aroundBytes)
		if left > 0 {
			leftOut = strconv.Itoa(left) + " of the " + rows + " are left out; " + t.howToGet(given, part.key, cut)
			result = slices.Concat(cut, object{{"left_out", encode.Marshal(leftOut)}})
		}
	}
	result = append(result, entry{"publishers_words", encode.Marshal(publishersWords)})
	structured := []byte(tidy.Visible(string(encode.Marshal(result))))
	if len(structured)+beside > mostBytes {
		return refusal(reply.Problem(cube.Errorf(cube.CodeTooLarge, "the answer has %d bytes, and an assistant is given %d", len(structured), mostBytes).
			WithHint("cut it down, or ask for fewer aggregates")), "")
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: tidy.Visible(sentence(result, leftOut))}},
		StructuredContent: json.RawMessage(structured),
	}
}

// howToGet says how to get the rows of a part that are left out. The next page begins behind them, so that pages have to be shorter than
// what is here: rows of another page may be longer.
func (t tool) howToGet(given map[string][]string, part string, cut object) string {
	isPaged := slices.ContainsFunc(t.questions(given), func(q question) bool { return q.name == part && slices.Contains(q.takes, "pagesize") })
	if !isPaged {
		return t.more
	}
	kept := len(readList(readObject(cut.get(part)).get(t.rows[part])))
	return "ask with pagesize=" + strconv.Itoa(max(1, kept*3/4)) + ", page by page"
}

// mostProblem is how many bytes of what the API says of a mistake an assistant is given: it may repeat what was sent.
const mostProblem = 4 << 10

// refusal is the result of what the API refuses: its code, its words and its hint.
func refusal(problem []byte, retryAfter string) *mcp.CallToolResult {
	if len(problem) > mostProblem {
		o := readObject(problem).without("context")
		problem = encode.Marshal(o.with("message", encode.Marshal(query.Clip(o.text("message")))))
	}
	r := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: string(problem)}}}
	if retryAfter != "" {
		r.Content = append(r.Content, &mcp.TextContent{Text: "Try again after " + retryAfter + " s."})
	}
	return r
}

// linkTo is where anybody finds an answer again: the link of its citation, or the question pinned to the version that the answer is of.
func linkTo(base, path string, body []byte) string {
	var answer struct {
		Version  int
		Citation struct{ Link string }
	}
	_ = json.Unmarshal(body, &answer) // lists of several cubes have no version
	if answer.Citation.Link != "" {
		return answer.Citation.Link
	}
	pin := ""
	if answer.Version > 0 {
		pin = strconv.Itoa(answer.Version)
	}
	u, _ := url.ParseRequestURI(path) // all of it is escaped
	return base + u.EscapedPath() + strings.TrimSuffix(reply.Reference(u, [2]string{"numbers", ""}, [2]string{request.Pin.Name, pin}), "?")
}

// get sends a request to the API, in the name of the caller.
func (s *Server) get(by *caller, path string) *recorder {
	r := by.request.Clone(by.request.Context())
	r.Method, r.RequestURI, r.Body, r.ContentLength, r.TransferEncoding = http.MethodGet, path, http.NoBody, 0, nil
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.1", 1, 1
	r.URL, _ = url.ParseRequestURI(path) // all of it is escaped
	r.Header = http.Header{}
	for _, name := range []string{echo.HeaderXForwardedFor, echo.HeaderXForwardedProto} {
		r.Header[name] = by.request.Header.Values(name)
	}
	if by.id != "" {
		r.Header.Set(echo.HeaderXRequestID, by.id)
	}
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	s.api.ServeHTTP(w, r)
	return w
}

// mostRead is how many bytes of an answer of the API are read.
const mostRead = 2 << 20

// recorder is an answer of the API.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	over   bool // it has more than is read
}

// errOver ends an answer that is too long.
var errOver = errors.New("the answer is too long for an assistant")

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *recorder) Write(b []byte) (int, error) {
	if r.over = r.over || r.body.Len()+len(b) > mostRead; r.over {
		return 0, errOver
	}
	return r.body.Write(b)
}

// read reads arguments as the texts of parameters; a list is a parameter that is repeated.
func (t tool) read(arguments json.RawMessage) (map[string][]string, error) {
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&values); err != nil && len(arguments) > 0 {
		return nil, cube.Wrap(reply.CodeBadBody, "the arguments are no JSON object", err)
	}
	names := each.Text(t.arguments, func(a argument) string { return a.name })
	given := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			hint := "the arguments of " + t.name + " are " + strings.Join(names, ", ")
			if near := request.Meant(name, names); near != "" {
				hint = "did you mean " + near + "?"
			}
			return nil, request.Mistake(cube.CodeUnknownParameter, name, "no argument "+strconv.Quote(name), hint)
		}
		list, isList := values[name].([]any)
		if !isList {
			list = []any{values[name]}
		}
		for _, value := range list {
			switch value := value.(type) {
			case nil:
			case string:
				given[name] = append(given[name], value)
			case json.Number:
				given[name] = append(given[name], value.String())
			case bool:
				given[name] = append(given[name], map[bool]string{true: "1", false: "0"}[value])
			default:
				return nil, request.Mistake(cube.CodeBadValue, name, name+" is an object or a list of lists", "write it as a text")
			}
		}
	}
	if size, err := strconv.Atoi(strings.Join(given["pagesize"], "")); err == nil && size > mostRows {
		return nil, request.Mistake(cube.CodeBadValue, "pagesize", "pagesize is at most "+strconv.Itoa(mostRows)+" here", t.more)
	}
	return given, nil
}

// unused refuses an argument that no question of the call takes.
func unused(questions []question, given map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(questions, func(q question) bool { return slices.Contains(q.takes, name) || strings.Contains(q.path, "{"+name+"}") }) {
			return request.Mistake(cube.CodeUnknownParameter, name, name+" says nothing here", "give a level with it")
		}
	}
	return nil
}

// address writes the path of a question with the parameters that it takes.
func (q question) address(given map[string][]string) (string, error) {
	path := q.path
	for _, name := range []string{"cube", "dimension", "level"} {
		if !strings.Contains(path, "{"+name+"}") {
			continue
		}
		text := strings.Join(given[name], "")
		if text == "" {
			return "", request.Mistake(cube.CodeBadValue, name, name+" is missing", missing[name])
		}
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(text))
	}
	var pairs []string
	for _, name := range q.takes {
		pairs = append(pairs, each.Text(given[name], func(text string) string { return name + "=" + url.QueryEscape(text) })...)
	}
	if q.pagesize > 0 && len(given["pagesize"]) == 0 {
		pairs = append(pairs, "pagesize="+strconv.Itoa(q.pagesize))
	}
	pairs = append(pairs, q.always...)
	return path + strings.TrimSuffix("?"+strings.Join(pairs, "&"), "?"), nil
}

// missing says what to write for a name that a path needs.
var missing = map[string]string{
	"cube":      "describe without a cube lists them, and search finds them by words",
	"dimension": "describe lists the dimensions of a cube",
}
