package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/api/limits"
)

// calling is a message that calls a tool.
func calling(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// toMCP makes the request that sends a message.
func toMCP(ctx context.Context, url, message string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp", strings.NewReader(message))
	if err != nil {
		panic(err)
	}
	r.RemoteAddr = httptest.NewRequest(http.MethodGet, "/", nil).RemoteAddr // as ask has it
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// Old versions of the protocol allow several calls in a message. Each is a request for the rate, as if it had come alone.
func TestAssistant_CallsOfOneMessageAreCounted(t *testing.T) {
	h := limited(t, newFake(t), limits.Options{Rate: 0.5}) // so three at once
	var calls []string
	for id := range 5 {
		calls = append(calls, calling(id+1, "lines", `{"cube":"croatia"}`)) // which asks twice
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, toMCP(t.Context(), "http://example.com", "["+strings.Join(calls, ",")+"]"))
	body := w.Body.String()
	refused := strings.Count(body, `\"code\":\"too-many-requests\"`)
	if answered := strings.Count(body, `"structuredContent"`); answered != 3 || refused != 2 {
		t.Errorf("%d calls are answered, %d refused: %s", answered, refused, body)
	}
	if r := ask(t, h, "/cubes"); r.status != http.StatusTooManyRequests {
		t.Errorf("a request after them: %d", r.status)
	}
}

// No reply is over 30 KB, also where the id of the call and the names are long and many rows are asked for.
func TestAssistant_LongestReplies(t *testing.T) {
	_, h := wide(t, func(f *fake) api.Store { return f }, limits.Options{})
	for _, call := range []string{
		calling(1, "ask", `{"cube":"croatia","drilldown":"admin1_code","pagesize":200}`), calling(1, "tree", `{"cube":"croatia","dimension":"admin1_code"}`),
		calling(1, "search", `{"q":"novi","pagesize":100}`), calling(1, "describe", `{"cube":"croatia","level":"admin1_code","pagesize":200}`),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, toMCP(t.Context(), "http://example.com", strings.Replace(call, `"id":1`, `"id":"`+strings.Repeat("x", 998)+`"`, 1)))
		if n := w.Body.Len(); w.Code != http.StatusOK || n > 30<<10 || n < 5000 {
			t.Errorf("%s: %d, %d bytes: %.2000s", call, w.Code, n, w.Body)
		}
	}
}

// A message that is none, or too long, is refused.
func TestAssistant_RefusesWhatIsNoMessage(t *testing.T) {
	h := handler(t, newFake(t))
	many := "[" + strings.Repeat(calling(1, "describe", "{}")+",", 50) + calling(1, "describe", "{}") + "]"
	for message, want := range map[string]int{
		many: http.StatusBadRequest,
		"{":  http.StatusBadRequest, "": http.StatusBadRequest, calling(1, "ask", `{"cube":"`+strings.Repeat("x", 1<<20)+`"}`): http.StatusRequestEntityTooLarge,
	} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, toMCP(t.Context(), "http://example.com", message)); w.Code != want || w.Body.Len() == 0 {
			t.Errorf("%.20s…: %d %s, want %d", message, w.Code, w.Body, want)
		}
	}
	long := strings.Repeat("x", 100_000)
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"` + long + `"}`:                                                 `"x{60}…" unsupported`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"` + long + `"}`:                           `unmarshaling .*x…`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + long + `"}}`:                  `unknown tool \\"x{60}…\\"`,
		`{"jsonrpc":"` + long + `","id":1,"method":"ping"}`:                                                `malformed payload: .*x…`,
		`{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}`:                                            `the id of a call has more than 1000 bytes`,
		`[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":"` + long + `","method":"ping"}]`: `the id of a call has more than 1000 bytes`,
	} {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, toMCP(t.Context(), "http://example.com", message)); w.Body.Len() > 1000 || !regexp.MustCompile(want).MatchString(w.Body.String()) {
			t.Errorf("%.60s…: %d, %d bytes: %.300s, want %s", message, w.Code, w.Body.Len(), w.Body, want)
		}
	}
	if r := ask(t, h, "/mcp"); r.status != http.StatusMethodNotAllowed || r.header.Get("Allow") != "OPTIONS, POST" {
		t.Errorf("GET: %d, allowed %s", r.status, r.header.Get("Allow"))
	}
}
