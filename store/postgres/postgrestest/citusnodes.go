package postgrestest

import (
	"bytes"
	_ "embed"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

//go:embed citus.sh
var script string

// Nodes are the servers of a Citus cluster that belongs to one test, which may stop them.
type Nodes struct {
	folder, port string
	dsn          string
}

// StartNodes starts a coordinator and two workers that end with t. It skips t where no tests on a cluster are asked for.
func StartNodes(t testing.TB) *Nodes {
	t.Helper()
	if !OnCluster() {
		t.Skip(CitusEnv + " names no Citus cluster")
	}
	folder, err := os.MkdirTemp("", "citus") // not t.TempDir: the servers run as another account
	if err != nil {
		t.Fatal(err)
	}
	n := &Nodes{folder: folder, port: strconv.Itoa(freePorts(t, 3))}
	t.Cleanup(func() { n.run(t, "stop", folder) })
	n.dsn = n.run(t, "start", folder)
	return n
}

// DSN is the URL of the database of the coordinator.
func (n *Nodes) DSN() string { return n.dsn }

// StopWorker stops the first or second worker.
func (n *Nodes) StopWorker(t testing.TB, number int) {
	t.Helper()
	n.run(t, "worker", n.folder, strconv.Itoa(number), "stop")
}

// StartWorker starts a worker again.
func (n *Nodes) StartWorker(t testing.TB, number int) {
	t.Helper()
	n.run(t, "worker", n.folder, strconv.Itoa(number), "start")
}

// run runs citus.sh, and gives the last line that it prints.
func (n *Nodes) run(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command("bash", append([]string{"-s", "--"}, args...)...)
	cmd.Env = append(os.Environ(), "CITUS_PORT="+n.port)
	cmd.Stdin = strings.NewReader(script)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("citus.sh %s: %v\n%s", strings.Join(args, " "), err, failed.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// freePorts finds the first of several ports in a row that nobody listens on.
func freePorts(t testing.TB, count int) int {
	t.Helper()
	for range 100 {
		first, err := net.Listen("tcp", "localhost:0")
		if err != nil {
			t.Fatal(err)
		}
		listening := []net.Listener{first}
		port := first.Addr().(*net.TCPAddr).Port
		for i := 1; i < count; i++ {
			if next, err := net.Listen("tcp", net.JoinHostPort("localhost", strconv.Itoa(port+i))); err == nil {
				listening = append(listening, next)
			}
		}
		for _, l := range listening {
			_ = l.Close()
		}
		if len(listening) == count {
			return port
		}
	}
	t.Fatal("no ports are free")
	return 0
}
