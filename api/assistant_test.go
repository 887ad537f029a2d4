package api_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fiscube/api/limits"
	"fiscube/cube/plan"
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

// The question of an assistant that leaves ends, as that of others.
func TestAssistant_ClientLeaves(t *testing.T) {
	f, asked, ended := newFake(t), make(chan struct{}), make(chan struct{})
	f.run = func(ctx context.Context, _ *plan.Statement) iter.Seq2[row, error] {
		close(asked)
		<-ctx.Done()
		close(ended)
		return failing(ctx.Err())(ctx, nil)
	}
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-asked
		leave()
	}()
	response, err := http.DefaultClient.Do(toMCP(ctx, server.URL, calling(1, "ask", `{"cube":"croatia"}`)))
	if err == nil {
		_ = response.Body.Close()
		t.Fatalf("it is answered: %s", response.Status)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("the question goes on")
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
	if r := ask(t, h, "/mcp"); r.status != http.StatusMethodNotAllowed || r.header.Get("Allow") != "OPTIONS, POST" {
		t.Errorf("GET: %d, allowed %s", r.status, r.header.Get("Allow"))
	}
}
