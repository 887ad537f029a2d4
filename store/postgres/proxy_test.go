package postgres_test

import (
	"bytes"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// proxy stands between a store and the server.
type proxy struct {
	listener net.Listener
	network  string // of the server
	address  string
	open     sync.RWMutex // held for reading by whoever passes something on

	mu   sync.Mutex
	word []byte // that do waits for, nil for none
	do   func(*link)
}

// link is one connection through the proxy.
type link struct {
	store, server net.Conn
	free          atomic.Bool // passes things on even where the proxy is held
}

// openProxy gives a proxy before the server of dsn, and the address to reach it by.
func openProxy(t testing.TB, dsn string) (*proxy, string) {
	t.Helper()
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener}
	p.network, p.address = pgconn.NetworkAddress(config.Host, config.Port)
	go p.accept()
	t.Cleanup(func() { _ = listener.Close() })
	address := url.URL{Scheme: "postgres", User: url.UserPassword(config.User, config.Password), Host: listener.Addr().String(),
		Path: "/" + config.Database}
	return p, address.String()
}

// accept takes connections until the listener is closed.
func (p *proxy) accept() {
	for {
		store, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.address)
		if err != nil {
			_ = store.Close()
			continue
		}
		l := &link{store: store, server: server}
		go p.pass(l, server, store, func(said []byte) { p.heed(l, said) })
		go p.pass(l, store, server, func([]byte) {})
	}
}

// pass passes on what from says, which heed hears before, until one side is closed.
func (p *proxy) pass(l *link, to io.Writer, from io.Reader, heed func([]byte)) {
	defer l.cut()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		heed(buffer[:n])
		if err := p.write(l, to, buffer[:n]); err != nil {
			return
		}
	}
}

func (p *proxy) write(l *link, to io.Writer, said []byte) error {
	if !l.free.Load() {
		p.open.RLock()
		defer p.open.RUnlock()
	}
	_, err := to.Write(said)
	return err
}

// cut closes both sides.
func (l *link) cut() { _, _ = l.store.Close(), l.server.Close() }

// at has something done to each link on which the store says a word from now on, before the server hears it.
func (p *proxy) at(word string, do func(*link)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.word, p.do = []byte(word), do
}

func (p *proxy) heed(l *link, said []byte) {
	p.mu.Lock()
	word, do := p.word, p.do
	p.mu.Unlock()
	if word != nil && bytes.Contains(said, word) {
		do(l)
	}
}

// hold passes on nothing more until t ends, and closes no connection.
func (p *proxy) hold(t testing.TB) {
	p.open.Lock()
	t.Cleanup(p.open.Unlock)
}
