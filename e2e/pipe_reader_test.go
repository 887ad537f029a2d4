package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A reader of our output that has enough, as head has, must not stop what comes after.
func TestALoadGoesOnWhenItsReaderIsGone(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	db, packages := "duckdb:"+t.TempDir()+"/gone.duckdb", []string{"example-croatia", "example-uruguay", "example-paraguay"}
	load := exec.Command(self, "load", "--db", db, "seeds/"+packages[0], "seeds/"+packages[1], "seeds/"+packages[2])
	load.Env = append(os.Environ(), asProgram+"="+openapi)
	if _, err := load.StdinPipe(); err != nil {
		t.Fatal(err)
	}
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
	for _, name := range packages {
		if !strings.Contains(listed, name) {
			t.Errorf("%s is not loaded:\n%s", name, listed)
		}
	}
}
