package load_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/store/catalogue"
	"fiscube/store/load"
)

// bare loads a package by its descriptor alone.
var bare = load.Options{Allow: findings.Allowable}

// kept is what a load hands to a store.
type kept struct {
	pkg     *cube.Package
	rows    []keptRow // the first of them
	count   int       // of all rows
	members map[string][]cube.Member
	report  *findings.Report
}

type keptRow struct {
	resource string
	line     int64
	cells    []string
}

// mostKept bounds the rows that are kept.
const mostKept = 5000

// Load implements catalogue.Loader.
func (k *kept) Load(ctx context.Context, content catalogue.Content) (findings.Loaded, error) {
	k.pkg, k.members = content.Package(), map[string][]cube.Member{}
	for row, err := range content.Rows(ctx) {
		if err != nil {
			return findings.Loaded{}, err
		}
		if k.count++; k.count <= mostKept {
			k.rows = append(k.rows, keptRow{k.pkg.Resources[row.Resource].Name, row.Line, slices.Clone(row.Cells)})
		}
	}
	for _, level := range k.pkg.Model.Levels() {
		if level.Listed {
			k.members[level.Ref] = slices.Collect(content.Members(level))
		}
	}
	k.report = content.Report()
	return findings.Loaded{}, nil
}

// take loads a package that is sound and gives what came of it.
func take(t *testing.T, files fs.FS, o load.Options) *kept {
	t.Helper()
	k := &kept{}
	loadInto(t, k, files, o)
	hasSentences(t, k.report)
	return k
}

func loadInto(t *testing.T, target catalogue.Loader, files fs.FS, o load.Options) *cube.Cube {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := load.Run(t.Context(), target, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

// refused gives what is found in a package that is not loaded.
func refused(t *testing.T, files fs.FS) string {
	t.Helper()
	return refusedBy(t, files, bare)
}

func refusedBy(t *testing.T, files fs.FS, o load.Options) string {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = load.Run(t.Context(), &kept{}, source, load.Silent{})
	var rejected *load.Rejected
	if !errors.As(err, &rejected) {
		t.Fatalf("the package is not refused: %v", err)
	}
	rejected.Findings = slices.DeleteFunc(rejected.Findings, func(f findings.Finding) bool { return f.Code == findings.NoYear })
	return rejected.Error()
}

// found gives the findings of a code, a line each.
func (k *kept) found(code string) string {
	var lines []string
	for _, f := range k.report.Findings {
		if f.Code == code {
			lines = append(lines, f.String())
		}
	}
	return strings.Join(lines, "\n")
}

// cells gives the cells of a column, row by row.
func (k *kept) cells(column string) string {
	place := slices.IndexFunc(k.pkg.Model.Columns(), func(c cube.Column) bool { return c.Name == column })
	if place < 0 {
		return "no column " + column
	}
	return strings.Join(each.Text(k.rows, func(row keptRow) string { return row.cells[place] }), "|")
}

func path(m cube.Member) string { return strings.Join(each.Text(m.Path, cube.Value.String), "/") }

// is compares two texts.
func is(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}
