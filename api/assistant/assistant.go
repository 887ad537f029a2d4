// Package assistant offers the questions of the API as tools of the Model Context Protocol, for assistants: over HTTP at /mcp, and over
// the standard input and output of fiscube mcp.
//
// A call of a tool is one request to the API or two, by the same handler that answers everybody, inside this process. So what is
// read, planned, limited, kept and refused, and in which words, is the API's; here are the tools (tools.go), the texts that teach the
// grammar (grammar.go), how a call becomes requests and their answers a result (call.go), what of an answer an assistant reads (shape.go),
// lines that are no messages (lines.go), and what the SDK says of mistakes (errors.go).
//
// The SDK is a dependency because the protocol is not ours: it has had five versions in two years, which the SDK tells apart.
package assistant

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/internal/version"
)

// maxMessage is how many bytes a message over HTTP has at most. A cut may name 10,000 values.
const maxMessage = 1 << 20

// maxCalls is how many calls a message has at most, of which old versions of the protocol allow several.
const maxCalls = 50

// Server answers calls of tools with what the API answers.
type Server struct {
	api    http.Handler
	base   string // where callers reach the API; "" takes it from each request
	server *mcp.Server
	http   http.Handler
}

// New makes a server of the tools. Over HTTP it keeps nothing between two messages: there are no sessions whose memory would have to be
// limited, and any of several servers behind one address can answer.
func New(api http.Handler, base string) *Server {
	s := &Server{api: api, base: base}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "fiscube", Title: "Public budgets", Version: version.Of().Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}, // which never change
	})
	for _, t := range tools {
		s.server.AddTool(t.described(), func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, call.Params.Arguments), nil
		})
	}
	s.http = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage,
		DisableLocalhostProtection: true, // what is here is public, and a proxy on this machine has another name
	})
	return s
}

// Handle answers a message over HTTP.
func (s *Server) Handle(c echo.Context) error {
	r := c.Request()
	head, err := io.ReadAll(io.LimitReader(r.Body, maxMessage+1))
	if err == nil && len(head) <= maxMessage {
		var calls []json.RawMessage
		if json.Unmarshal(head, &calls) == nil && len(calls) > maxCalls {
			return c.JSONBlob(http.StatusBadRequest, failure(codeInvalidRequest, fmt.Sprintf("the message has %d calls, and %d are answered at once", len(calls), maxCalls)))
		}
		if problem := idTooLong(head); problem != nil {
			return c.JSONBlob(http.StatusBadRequest, problem)
		}
	}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), r.Body), r.Body}
	by := &caller{turn: make(chan struct{}, 1),
		request: r.WithContext(limits.Counted(r.Context())), base: request.Base(c), id: c.Response().Header().Get(echo.HeaderXRequestID), more: limits.More(c),
	}
	s.http.ServeHTTP(shortErrors{c.Response()}, r.WithContext(context.WithValue(r.Context(), callerKey{}, by)))
	return nil
}

// Serve answers the messages of one assistant, a line each, until there are no more or ctx ends.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	shared := &lines{out: out, settled: make(chan struct{}, 1)}
	err := s.server.Run(ctx, &mcp.IOTransport{Reader: shared.messages(in), Writer: unclosed{shared}})
	if ctx.Err() != nil {
		return nil // it was stopped
	}
	return err
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

// Close implements io.Closer.
func (unclosed) Close() error { return nil }
