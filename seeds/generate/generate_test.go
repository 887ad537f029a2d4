package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
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

func TestTree(t *testing.T) {
	root := tree(`
1 One | 2018 Uno␣
  1 Inner
2 Two
`)
	path := root.path("1/1")
	if path[0].label(2017) != "One" || path[0].label(2018) != "Uno " || path[1].label(2020) != "Inner" {
		t.Errorf("labels %q %q %q", path[0].label(2017), path[0].label(2018), path[1].label(2020))
	}
	if len(root.children) != 2 {
		t.Errorf("%d members at the top", len(root.children))
	}
}

func TestEncodeCSV(t *testing.T) {
	got := string(encodeCSV([][]string{{"a", "b,c", `d "e"`, "", " padded "}}))
	if want := "a,\"b,c\",\"d \"\"e\"\"\",, padded \r\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// Every member in the tables is used: a seed has no dead lines.
func TestEveryMemberIsUsed(t *testing.T) {
	c, u := croatiaMembers(), uruguayMembers()
	unused := func(s seed, root *member, fields ...string) {
		used := map[string]bool{}
		for _, r := range s.resources {
			for _, rec := range r.records {
				var path []string
				for _, field := range fields {
					path = append(path, rec[field])
				}
				used[strings.Join(path, "/")] = true
			}
		}
		for _, path := range leaves(root, nil) {
			if !used[path] {
				t.Errorf("%s: no row of %s %s", s.name, fields[0], path)
			}
		}
	}
	unused(croatia(), c.admin, "admin1_code", "admin2_code")
	unused(croatia(), c.activity, "activity1_code", "activity2_code", "activity3_code")
	unused(croatia(), c.function, "func1_code")
	unused(croatia(), c.source, "fin_source_code")
	unused(croatia(), c.economic, "econ1_code", "econ2_code", "econ3_code")
	unused(uruguay(), u.admin, "ORG_ID", "UE_ID")
	unused(uruguay(), u.function, "AP_ID", "PROGRAMA_ID")
	unused(uruguay(), u.source, "FINANC_ID", "FUENTE_FINANC_ID")
	unused(uruguay(), u.economic, "GRUPO_ID", "SUBGRUPO_ID", "ODGYAUX_ID")
	unused(uruguay(), u.kind, "TIPO_GASTO_ID")
}

// leaves returns the paths of the members that have no children.
func leaves(m *member, above []string) []string {
	var paths []string
	for _, c := range m.children {
		path := append(slices.Clone(above), c.code)
		if len(c.children) == 0 {
			paths = append(paths, strings.Join(path, "/"))
		}
		paths = append(paths, leaves(c, path)...)
	}
	return paths
}
