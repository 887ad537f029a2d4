package main

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The committed files are what the generator writes, no more and no fewer.
func TestCommittedFilesAreGenerated(t *testing.T) {
	want := generate(all())
	committed := os.DirFS("..")
	for path, content := range want {
		if got, err := fs.ReadFile(committed, path); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%s is not as generated: run go generate ./seeds (%v)", path, err)
		}
	}
	for _, pattern := range []string{"example-*/datapackage.json", "example-*/data/*"} {
		paths, err := fs.Glob(committed, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if _, ok := want[path]; !ok {
				t.Errorf("%s is left over from an earlier generator", path)
			}
		}
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	if !maps.EqualFunc(generate(all()), generate(all()), bytes.Equal) {
		t.Error("two runs differ")
	}
}

func TestWrite(t *testing.T) {
	root := t.TempDir()
	if err := write(root, map[string][]byte{"a/data/b.csv": []byte("x\r\n")}); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(root + "/a/data/b.csv"); err != nil || string(got) != "x\r\n" {
		t.Errorf("read %q, %v", got, err)
	}
}

func TestDecimal(t *testing.T) {
	for cents, want := range map[int64]string{
		0: "0", 5: "0.05", 50: "0.5", 100: "1", 1205: "12.05", 10000: "100", -7: "-0.07", -150: "-1.5",
	} {
		if got := decimal(cents); got != want {
			t.Errorf("decimal(%d) = %s, want %s", cents, got, want)
		}
	}
}

func TestFixed(t *testing.T) {
	for cents, want := range map[int64]string{0: "0.00", 5: "0.05", 1250: "12.50", -7: "-0.07", -15000: "-150.00"} {
		if got := fixed(cents); got != want {
			t.Errorf("fixed(%d) = %s, want %s", cents, got, want)
		}
	}
}

// What is year-to-date never falls and ends at the total; a plan changes a few times.
func TestYearToDate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		if c := course(r, 1_000_003, 12); !slices.IsSorted(c) || c[0] <= 0 || c[11] != 1_000_003 {
			t.Errorf("course %v", c)
		}
		if a := amended(r, 5000, 12); len(slices.Compact(slices.Clone(a))) > 7 || a[0] != 5000 {
			t.Errorf("amended %v", a)
		}
	}
}

func TestTree(t *testing.T) {
	root := tree(`
1 One | 2018 Uno␣
  1 Inner
2 Two
a␣b
3 No⍽break
`)
	path := root.path("1/1")
	if path[0].label(2017) != "One" || path[0].label(2018) != "Uno " || path[1].label(2020) != "Inner" {
		t.Errorf("labels %q %q %q", path[0].label(2017), path[0].label(2018), path[1].label(2020))
	}
	if len(root.children) != 4 {
		t.Errorf("%d members at the top", len(root.children))
	}
	if bare := root.path("a b"); bare[0].label(0) != "" || root.path("3")[0].label(0) != "No\u00a0break" {
		t.Errorf("labels %q %q", bare[0].label(0), root.path("3")[0].label(0))
	}
}

func TestEncodeCSV(t *testing.T) {
	got := string(encodeCSV([][]string{{"a", "b,c", `d "e"`, "", " padded "}}))
	if want := "a,\"b,c\",\"d \"\"e\"\"\",, padded \r\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
