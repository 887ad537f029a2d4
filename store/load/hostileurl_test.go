package load

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPrivateURLs: nothing is even dialled.
func TestPrivateURLs(t *testing.T) {
	s := newSite(t, map[string]string{"/datapackage.json": "{}"})
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "127.1.2.3", "[::ffff:127.0.0.1]", "0.0.0.0", "[::1]", "169.254.169.254", "10.0.0.1", "100.64.0.1"} {
		cannotOpenURL(t, "http://"+host+":"+port+"/datapackage.json", Options{Timeout: time.Minute}, "its address is private or local")
	}
	if n := s.asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
}

// TestURLsThatAreNotHTTP: only http and https are spoken, and nobody's password is kept.
func TestURLsThatAreNotHTTP(t *testing.T) {
	for at, want := range map[string]string{
		"file:///etc/passwd":                      "only http and https URLs are read, not file",
		"ftp://example.org/datapackage.json":      "only http and https URLs are read, not ftp",
		"gopher://example.org/":                   "only http and https URLs are read, not gopher",
		"http:///datapackage.json":                "the URL names no host",
		"https://me:secret@example.org/data.json": "the URL holds a name or password",
		"http://%zz/":                             "is no URL",
	} {
		cannotOpenURL(t, at, private, want)
	}
}

// onlyServer lets a source dial one server and else public addresses alone, as if that server were public.
func onlyServer(server string) func(context.Context, string, string) (net.Conn, error) {
	u, _ := url.Parse(server)
	return (&net.Dialer{Control: func(network, address string, c syscall.RawConn) error {
		if address == u.Host {
			return nil
		}
		return onlyPublic(network, address, c)
	}}).DialContext
}

func TestRedirectToPrivate(t *testing.T) {
	inside := newSite(t, map[string]string{"/secret": smallDescriptor("a.csv")})
	outside := newSite(t, map[string]string{"/datapackage.json": "->" + inside.URL + "/secret"})
	f := newFetcher(Options{}.withDefaults())
	f.client.Transport.(*http.Transport).DialContext = onlyServer(outside.URL)
	at, _ := url.Parse(outside.URL + "/datapackage.json")
	_, err := f.get(t.Context(), at)
	var refused errNotPublic
	if !errors.As(err, &refused) || outside.asked.Load() != 1 || inside.asked.Load() != 0 {
		t.Errorf("%v; asked outside %d, inside %d times", err, outside.asked.Load(), inside.asked.Load())
	}
	if strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("%v tells what a name inside resolves to", err)
	}
}

func TestRedirects(t *testing.T) {
	files := map[string]string{
		"/0": smallDescriptor("a.csv"), "/a.csv": "code,amount\na,1\n", "/file": "->file:///etc/passwd", "/ftp": "->ftp://example.org/",
		"/password": "->http://me:secret@example.org/",
	}
	for i := range 7 {
		files["/"+strconv.Itoa(i+1)] = "->/" + strconv.Itoa(i)
	}
	s := newSite(t, files)
	if rows := allRows(t, mustOpen(t, s.URL+"/5", private)); !slices.Equal(rows, []string{"a|1"}) {
		t.Error(rows)
	}
	cannotOpenURL(t, s.URL+"/6", private, "it redirects more than 5 times")
	cannotOpenURL(t, s.URL+"/file", private, "only http and https URLs are read, not file")
	cannotOpenURL(t, s.URL+"/ftp", private, "only http and https URLs are read, not ftp")
	cannotOpenURL(t, s.URL+"/password", private, "the URL holds a name or password")
	secure, plain := &http.Request{URL: &url.URL{Scheme: "https", Host: "a"}}, &http.Request{URL: &url.URL{Scheme: "http", Host: "a"}}
	if checkRedirect(plain, []*http.Request{secure}) == nil || checkRedirect(secure, []*http.Request{plain}) != nil {
		t.Error("https may not become http, and http may become https")
	}
}

func TestProxiesAreNotUsed(t *testing.T) {
	if newFetcher(Options{}).client.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy would dial addresses that are not checked")
	}
}
