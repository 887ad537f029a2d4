package main

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
)

// A reader of our output that has enough, as head has, must not stop what comes after.
func TestALoadGoesOnWhenItsReaderIsGone(t *testing.T) {
	db := "duckdb:" + t.TempDir() + "/gone.duckdb"
	load := fiscube(t, "load", "--db", db, "seeds/example-croatia", "seeds/example-uruguay", "seeds/example-paraguay")
	out, err := load.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	if err := load.Wait(); err != nil {
		t.Errorf("load: %v", err)
	}
	listed := must(t, "list", "--db", db)
	for _, name := range []string{"example-croatia", "example-uruguay", "example-paraguay"} {
		if !strings.Contains(listed, name) {
			t.Errorf("%s is not loaded:\n%s", name, listed)
		}
	}
}

var _ = exec.Cmd{}
