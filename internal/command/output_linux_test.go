package command

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/seeds"
)

// Output that cannot be written is a failure; that a reader no longer wants it is none.
func TestRun_TellsOfLostOutput(t *testing.T) {
	folder, db := t.TempDir(), "duckdb:"+filepath.Join(t.TempDir(), "x.duckdb")
	croatia, _ := seeds.Open("example-croatia")
	check(os.CopyFS(folder, croatia))
	full := sure(os.OpenFile("/dev/full", os.O_WRONLY, 0))
	from, unread, err := os.Pipe()
	check(errors.Join(err, from.Close()))
	for _, line := range []string{"load " + folder, "list", "list --format json", "query example-croatia drilldown=Year --format csv", "validate " + folder, "--help"} {
		args := append(strings.Fields(line), "--db", db)
		var said bytes.Buffer
		code := Run(t.Context(), args, full, &said)
		if !strings.Contains(said.String(), "fiscube: the output is not complete: write /dev/full: no space left") || code != exitFailed {
			t.Errorf("%s: exit code %d, and it says %s", line, code, said.String())
		}
		said.Reset()
		if code := Run(t.Context(), args, unread, &said); code != exitDone || strings.Contains(said.String(), "not complete") {
			t.Errorf("%s, unread: exit code %d, and it says %s", line, code, said.String())
		}
	}
}
