package postgres

import (
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"fiscube/cube"
)

// starting is the address of a server that takes no connections yet.
func starting(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	refusal, err := (&pgproto3.ErrorResponse{Severity: "FATAL", Code: cannotConnect, Message: "secret"}).Encode(nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1000))
			_, _ = conn.Write(refusal)
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

// TestReady_DistinguishesStartingFromLost asks stores whose server is starting, and whose server is not there.
func TestReady_DistinguishesStartingFromLost(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]string{
		starting(t):   {"PostgreSQL is starting up or shutting down", "the database is starting up or shutting down"},
		"127.0.0.1:1": {"PostgreSQL does not answer", "the database cannot be reached"},
	} {
		config, err := parse("postgres://somebody@" + address + "/budgets?sslmode=disable")
		if err != nil {
			t.Fatal(err)
		}
		s := &Store{patience: patience}
		if err := s.openPools(t.Context(), config); err != nil {
			t.Fatal(err)
		}
		ready := s.Ready(t.Context())
		_, asked := s.acquire(t.Context())
		for i, err := range []error{ready, asked} {
			if cube.CodeOf(err) != cube.CodeUnavailable || err.Error() != want[i] {
				t.Errorf("%v, want %s", err, want[i])
			}
		}
		s.closePools()
	}
}
