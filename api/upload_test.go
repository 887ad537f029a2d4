package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fiscube/api/jobs"
	"fiscube/cube"
)

// unreadBody fails the test that reads it.
type unreadBody struct{ t *testing.T }

// Read implements io.Reader.
func (b unreadBody) Read([]byte) (int, error) {
	b.t.Error("the body was read")
	return 0, io.EOF
}

// endless is a body without end that counts what is read of it.
type endless struct{ read int64 }

// Read implements io.Reader.
func (b *endless) Read(p []byte) (int, error) {
	b.read += int64(len(p))
	return len(p), nil
}

func TestAZipThatIsTooLarge(t *testing.T) {
	q := newQueue(t, nil)
	body := &endless{}
	for name, r := range map[string]response{
		"without a length":  q.post(t, "application/zip", body),
		"one byte too many": q.post(t, "application/zip", bytes.NewReader(make([]byte, 1001))),
	} {
		if p := r.problem(t); r.status != http.StatusRequestEntityTooLarge || p.Code != cube.CodeTooLarge {
			t.Errorf("%s: status %d: %s", name, r.status, r.body)
		}
	}
	if body.read > 64<<10 {
		t.Errorf("%d bytes were read of a body that may have 1000", body.read)
	}
	if n := q.spooled(t); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
	q.submit(t, strings.Repeat("x", 1000))
}

func TestBodiesThatAreNotTaken(t *testing.T) {
	q := newQueue(t, nil)
	for _, test := range []struct {
		media, coding, body string
		status              int
		code                cube.Code
	}{
		{"", "", "x", 415, "unsupported-media-type"},
		{"text/plain", "", "x", 415, "unsupported-media-type"},
		{"multipart/form-data; boundary=x", "", "x", 415, "unsupported-media-type"},
		{"application/zip", "gzip", "x", 415, "unsupported-media-type"},
		{"application/json", "", "", 400, "bad-body"},
		{"application/json", "", "{}", 400, "bad-body"},
		{"application/json", "", "[]", 400, "bad-body"},
		{"application/json", "", `{"url": 1}`, 400, "bad-body"},
		{"application/json", "", `{"url": "https://example.org", "path": "/etc/passwd"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "https://example.org"} {}`, 400, "bad-body"},
		{"application/json", "", `{"url": "https://` + strings.Repeat("x", 1<<17) + `"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "http://example.org/datapackage.json"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "file:///etc/passwd"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "/etc/passwd"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "https://"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "https://name:password@example.org/"}`, 400, "bad-body"},
		{"application/json", "", `{"url": "https://exa\u0000mple.org/"}`, 400, "bad-body"},
	} {
		r := q.post(t, test.media, strings.NewReader(test.body), "Content-Encoding", test.coding)
		if p := r.problem(t); r.status != test.status || p.Code != test.code {
			t.Errorf("%s %.80s: status %d: %s", test.media, test.body, r.status, r.body)
		}
	}
	for range mostWaiting { // none of them kept its place
		q.submit(t, "x")
	}
}

func TestAURLIsLoadedAsAJob(t *testing.T) {
	const at = "https://example.org/datapackage.json?year=2020"
	got := make(chan jobs.Source, 1)
	q := newQueue(t, func(_ context.Context, source jobs.Source, _ jobs.Progress) (cube.Loaded, error) {
		got <- source
		return cube.Loaded{Cube: budget(t), Outcome: cube.OutcomeRestored}, nil
	})
	q.run(t)
	r := q.post(t, "application/json; charset=utf-8", strings.NewReader(`{"url": "`+at+`"}`))
	if source := <-got; r.status != http.StatusAccepted || source.URL != at || source.Zip != nil {
		t.Errorf("status %d: %s, of %+v", r.status, r.body, source)
	}
}

// Uploads that break off leave nothing, and give their places back.
func TestAnUploadThatBreaksOff(t *testing.T) {
	q := newQueue(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	address, ended := serve(ctx, t, q)
	for range 2 * mostWaiting {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "POST /cubes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/zip\r\nContent-Length: 900\r\n\r\nhalf a zip", secret)
		connection.Close()
	}
	for deadline := time.Now().Add(patience); q.spooled(t) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what was sent is kept")
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for range mostWaiting {
		q.submit(t, "x")
	}
}

// A client that asks before it sends is told no before it has sent anything.
func TestNothingIsSentInVain(t *testing.T) {
	q := newQueue(t, nil)
	address, _ := serve(t.Context(), t, q)
	for name, test := range map[string]struct {
		token  string
		length int64
		status int
	}{
		"wrong token": {"wrong", 10, http.StatusUnauthorized},
		"too large":   {secret, 1001, http.StatusRequestEntityTooLarge},
	} {
		request, err := http.NewRequest(http.MethodPost, "http://"+address+"/cubes", unreadBody{t})
		if err != nil {
			t.Fatal(err)
		}
		request.ContentLength = test.length
		request.Header = http.Header{"Authorization": {"Bearer " + test.token}, "Content-Type": {"application/zip"}, "Expect": {"100-continue"}}
		client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s: %s", name, response.Status)
		}
	}
}

// A client that sends all before it listens hears why its package is not taken, whether it asked first or not.
func TestTheAnswerToAnUploadOutlivesIt(t *testing.T) {
	address, _ := serve(t.Context(), t, newQueue(t, nil))
	for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		fmt.Fprintf(connection, "POST /cubes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/zip\r\nTransfer-Encoding: chunked\r\n%s\r\n", secret, expect)
		chunk := fmt.Appendf(nil, "%x\r\n%s\r\n", 1<<20, make([]byte, 1<<20))
		for range 16 {
			if _, err := connection.Write(chunk); err != nil {
				t.Fatalf("with %q the body is cut off: %v", expect, err)
			}
		}
		fmt.Fprint(connection, "0\r\n\r\n")
		answer, err := io.ReadAll(connection)
		if err != nil || !strings.Contains(string(answer), "HTTP/1.1 413 ") {
			t.Errorf("with %q the answer is %q, %v", expect, answer, err)
		}
	}
}
