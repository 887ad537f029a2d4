package postgres_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// back is how long a store may take to answer again once the server does.
const back = time.Minute

// TestStore_RecoversFromAnOutage stops the server under a store that answers and starts it again. What the store says in between is
// that it is unavailable; its catalogue stays.
func TestStore_RecoversFromAnOutage(t *testing.T) {
	t.Parallel()
	server := postgrestest.Server(t)
	store := open(t, server.DSN(t))
	version := mustLoadSeed(t, store, "example-croatia")
	p := bind(t, version, "admin1_code")
	before, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}

	server.Stop(t)
	if _, err := servedCube(t.Context(), store, "example-croatia"); err != nil {
		t.Errorf("the catalogue is gone with the server: %v", err)
	}
	for name, do := range map[string]func() error{
		"an answer": func() error { _, err := answer.Run(t.Context(), store, p, cube.English); return err },
		"ready":     func() error { return store.Ready(t.Context()) },
		"a load":    func() error { _, err := loadSeed(t, store, "example-uruguay"); return err },
		"a removal": func() error { return store.Remove(t.Context(), "example-croatia") },
	} {
		for range 3 {
			if err := do(); cube.CodeOf(err) != cube.CodeUnavailable {
				t.Errorf("%s without a server: %v, want code %s", name, err, cube.CodeUnavailable)
			}
		}
	}

	server.Start(t)
	for start := time.Now(); store.Ready(t.Context()) != nil; time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > back {
			t.Fatalf("%v after the start the store is not ready", back)
		}
	}
	after, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil || after.Summary.Count != before.Summary.Count {
		t.Fatalf("after the start the answer is %v, %v", after, err)
	}
	mustLoadSeed(t, store, "example-uruguay")
}

// TestStop_WhileReading stops the server while an answer is half read. The reader reads on meanwhile, slowly: a
// backend that is ended while its socket is nearly full waits in ClientWrite until somebody takes its last words,
// and the server waits for it.
func TestStop_WhileReading(t *testing.T) {
	t.Parallel()
	server := postgrestest.Server(t)
	store := open(t, server.DSN(t))
	p := bindEveryLevel(t, mustLoadSeed(t, store, "example-croatia"))
	var reader sync.WaitGroup
	defer reader.Wait()
	begun := make(chan struct{})
	reader.Go(func() { readSlowly(t, store, p, sync.OnceFunc(func() { close(begun) })) })
	<-begun
	server.Stop(t)
}

// readSlowly calls begun when it has the first cell, or none. It expects all cells or that the store is unavailable.
func readSlowly(t *testing.T, store *postgres.Store, p *plan.Plan, begun func()) {
	defer begun()
	ended := func(err error) bool {
		if err != nil && cube.CodeOf(err) != cube.CodeUnavailable {
			t.Errorf("the reader got %v, want code %s", err, cube.CodeUnavailable)
		}
		return err != nil
	}
	result, err := store.Cells(t.Context(), p.Main())
	if ended(err) {
		return
	}
	defer result.Close()
	var read int64
	for _, err := range result.Groups {
		if ended(err) {
			return
		}
		read++
		begun()
		time.Sleep(time.Millisecond)
	}
	if read != result.Count {
		t.Errorf("the reader got %d of %d cells and no error", read, result.Count)
	}
}

// bindEveryLevel asks for every cell of the finest drilldown.
func bindEveryLevel(t *testing.T, version *cube.Cube) *plan.Plan {
	t.Helper()
	q := query.Query{Page: query.Every}
	for _, level := range version.Model.Levels() {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: level.Ref})
	}
	p, err := plan.Bind(version, q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// cleanup gives a context for what is done when a test is over.
func cleanup(t testing.TB) context.Context { return context.WithoutCancel(t.Context()) }

// silence is how long a store may take to give up a server that says nothing.
const silence = time.Minute

// within fails t where something is not done in time.
func within(t testing.TB, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(silence):
		t.Fatalf("%s is not done after %v", what, silence)
	}
}

// TestClose_WhileTheServerIsSilent closes a store whose connections are open and say nothing.
func TestClose_WhileTheServerIsSilent(t *testing.T) {
	t.Parallel()
	between, dsn := openProxy(t, postgrestest.DSN(t))
	store := open(t, dsn)
	mustLoadSeed(t, store, "example-croatia")
	between.hold(t)
	within(t, "Close", func() { _ = store.Close() })
}

// TestLoad_PublishedAndNotSeen has every connection but its own fall silent while a load is about to commit: the version is
// published, and whoever loaded it reads that it cannot be seen yet.
func TestLoad_PublishedAndNotSeen(t *testing.T) {
	t.Parallel()
	direct := postgrestest.DSN(t)
	between, dsn := openProxy(t, direct)
	store := open(t, dsn)
	between.at("pg_notify", func(l *link) {
		l.free.Store(true)
		between.hold(t)
	})
	within(t, "a load", func() {
		if _, err := loadSeed(t, store, "example-croatia"); cube.CodeOf(err) != cube.CodeUnavailable {
			t.Errorf("a load that cannot see what it published: %v, want code %s", err, cube.CodeUnavailable)
		}
	})
	serves(t, open(t, direct), "example-croatia", 1)
}

// TestLoad_LosesItsConnection cuts the connection at each kind of statement of a load. Nothing of a load remains, so that the
// next one sends the same statements.
func TestLoad_LosesItsConnection(t *testing.T) {
	t.Parallel()
	between, dsn := openProxy(t, postgrestest.DSN(t))
	store := open(t, dsn)
	for _, at := range []string{
		"pg_try_advisory_xact_lock", "nextval", `CREATE TABLE fact."f`, "COPY fact", "SET LOCAL default_statistics_target", "ANALYZE fact",
		"CREATE INDEX", `CREATE TABLE member."m`, "COPY member", "ANALYZE member", `CREATE TABLE member."l`, "COPY member.\"l",
		"INSERT INTO fiscube.package", "INSERT INTO fiscube.version", "UPDATE fiscube.package", "CREATE OR REPLACE VIEW", "pg_notify",
	} {
		t.Run(at, func(t *testing.T) {
			between.at(at, (*link).cut)
			if _, err := loadSeed(t, store, "example-croatia"); cube.CodeOf(err) != cube.CodeUnavailable {
				t.Errorf("a load that lost its connection: %v, want code %s", err, cube.CodeUnavailable)
			}
		})
	}
}

// TestChange_ReportsItsCause breaks the catalogue under a removal: the error is what PostgreSQL said first.
func TestChange_ReportsItsCause(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	mustLoadSeed(t, store, "example-croatia")
	script(t, dsn, "ALTER TABLE fiscube.version RENAME COLUMN gone TO left_out")
	err := store.Remove(t.Context(), "example-croatia")
	if err == nil || strings.Contains(err.Error(), "aborted") {
		t.Errorf("a removal that fails: %v", err)
	}
}

// proxy is between a store and the server.
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
		Path: "/" + config.Database, RawQuery: "sslmode=disable"}
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
