package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fiscube/store/load/temporary"
)

// mostRedirects is how often a server may send us elsewhere.
const mostRedirects = 5

// IsRemote distinguishes a URL from a path.
func IsRemote(path string) bool {
	scheme, _, ok := strings.Cut(path, "://")
	return ok && !strings.ContainsAny(scheme, `/\`)
}

// EscapeSpaces makes an address one word: in a message, what follows a space cannot be told from the message.
var EscapeSpaces = strings.NewReplacer(" ", "%20", "\t", "%09", "\n", "%0A", "\r", "%0D")

// fetcher fetches files by URL, each once, into temporary files.
type fetcher struct {
	client  *http.Client
	timeout time.Duration
	most    int64        // bytes that may be fetched in all
	left    atomic.Int64 // bytes that may still be fetched
	mu      sync.Mutex
	fetched map[string]*fetched
}

// fetched is a file that was fetched, or will be.
type fetched struct {
	mu   sync.Mutex // held while it is fetched
	text *temporary.File
	from *url.URL // where it was in the end, after redirects
}

func newFetcher(l Limits) *fetcher {
	f := &fetcher{timeout: l.Timeout, most: l.Download, fetched: map[string]*fetched{}}
	f.left.Store(l.Download)
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: onlyPublic}
	if l.Private {
		dialer.Control = nil
	}
	f.client = &http.Client{CheckRedirect: checkRedirect, Transport: &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  time.Minute,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // hashes are over the bytes as published
		// No Proxy: a proxy would dial for us, and the addresses it dials are not checked.
	}}
	return f
}

// checkRedirect refuses what would not have been fetched in the first place, and a way from https to http.
func checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) > mostRedirects {
		return fmt.Errorf("it redirects more than %d times", mostRedirects)
	}
	if via[len(via)-1].URL.Scheme == "https" && request.URL.Scheme != "https" {
		return errors.New("it redirects from https to " + request.URL.Scheme)
	}
	return checkURL(request.URL)
}

func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("only http and https URLs are read, not " + u.Scheme)
	case u.Hostname() == "":
		return errors.New("the URL names no host")
	case u.User != nil:
		return errors.New("the URL holds a name or password")
	}
	return nil
}

// errFetch is why a file could not be fetched.
type errFetch struct{ cause error }

// Error implements error.
func (e *errFetch) Error() string { return e.cause.Error() }

// Unwrap gives the cause: fs.ErrNotExist where the server says that there is no such file.
func (e *errFetch) Unwrap() error { return e.cause }

// get gives the file at a URL, fetching it unless that was done before. The error is an *errFetch.
func (f *fetcher) get(ctx context.Context, at *url.URL) (*fetched, error) {
	if err := checkURL(at); err != nil {
		return nil, &errFetch{err}
	}
	f.mu.Lock()
	file, ok := f.fetched[at.String()]
	if !ok {
		file = &fetched{}
		f.fetched[at.String()] = file
	}
	f.mu.Unlock()
	file.mu.Lock()
	defer file.mu.Unlock()
	if file.text != nil {
		return file, nil
	}
	var err error
	if file.text, file.from, err = f.fetch(ctx, at); err != nil {
		return nil, &errFetch{err}
	}
	return file, nil
}

func (f *fetcher) fetch(ctx context.Context, at *url.URL) (*temporary.File, *url.URL, error) {
	limited, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("User-Agent", "fiscube")
	request.Header.Set("Accept-Encoding", "identity")
	response, err := f.client.Do(request)
	if err != nil {
		return nil, nil, f.reason(ctx, err)
	}
	defer func() { _ = response.Body.Close() }()
	if err := f.checkResponse(response); err != nil {
		return nil, nil, err
	}
	s, err := f.spool(response.Body)
	if err != nil {
		return nil, nil, f.reason(ctx, err)
	}
	return s, response.Request.URL, nil
}

func (f *fetcher) checkResponse(r *http.Response) error {
	coding := r.Header.Get("Content-Encoding")
	switch {
	case r.StatusCode == http.StatusNotFound || r.StatusCode == http.StatusGone:
		return fs.ErrNotExist
	case r.StatusCode != http.StatusOK:
		return errors.New("the server answers " + r.Status)
	case coding != "" && coding != "identity" && !isGzip(r.Request.URL.Path):
		return errors.New("the server sends it in " + coding + ", which was not asked for")
	case r.ContentLength > f.left.Load():
		return errDownload{f.most}
	}
	return nil
}

// errDownload says how much may be fetched.
type errDownload struct{ most int64 }

// Error implements error.
func (e errDownload) Error() string {
	const mega = 1 << 20
	return fmt.Sprintf("the package has more than the %d MB that may be downloaded; --max-download allows more", (e.most+mega-1)/mega)
}

// spool copies a body into a temporary file as far as there are bytes left to fetch.
func (f *fetcher) spool(body io.Reader) (*temporary.File, error) {
	s, err := temporary.New()
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(s, countdown{body, f}); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// countdown reads until no bytes are left to fetch.
type countdown struct {
	io.Reader
	*fetcher
}

// Read implements io.Reader.
func (c countdown) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.left.Add(-int64(n)) < 0 {
		return 0, errDownload{c.most}
	}
	return n, err
}

// reason is why a file could not be fetched, for people. A load that was ended is just that.
func (f *fetcher) reason(ctx context.Context, err error) error {
	var dns *net.DNSError
	var refused errNotPublic
	var at *url.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &refused):
		return refused
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("it takes longer than %s", f.timeout)
	case errors.As(err, &dns) && dns.IsNotFound:
		return errors.New("its host is not known")
	case errors.As(err, &at):
		return at.Err
	}
	return err
}

// Close removes what was fetched.
func (f *fetcher) Close() error {
	f.client.CloseIdleConnections()
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, file := range f.fetched {
		if file.text != nil {
			errs = append(errs, file.text.Close())
		}
	}
	clear(f.fetched)
	return errors.Join(errs...)
}

// notPublic lists the addresses that lead into a network rather than to the public, by the registries of
// special-purpose addresses (RFC 6890): a package from anywhere must not make us ask there.
var notPublic = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // shared by the customers of a provider
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // the host of a machine in Azure, which answers it alone
	"169.254.0.0/16",   // link-local, where clouds keep their credentials
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, and broadcast
	"2001::/23",        // protocol assignments, Teredo among them
	"2001:db8::/32",    // documentation
	"2002::/16",        // 6to4, which holds an IPv4 address
	"3fff::/20",        // documentation
)

var (
	globalIPv6 = netip.MustParsePrefix("2000::/3")     // all that is assigned to the public
	nat64      = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address in its last four bytes
)

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// isPublic says whether an address is one of the public internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		bytes := a.As16()
		a = netip.AddrFrom4([4]byte(bytes[12:]))
	}
	if a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	return a.IsValid() && !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// errNotPublic says which host was refused. It does not say by which address: what a private name resolves to
// is not for the sender of a package.
type errNotPublic struct{}

// Error implements error.
func (errNotPublic) Error() string {
	return "its address is private or local, and such are only read with --allow-private"
}

// onlyPublic is called with every address that is about to be dialled. By then names are resolved, so that a
// name cannot be public when it is looked at and private when it is dialled.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	where, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("dial %s: %w", address, err)
	}
	if !isPublic(where.Addr()) {
		return errNotPublic{}
	}
	return nil
}
