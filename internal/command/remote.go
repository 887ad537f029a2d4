package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"fiscube/cube"
)

// remoteFlags name the server that is to do what a command says.
type remoteFlags struct {
	server   string
	token    tokenFlags
	insecure bool
}

func (r *remoteFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&r.server, "server", "", "the URL of a fiscube server that is to do it, in place of --db")
	r.token.addFlags(flags, "the token of --server; better in FISCUBE_TOKEN")
	flags.BoolVar(&r.insecure, "insecure", false, "send the token to --server without encryption, too")
}

// remote is a fiscube server that takes packages and removals.
type remote struct {
	base   *url.URL
	token  string
	client *http.Client
}

// connect checks what was given of a server, before anything is sent there.
func (r *remoteFlags) connect() (*remote, error) {
	base, err := url.Parse(r.server)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.User != nil ||
		base.RawQuery != "" || base.Fragment != "" {
		return nil, usageError{errors.New("--server has to be the http or https URL of a fiscube server")}
	}
	token, err := r.token.read()
	switch {
	case err != nil:
		return nil, err
	case token == "":
		return nil, usageError{errors.New("--server needs the token of the server: --token-file, or the variable FISCUBE_TOKEN")}
	case base.Scheme == "http" && !isLoopback(base.Hostname()) && !r.insecure:
		return nil, usageError{errors.New("the token would be sent to " + base.Host + " unencrypted: use https, or say --insecure")}
	}
	return &remote{base, token, newClient()}, nil
}

func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// newClient follows no redirect: where the token goes is for the user to say. A body is only sent once the server
// has looked at the token, where it says so in time.
func newClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ExpectContinueTimeout = 5 * time.Second
	transport.ResponseHeaderTimeout = time.Minute // after the body
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// body is what is sent to a server.
type body struct {
	media   string
	content io.ReadCloser
	length  int64 // -1 where it is not known
}

// maxAnswer bounds what is read of an answer: the largest is the report of a load.
const maxAnswer = 64 << 20

// ask sends a request and reads the answer into a value, unless that is nil. The path is escaped.
func (r *remote) ask(ctx context.Context, method, path string, send *body, into any) error {
	response, err := r.send(ctx, method, path, send)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("read the answer of %s: %w", r.base.Host, err)
	case response.StatusCode >= http.StatusMultipleChoices:
		return r.problem(response, content)
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s answers something unknown: %w; is it a fiscube server?", r.base.Host, err)
	}
	return nil
}

func (r *remote) send(ctx context.Context, method, path string, send *body) (*http.Response, error) {
	at, query, _ := strings.Cut(path, "?")
	target := r.base.JoinPath(at)
	target.RawQuery = query
	request, err := http.NewRequestWithContext(ctx, method, target.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.token)
	if send != nil {
		request.Body, request.ContentLength = send.content, send.length
		request.Header.Set("Content-Type", send.media)
		request.Header.Set("Expect", "100-continue")
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be asked: %w", r.base.Host, withoutURL(err))
	}
	return response, nil
}

// withoutURL drops the URL that http.Client says before everything.
func withoutURL(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// problem is the error that a server answers, with its own words and code where it is one of ours.
func (r *remote) problem(response *http.Response, content []byte) error {
	var told struct {
		Code    cube.Code
		Message string
		Context struct{ Hint string }
	}
	switch err := json.Unmarshal(content, &told); {
	case response.StatusCode == http.StatusMethodNotAllowed:
		return fmt.Errorf("%s takes no packages and no removals: it was started without a token", r.base.Host)
	case err != nil || told.Message == "":
		return fmt.Errorf("%s answers %s; is it a fiscube server?", r.base.Host, response.Status)
	}
	problem := cube.Errorf(told.Code, "%s", onOneLine(told.Message))
	problem.Hint = onOneLine(told.Context.Hint)
	return problem
}

// onOneLine keeps the words of a server from moving the terminal's cursor.
func onOneLine(text string) string { return strings.Map(printable, text) }

// removeThere has a server remove a cube.
func (p *program) removeThere(ctx context.Context, flags *remoteFlags, name string) error {
	there, err := flags.connect()
	if err != nil {
		return err
	}
	if err := there.ask(ctx, http.MethodDelete, "cubes/"+url.PathEscape(name), nil, nil); err != nil {
		return err
	}
	p.printf("%s is removed\n", name)
	return nil
}
