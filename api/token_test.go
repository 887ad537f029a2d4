package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// guarded are the requests that need the token.
var guarded = [][2]string{
	{http.MethodPost, "/cubes"}, {http.MethodPost, "/cubes/"}, {http.MethodDelete, "/cubes/croatia"},
	{http.MethodDelete, "/cubes/nope/"}, {http.MethodGet, "/jobs/x"}, {http.MethodHead, "/jobs/x/"},
}

// wrong are headers Authorization that do not open, and whether they show a token.
var wrong = map[bool][][]string{
	false: {nil, {""}, {secret}, {"Basic " + secret}, {"Bearer" + secret}, {"Bearer " + secret, "Bearer " + secret}},
	true: {{"Bearer"}, {"Bearer "}, {"Bearer wrong"}, {"Bearer " + secret + "x"}, {"Bearer " + secret[1:]},
		{"Bearer " + strings.ToUpper(secret)}, {"Bearer " + secret + " "}, {"Bearer wrong, Bearer " + secret}},
}

func TestOnlyTheTokenOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, nil) // which would panic
		for shown, headers := range wrong {
			for _, authorization := range headers {
				for _, request := range guarded {
					q.isShut(t, request, authorization, shown)
				}
			}
		}
		if strings.Contains(q.log.String(), secret) {
			t.Error("the log has the token")
		}
	})
}

// isShut checks that a request is refused unread, a wrong token after a while.
func (q *queue) isShut(t *testing.T, request [2]string, authorization []string, shown bool) {
	t.Helper()
	r := httptest.NewRequest(request[0], request[1]+"?_token="+secret+"&_access_token="+secret, unreadBody{t})
	r.Header["Authorization"] = authorization
	r.Header.Set("Content-Type", "application/zip")
	recorder, began := httptest.NewRecorder(), time.Now()
	q.ServeHTTP(recorder, r)
	header := recorder.Header()
	challenge := header.Get("WWW-Authenticate")
	if recorder.Code != http.StatusUnauthorized || !strings.HasPrefix(challenge, `Bearer realm="fiscube"`) {
		t.Errorf("%q, %v: status %d, %v", authorization, request, recorder.Code, header)
	}
	if took := time.Since(began); strings.Contains(challenge, "invalid_token") != shown || shown != (took >= 250*time.Millisecond) {
		t.Errorf("%q, %v: %s after %s", authorization, request, challenge, took)
	}
	if _, open := header["Access-Control-Allow-Origin"]; open || header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v: %v", request, header)
	}
	if request[0] != http.MethodHead {
		response{recorder.Code, header, recorder.Body.String()}.conform(t, r)
	}
}

// The name of the scheme is read in any case (RFC 7235).
func TestTheTokenOpens(t *testing.T) {
	q := newQueue(t, nil)
	for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
		r := ask(t, q, "/jobs/x", "Authorization", scheme+secret)
		if p := r.problem(t); r.status != http.StatusNotFound || p.Code != "unknown-job" {
			t.Errorf("%q: status %d: %s", scheme, r.status, r.body)
		}
		if _, open := r.header["Access-Control-Allow-Origin"]; open {
			t.Errorf("scripts of other sites may read it: %v", r.header)
		}
	}
	if strings.Contains(q.log.String(), secret) {
		t.Error("the log has the token")
	}
}

func TestWithoutATokenNothingIsTaken(t *testing.T) {
	h := handler(t, newFake(t))
	for _, request := range guarded {
		want := http.StatusMethodNotAllowed
		if strings.HasPrefix(request[1], "/jobs") {
			want = http.StatusNotFound
		}
		for _, token := range []string{"Bearer ", "Bearer " + secret} {
			if r := send(t, h, request[0], request[1], "Authorization", token); r.status != want {
				t.Errorf("%v: status %d: %s", request, r.status, r.body)
			}
		}
	}
}

// Scripts of other sites are told that they may only read.
func TestPreflightOfALoad(t *testing.T) {
	q := newQueue(t, nil)
	for _, path := range []string{"/cubes", "/cubes/croatia", "/jobs/x"} {
		r := send(t, q, http.MethodOptions, path, "Origin", "https://example.org", "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization, content-type")
		if methods := r.header.Get("Access-Control-Allow-Methods"); methods != "GET, HEAD, OPTIONS" {
			t.Errorf("%s: they may %s", path, methods)
		}
		if headers := r.header.Get("Access-Control-Allow-Headers"); strings.Contains(strings.ToLower(headers), "authorization") {
			t.Errorf("%s: they may send %s", path, headers)
		}
		if r.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: %v", path, r.header)
		}
	}
}
