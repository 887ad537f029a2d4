//go:build unix

package postgrestest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTemporaryFolder(t *testing.T) {
	deep := filepath.Join(os.TempDir(), strings.Repeat("x", 100))
	t.Setenv("TMPDIR", deep)
	if dir := temporaryFolder(); dir != "/tmp" {
		t.Errorf("with a temporary folder of %d characters clusters live in %s, want /tmp", len(deep), dir)
	}
}

func TestOpenToAll(t *testing.T) {
	if !openToAll("/tmp") {
		t.Skip("/tmp is not open to all here")
	}
	root, err := os.MkdirTemp("/tmp", "open")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	inside := filepath.Join(root, "inside")
	if err := os.Mkdir(inside, 0); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		root, inside os.FileMode
		want         bool
	}{
		{0o755, 0o777, true},
		{0o755, 0o755, false},
		{0o700, 0o777, false},
	} {
		if err := os.Chmod(root, test.root); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(inside, test.inside); err != nil {
			t.Fatal(err)
		}
		if got := openToAll(inside); got != test.want {
			t.Errorf("openToAll with modes %o/%o = %t, want %t", test.root, test.inside, got, test.want)
		}
	}
}
