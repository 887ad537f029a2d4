package files

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"fiscube/cube"
)

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

func TestFetcher_FollowsNoRedirectToPrivate(t *testing.T) {
	var inside, outside atomic.Int64 // how often each is asked
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside.Add(1) }))
	t.Cleanup(secret.Close)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		outside.Add(1)
		http.Redirect(w, r, secret.URL+"/secret", http.StatusFound)
	}))
	t.Cleanup(site.Close)
	f := newFetcher(Limits{Download: 1 << 20, Timeout: time.Minute})
	f.client.Transport.(*http.Transport).DialContext = onlyServer(site.URL)
	at, _ := url.Parse(site.URL + "/datapackage.json")
	_, err := f.get(t.Context(), at)
	var refused errNotPublic
	if !errors.As(err, &refused) || outside.Load() != 1 || inside.Load() != 0 {
		t.Errorf("%v; asked outside %d, inside %d times", err, outside.Load(), inside.Load())
	}
	if strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("%v tells what a name inside resolves to", err)
	}
}

func TestFetcher_UsesNoProxy(t *testing.T) {
	if newFetcher(Limits{}).client.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy would dial addresses that are not checked")
	}
}

func TestIsPublic(t *testing.T) {
	tests := map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.15.255.255": true, "100.63.255.255": true, "192.169.0.1": true,
		"2606:2800:220:1:248:1893:25c8:1946": true, "64:ff9b::808:808": true, "::ffff:8.8.8.8": true,

		"127.0.0.1": false, "127.255.255.255": false, "10.1.2.3": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.168.1.1": false, "169.254.169.254": false, "168.63.129.16": false, "::ffff:168.63.129.16": false, "64:ff9b::a83f:8110": false, "fd00:ec2::254": false, "100.64.0.1": false, "100.127.255.255": false,
		"0.0.0.0": false, "0.1.2.3": false, "224.0.0.1": false, "239.255.255.255": false, "255.255.255.255": false,
		"240.0.0.1": false, "198.18.0.1": false, "192.0.2.1": false, "203.0.113.9": false,
		"::": false, "::1": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd12::1": false,
		"fec0::1": false, "ff02::1": false, "2001:db8::1": false, "2002:7f00:1::": false, "2001::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a00:1": false, "64:ff9b:1::808:808": false,
	}
	for text, want := range tests {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %v", text, got)
		}
	}
	if isPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestOnlyPublic_RefusesWhatIsNoAddress(t *testing.T) {
	for _, address := range []string{"", "example.org:80", "127.0.0.1", "[::1%lo]:80", "127.0.0.1:80"} {
		if onlyPublic("tcp", address, nil) == nil {
			t.Errorf("%q is dialled", address)
		}
	}
	if err := onlyPublic("tcp", "93.184.216.34:443", nil); err != nil {
		t.Error(err)
	}
}

func TestCheckRedirect_StaysWithHTTPS(t *testing.T) {
	secure, plain := &http.Request{URL: &url.URL{Scheme: "https", Host: "a"}}, &http.Request{URL: &url.URL{Scheme: "http", Host: "a"}}
	if checkRedirect(plain, []*http.Request{secure}) == nil || checkRedirect(secure, []*http.Request{plain}) != nil {
		t.Error("https may not become http, and http may become https")
	}
}

// The files of a folder may be at URLs, one by one.
func TestFolder_OpensFilesAtURLs(t *testing.T) {
	site := httptest.NewTLSServer(http.FileServerFS(fstest.MapFS{
		"a.csv": {Data: []byte("code,amount\na,1\n")}, "b.csv.gz": {Data: gzipped(t, "code,amount\nb,2\n")},
	}))
	t.Cleanup(site.Close)
	rowOf := func(path string, private bool) string {
		all := New(Limits{Unpacked: 1 << 20, Download: 1 << 20, Timeout: time.Minute, Private: private})
		all.Use(oneFile("code,amount\nc,3\n"))
		all.fetcher.client.Transport.(*http.Transport).TLSClientConfig = site.Client().Transport.(*http.Transport).TLSClientConfig
		read, err := OpenTable(t.Context(), all, &cube.Resource{Path: path, Schema: twoFields}, func([]byte) {})
		if err != nil {
			return mistakeText(errors.Join(err, all.Close()))
		}
		defer read.Close()
		var cells []string
		err = read.Header()
		for row, of := range read.records() {
			cells, err = append(cells, row.Cells...), errors.Join(err, of)
		}
		if err := errors.Join(err, all.Close()); err != nil {
			return mistakeText(err)
		}
		return strings.Join(cells, "|")
	}
	for path, want := range map[string]string{
		site.URL + "/a.csv": "a|1", site.URL + "/b.csv.gz?x=1": "b|2", "f.csv": "c|3",
		site.URL + "/none.csv": "0: " + site.URL + "/none.csv cannot be read: file does not exist [missing-file]",
	} {
		if row := rowOf(path, true); row != want {
			t.Errorf("%s: %s, want %s", path, row, want)
		}
	}
	if row := rowOf(site.URL+"/a.csv", false); !strings.Contains(row, "its address is private or local") || !strings.Contains(row, "[fetch-failed]") {
		t.Error(row)
	}
}
