//go:build unix

package postgrestest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endPatience is how long a keeper may take to end: it first finishes the order it is at, which may be an initdb.
const endPatience = 3 * time.Minute

// fateEnv tells a copy of this test binary how it is to end.
const fateEnv = "POSTGRESTEST_FATE"

// TestServer_LeavesNothing runs this binary again as a test process that comes to an end in each of the ways
// below, and looks for the processes and the folder of its cluster.
func TestServer_LeavesNothing(t *testing.T) {
	if fate := os.Getenv(fateEnv); fate != "" {
		meet(t, fate)
		return
	}
	if _, err := findPrograms(); err != nil {
		end(t, err)
	}
	for _, fate := range []string{"killed", "killed while initdb runs", "panics", "exits"} {
		t.Run(fate, func(t *testing.T) {
			t.Parallel()
			dir, pids := meetFate(t, fate)
			for start := time.Now(); leftover(dir, pids) != ""; time.Sleep(100 * time.Millisecond) {
				if time.Since(start) > endPatience {
					t.Fatalf("after %v there is still %s", endPatience, leftover(dir, pids))
				}
			}
		})
	}
}

// meet makes a cluster, tells the parent process about it, and ends as its fate says.
func meet(t *testing.T, fate string) {
	if fate == "killed while initdb runs" {
		cluster, err := openCluster()
		end(t, err)
		go func() {
			data := filepath.Join(cluster.dir, "data") // initdb begins with it
			for _, err := os.Stat(data); err != nil; _, err = os.Stat(data) {
				time.Sleep(time.Millisecond)
			}
			announce(cluster)
		}()
		end(t, cluster.order("init"))
		t.Fatal("not killed before initdb was done")
	}
	run(t, connect(t, DSN(t)), "CREATE TABLE budget (id int)")
	cluster, err := shared()
	end(t, err)
	announce(cluster)
	switch fate {
	case "panics":
		panic("as its fate says")
	case "exits":
		os.Exit(0)
	}
	time.Sleep(time.Minute)
}

// announce prints the folder of a cluster and the processes that must go: the keeper and, if it runs, the
// server.
func announce(c *Cluster) {
	server := "0"
	if pid, err := os.ReadFile(filepath.Join(c.dir, "data", "postmaster.pid")); err == nil {
		server, _, _ = strings.Cut(string(pid), "\n")
	}
	fmt.Printf("\ncluster %s %d %s\n", c.dir, c.keeper.Process.Pid, server)
}

// meetFate runs this binary until it has met its fate, and gives what it announced.
func meetFate(t *testing.T, fate string) (dir string, pids []int) {
	child := exec.Command(os.Args[0], "-test.run=^TestServer_LeavesNothing$")
	child.Env = append(os.Environ(), fateEnv+"="+fate, Env+"=")
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(stdout); dir == "" && lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 4 && words[0] == "cluster" {
			dir, pids = words[1], numbers(words[2:])
		}
	}
	if strings.HasPrefix(fate, "killed") {
		_ = child.Process.Kill()
	}
	_ = child.Wait() // ends badly, as it should
	if dir == "" {
		t.Fatal("the child process started no cluster")
	}
	return dir, pids
}

// numbers reads process numbers; 0 means none.
func numbers(words []string) []int {
	var pids []int
	for _, word := range words {
		if pid, _ := strconv.Atoi(word); pid > 0 {
			pids = append(pids, pid)
		}
	}
	return pids
}

// leftover names what is still there of a cluster, or nothing.
func leftover(dir string, pids []int) string {
	for _, pid := range pids {
		if alive(pid) {
			return fmt.Sprintf("process %d", pid)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	return ""
}

// alive tells whether a process runs. One that is over but that nobody waited for does not: in a container
// process 1 may not care for orphans.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
