package postgrestest

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Cluster is a throwaway PostgreSQL server with its data.
type Cluster struct {
	dir     string
	keeper  *exec.Cmd
	orders  io.WriteCloser // the keeper's stdin
	answers *bufio.Reader  // the keeper's stdout
}

//go:embed keeper.sh
var keeperScript string

// DSN gives the postgres:// URL of a fresh, empty database, which goes with the cluster. The server must be
// running; the URL stays the same when it is stopped and started.
func (c *Cluster) DSN(t testing.TB) string {
	t.Helper()
	dsn, _, err := createDatabase(c.admin(), "template1")
	end(t, err)
	return dsn
}

// Stop ends the server and all its connections; when it returns nobody listens any more. The data stay.
func (c *Cluster) Stop(t testing.TB) {
	t.Helper()
	end(t, c.order("stop"))
}

// Start starts the server after Stop; when it returns the server takes connections.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	end(t, c.order("start"))
}

// Standby makes the server a replica, which can only be read; it needs no other server for that.
func (c *Cluster) Standby(t testing.TB) {
	t.Helper()
	c.Stop(t)
	end(t, os.WriteFile(filepath.Join(c.dir, "data", "standby.signal"), nil, 0o644))
	c.Start(t)
}

// admin is the URL of the database from which others are created.
func (c *Cluster) admin() string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.User("postgres"),
		Path:     "/postgres",
		RawQuery: url.Values{"host": {c.dir}, "port": {"5432"}}.Encode(),
	}
	return u.String()
}

// startCluster makes a cluster and starts its server.
func startCluster() (*Cluster, error) {
	c, err := openCluster()
	if err != nil {
		return nil, err
	}
	for _, word := range []string{"init", "start"} {
		if err := c.order(word); err != nil {
			c.end()
			return nil, err
		}
	}
	return c, nil
}

// openCluster makes the empty folder of a cluster and the keeper that removes it.
func openCluster() (*Cluster, error) {
	programs, err := findPrograms()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(baseFolder(), "fiscube-postgres-")
	if err != nil {
		return nil, fmt.Errorf("make the folder of a PostgreSQL cluster: %w", err)
	}
	c, err := startKeeper(programs, dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the keeper of a PostgreSQL cluster: %w", err), os.Remove(dir))
	}
	return c, nil
}

// startKeeper starts the shell that runs keeper.sh. Variables like PGDATA would mislead the server's programs.
func startKeeper(programs, dir string) (*Cluster, error) {
	keeper := exec.Command("sh", "-c", keeperScript, "keeper", programs, dir)
	keeper.Dir = dir
	keeper.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PG")
	}), "LC_ALL=C")
	if err := detach(keeper, dir); err != nil {
		return nil, err
	}
	orders, err := keeper.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := keeper.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := keeper.Start(); err != nil {
		return nil, err
	}
	return &Cluster{dir, keeper, orders, bufio.NewReader(answers)}, nil
}

// order gives the keeper one of the words of keeper.sh and waits until it is done.
func (c *Cluster) order(word string) error {
	if _, err := fmt.Fprintln(c.orders, word); err != nil {
		return fmt.Errorf("%s PostgreSQL: %w", word, err)
	}
	answer, err := c.answers.ReadString('\n')
	if err != nil {
		return fmt.Errorf("%s PostgreSQL: %w", word, err)
	}
	if answer != "ok\n" {
		log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
		return fmt.Errorf("PostgreSQL did not %s; its log:\n%s", word, log)
	}
	return nil
}

// end makes the keeper stop the server and remove its folder, and waits for it. What the keeper cannot do
// any more is of no use to a test that is over, so errors have nowhere to go.
func (c *Cluster) end() {
	_ = c.orders.Close()
	_ = c.keeper.Wait()
}
