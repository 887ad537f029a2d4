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
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/gate"
	"fiscube/store/load"
)

// client speaks to another fiscube process. There are two ways to have one do a command:
//
//   - With --server, load and remove use the routes of a server that was started with a token. The package is sent, and
//     loaded as a job, which goes on when the user stops the command.
//   - The server that has the embedded file open runs the whole command line (handover.go). It reads the package where it
//     is, and stops the command when the user does.
type client struct {
	base  *url.URL
	token string
	http  *http.Client
}

// newClient follows no redirect: the user decides where the token goes. A body is sent only after the server has looked at
// the token, where it says so in time. The answer has to begin within patience after the body; 0 is for ever.
func newClient(base *url.URL, token string, patience time.Duration) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ExpectContinueTimeout = 5 * time.Second
	transport.ResponseHeaderTimeout = patience
	return &client{base, token, &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// connect checks what was given of a server, before anything is sent there.
func (f *serverFlags) connect() (*client, error) {
	base, err := url.Parse(f.server)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.User != nil ||
		base.RawQuery != "" || base.Fragment != "" {
		return nil, usageError{errors.New("--server has to be the http or https URL of a fiscube server")}
	}
	token, err := f.token.read()
	isLoopback := strings.EqualFold(base.Hostname(), "localhost") || net.ParseIP(base.Hostname()).IsLoopback()
	switch {
	case err != nil:
		return nil, err
	case token == "":
		return nil, usageError{errors.New("--server needs the token of the server: --token-file, or the variable FISCUBE_TOKEN")}
	case base.Scheme == "http" && !isLoopback && !f.insecure:
		return nil, usageError{errors.New("the token would be sent to " + base.Host + " unencrypted: use https, or say --insecure")}
	}
	return newClient(base, token, time.Minute), nil
}

// body is what is sent to a server.
type body struct {
	media   string
	content io.ReadCloser
	length  int64 // -1 where it is not known
}

// jsonBody sends texts as JSON, whose encoding cannot fail.
func jsonBody(texts any) *body {
	content, _ := json.Marshal(texts)
	return &body{"application/json", io.NopCloser(strings.NewReader(string(content))), int64(len(content))}
}

// send sends a request. The path is escaped and may have a query.
func (c *client) send(ctx context.Context, method, path string, content *body) (*http.Response, error) {
	path, query, _ := strings.Cut(path, "?")
	target := c.base.JoinPath(path)
	target.RawQuery = query
	request, err := http.NewRequestWithContext(ctx, method, target.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	if content != nil {
		request.Body, request.ContentLength = content.content, content.length
		request.Header.Set("Content-Type", content.media)
		request.Header.Set("Expect", "100-continue")
	}
	response, err := c.http.Do(request)
	var withURL *url.Error // which http.Client puts before everything
	if errors.As(err, &withURL) {
		err = withURL.Err
	}
	return response, err
}

// maxAnswer bounds what is read of an answer: the largest is the report of a load.
const maxAnswer = 64 << 20

// ask sends a request and reads the answer into a value, unless that is nil.
func (c *client) ask(ctx context.Context, method, path string, content *body, into any) error {
	response, err := c.send(ctx, method, path, content)
	if err != nil {
		return fmt.Errorf("%s cannot be asked: %w", c.base.Host, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("read the answer of %s: %w", c.base.Host, err)
	case response.StatusCode >= http.StatusMultipleChoices:
		return c.problem(response, answer)
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s answers something unknown: %w; is it a fiscube server?", c.base.Host, err)
	}
	return nil
}

// problem is the error that a server answers, with its own words and code where it is one of ours.
func (c *client) problem(response *http.Response, answer []byte) error {
	problem := problemOf(answer)
	switch {
	case response.StatusCode == http.StatusMethodNotAllowed:
		return fmt.Errorf("%s takes no packages and no removals: it was started without a token", c.base.Host)
	case problem == nil:
		return fmt.Errorf("%s answers %s; is it a fiscube server?", c.base.Host, response.Status)
	}
	return problem
}

// onOneLine keeps the words of a server from moving the terminal's cursor.
func onOneLine(text string) string { return strings.Map(printable, text) }

// job is what a server says of a load.
type job struct {
	ID       string
	State    string
	Progress *jobProgress
	Result   *loadResult
	Problem  *struct {
		Code     cube.Code
		Message  string
		Problems []string
	}
}

type jobProgress struct {
	Stage string
	Bytes int64
	Total int64 `json:"total_bytes"`
	Rows  int64
}

// problem is why nothing was loaded, in the words that the command has for a load of its own.
func (j job) problem() error {
	if j.Problem == nil {
		return errors.New("the server does not say what came of the package")
	}
	lines := j.Problem.Problems
	if len(lines) == 0 {
		lines = []string{j.Problem.Message}
	}
	for i, line := range lines {
		lines[i] = onOneLine(line)
	}
	return cube.Errorf(j.Problem.Code, "%s", strings.Join(lines, "\n"))
}

// loadOn has a server load the package at path, and shows how that goes.
func (p *program) loadOn(ctx context.Context, c *client, path string, o load.Options, told *telling) error {
	began := time.Now()
	sent, err := p.sendPackage(ctx, c, path, o)
	if err != nil {
		return err
	}
	ended, err := p.follow(ctx, c, sent.ID)
	switch {
	case err != nil:
		return err
	case ended.Result == nil:
		return ended.problem()
	}
	return p.tellLoad(told, gate.New(path, o.OverlayFile), *ended.Result, time.Since(began), func() (*findings.Report, error) {
		report := &findings.Report{}
		path := fmt.Sprintf("cubes/%s/report?version=%d", url.PathEscape(ended.Result.Cube), ended.Result.Version)
		return report, c.ask(ctx, http.MethodGet, path, nil, report)
	})
}

// sendPackage sends what is at path, or has the server fetch it, and gives the job that the server made of it.
func (p *program) sendPackage(ctx context.Context, c *client, path string, o load.Options) (job, error) {
	overlay := o.OverlayFile
	info, err := os.Stat(path)
	isURL := strings.Contains(path, "://")
	isZip := !isURL && err == nil && !info.IsDir() && !strings.EqualFold(filepath.Ext(path), ".json")
	switch {
	case err != nil && !isURL:
		return job{}, unreadable(path, err)
	case overlay != "" && (isURL || isZip):
		return job{}, usageError{errors.New("with --server, --overlay goes with a folder alone")}
	case isURL:
		return c.submit(ctx, o, jsonBody(map[string]string{"url": path}))
	}
	progress := p.progress()
	if isZip {
		f, err := os.Open(path)
		if err != nil {
			return job{}, unreadable(path, err)
		}
		progress.Begin("Sending", info.Size())
		defer progress.End()
		return c.submit(ctx, o, &body{"application/zip", watched{f, progress}, info.Size()})
	}
	packed, err := pack(path, info.IsDir(), overlay)
	if err != nil {
		return job{}, err
	}
	defer packed.close()
	progress.Begin("Sending", packed.total())
	defer progress.End()
	return c.submit(ctx, o, &body{"application/zip", packed.stream(progress), -1})
}

// unreadable is the error of a package that is not there, as a load says it.
func unreadable(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return cube.Wrap(cube.CodeBadPackage, fmt.Sprintf("%s cannot be read: %v", path, err), err)
}

// watched adds what is read to a progress.
type watched struct {
	io.ReadCloser
	progress load.Progress
}

// Read implements io.Reader.
func (w watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.progress.Add(int64(n), 0)
	return n, err
}

// submitPatience is how long a user who stops waits for the answer of a server that has the whole package.
const submitPatience = 10 * time.Second

// submit sends a package. A user who stops ends that, unless the server has all of it: then its answer is waited for, so
// that the command never says that nothing was loaded while the server loads it.
func (c *client) submit(ctx context.Context, o load.Options, content *body) (made job, err error) {
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	sent := &sentContent{ReadCloser: content.content, left: content.length}
	content.content = sent
	defer context.AfterFunc(ctx, func() {
		if sent.whole.Load() {
			select {
			case <-time.After(submitPatience):
			case <-sending.Done():
			}
		}
		cancel()
	})()
	path, given := "cubes", url.Values{}
	if len(o.Allow) > 0 {
		given["allow"] = o.Allow
	}
	if o.Visibility != "" {
		given.Set("visibility", string(o.Visibility))
	}
	if len(given) > 0 {
		path += "?" + given.Encode()
	}
	err = c.ask(sending, http.MethodPost, path, content, &made)
	if err != nil && ctx.Err() != nil && sent.whole.Load() {
		err = &loadGoesOn{}
	}
	return made, err
}

// sentContent knows when all of it was taken to be sent.
type sentContent struct {
	io.ReadCloser
	left  int64 // -1 where it is not known
	whole atomic.Bool
}

// Read implements io.Reader.
func (c *sentContent) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if c.left > 0 {
		c.left -= int64(n)
	}
	if err == io.EOF || c.left == 0 {
		c.whole.Store(true)
	}
	return n, err
}

// How often a server is asked how a load goes: soon after it began, then once a second. A server that does not answer for a
// while may be behind a network that comes back.
const (
	firstLook  = 100 * time.Millisecond
	lastLook   = time.Second
	mostMisses = 10
)

// final are the answers after which asking again is of no use.
var final = []cube.Code{"unknown-job", "unauthorized", "unknown-route"}

// loadGoesOn is the error of a user who stops the command while the server loads.
type loadGoesOn struct{ id string } // "" where the server has not said it

// Error implements error.
func (e *loadGoesOn) Error() string {
	if e.id == "" {
		return "stopped; the server has the package, and may go on with the load"
	}
	return "stopped; the server goes on with the load, as job " + e.id
}

// follow shows how a load goes until it ends.
func (p *program) follow(ctx context.Context, c *client, id string) (job, error) {
	shown := &shownProgress{progress: p.progress()}
	defer shown.end()
	misses := 0
	for wait := firstLook; ; wait = min(2*wait, lastLook) {
		select {
		case <-ctx.Done():
			return job{}, &loadGoesOn{onOneLine(id)}
		case <-time.After(wait):
		}
		var now job
		err := c.ask(ctx, http.MethodGet, "jobs/"+url.PathEscape(id), nil, &now)
		switch misses++; {
		case err == nil && now.State != "waiting" && now.State != "running":
			return now, nil
		case err == nil:
			misses = 0
			shown.show(now.Progress)
		case ctx.Err() != nil: // the next round returns
		case misses > mostMisses || slices.Contains(final, cube.CodeOf(err)):
			return job{}, errors.Join(err, fmt.Errorf("what came of the load, job %s, is not known", onOneLine(id)))
		}
	}
}

// shownProgress shows what a server says now and then of its progress as if it happened here.
type shownProgress struct {
	progress load.Progress
	last     jobProgress // the zero value before the first
}

// show adds what was done since the last look.
func (s *shownProgress) show(now *jobProgress) {
	if now == nil {
		return
	}
	if now.Stage != s.last.Stage || now.Bytes < s.last.Bytes {
		s.end()
		s.last = jobProgress{Stage: now.Stage}
		s.progress.Begin(onOneLine(now.Stage), now.Total)
	}
	s.progress.Add(now.Bytes-s.last.Bytes, now.Rows-s.last.Rows)
	s.last = *now
}

func (s *shownProgress) end() {
	if s.last.Stage != "" {
		s.progress.End()
		s.last = jobProgress{}
	}
}
