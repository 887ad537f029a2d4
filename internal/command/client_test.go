package command

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/seeds"
)

const secret = "a-token-of-the-tests"

func TestGivenFlags_LeaveTheTokenOut(t *testing.T) {
	command := (&program{}).loadCommand()
	check(command.ParseFlags([]string{"--token", secret, "--token-file", "x", "--insecure", "--verbose"}))
	if given := strings.Join(givenFlags(command.Flags()), " "); given != "--verbose=true" {
		t.Errorf("it hands over %s", given)
	}
}

// Whatever the folder of a package holds beside it stays there.
func TestPack_TakesThePackageAlone(t *testing.T) {
	folder := t.TempDir()
	croatia, _ := seeds.Open("example-croatia")
	check(os.CopyFS(folder, croatia))
	write(filepath.Join(folder, "overlay.yaml"), "applies: {name: [example-croatia]}\n")
	write(filepath.Join(folder, ".git", "config"), "secret")
	write(filepath.Join(folder, "data", "private.csv"), "secret")
	write(filepath.Join(folder, "series", "prices.csv"), "prices")
	write(filepath.Join(folder, "series", "private.txt"), "secret")
	paths := sure(filepath.Glob(filepath.Join(folder, "data", "example*.csv")))
	check(os.Rename(paths[0], paths[0]+".gz"))
	check(os.Remove(paths[1]))
	names := entriesOf(t, folder, "")
	for name, want := range map[string]bool{
		"datapackage.json": true, "overlay.yaml": true, "data/private.csv": false, ".git/config": false, "series/prices.csv": true, "series/private.txt": false,
		"data/" + filepath.Base(paths[0]) + ".gz": true, "data/" + filepath.Base(paths[1]): false, "data/" + filepath.Base(paths[2]): true,
	} {
		if _, sent := names[name]; sent != want {
			t.Errorf("%s: sent %v, want %v", name, sent, want)
		}
	}
	other := filepath.Join(t.TempDir(), "other.yaml")
	write(other, "other")
	if got := entriesOf(t, folder, other)["overlay.yaml"]; got != "other" {
		t.Errorf("the overlay is %q", got)
	}
	check(os.Symlink("/etc/passwd", paths[1]))
	var out, problems bytes.Buffer
	code := Run(t.Context(), []string{"load", folder, "--server", "http://127.0.0.1:1", "--token", secret}, &out, &problems)
	if code != exitRefused || out.Len() > 0 || !strings.Contains(problems.String(), "cannot be read: ") {
		t.Errorf("with a link out of the folder: exit code %d\n%s%s", code, &out, &problems)
	}
}

// entriesOf packs a folder and reads the zip again.
func entriesOf(t *testing.T, folder, overlay string) map[string]string {
	t.Helper()
	z, err := pack(folder, true, overlay)
	if err != nil {
		t.Fatal(err)
	}
	defer z.close()
	progress := &recorder{}
	content := sure(io.ReadAll(z.stream(progress)))
	entries := map[string]string{}
	for _, f := range sure(zip.NewReader(bytes.NewReader(content), int64(len(content)))).File {
		entries[f.Name] = string(sure(io.ReadAll(sure(f.Open()))))
	}
	if progress.bytes != z.total() {
		t.Errorf("the progress says %d bytes of %d", progress.bytes, z.total())
	}
	return entries
}

// recorder is a progress that keeps its stages and what was added in the last.
type recorder struct {
	stages      []string
	bytes, rows int64
}

// Begin implements load.Progress.
func (r *recorder) Begin(stage string, _ int64) {
	r.stages, r.bytes, r.rows = append(r.stages, stage), 0, 0
}

// Add implements load.Progress.
func (r *recorder) Add(bytes, rows int64) { r.bytes += bytes; r.rows += rows }

// End implements load.Progress.
func (r *recorder) End() { r.stages = append(r.stages, "end") }

func TestShownProgress_IsThatOfTheServer(t *testing.T) {
	r := &recorder{}
	shown := &shownProgress{progress: r}
	for _, now := range []*jobProgress{
		nil, {"Checking", 10, 100, 1}, {"Checking", 100, 100, 9}, {"Loading", 30, 100, 3}, {"Loading", 60, 100, 6},
	} {
		shown.show(now)
	}
	if r.bytes != 60 || r.rows != 6 {
		t.Errorf("it shows %d bytes and %d rows", r.bytes, r.rows)
	}
	shown.end()
	shown.end()
	if got := strings.Join(r.stages, " "); got != "Checking end Loading end" {
		t.Errorf("it shows %s", got)
	}
}

func write(path, content string) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, []byte(content), 0o644))
}

// sure gives a value that can be had wherever tests run.
func sure[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
