package postgrestest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"fiscube/internal/testrequire"
)

// Pooled gives the URL of a database through a PgBouncer that lends a connection for one transaction at a time. It ends with t, which is
// skipped where the machine has no PgBouncer.
func Pooled(t testing.TB, dsn string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // Debian's place, which is not in every PATH
		if _, err := os.Stat(program); err != nil {
			testrequire.Skip(t, "pgbouncer", "there is no pgbouncer on this machine")
		}
	}
	server, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	port := freePorts(t, 1)
	folder, err := os.MkdirTemp("", "pgbouncer") // not t.TempDir: it may run as another account
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	settings := filepath.Join(folder, "pgbouncer.ini")
	password := ""
	if server.Password != "" {
		password = " password='" + server.Password + "'"
	}
	text := fmt.Sprintf(`[databases]
* = host=%s port=%d user=%s%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
`, server.Host, server.Port, server.User, password, port)
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-q", settings)
	if os.Geteuid() == 0 { // which PgBouncer refuses
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: accountOf(t, "postgres")}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	awaitListener(t, address)
	u := url.URL{Scheme: "postgres", User: url.User(server.User), Host: address, Path: "/" + server.Database, RawQuery: "sslmode=disable"}
	return u.String()
}

// accountOf gives the credential of an account of the machine.
func accountOf(t testing.TB, name string) *syscall.Credential {
	t.Helper()
	account, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// awaitListener waits until somebody listens at an address.
func awaitListener(t testing.TB, address string) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Since(start) > patience {
			t.Fatalf("nobody listens at %s: %v", address, err)
		}
	}
}
