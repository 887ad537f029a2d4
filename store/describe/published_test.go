package describe_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/golden"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/describe"
	"fiscube/store/load"
)

// Each example is described without its descriptor, and what comes of it is compared with the model that was published, dimension by
// dimension: with the overlay that fiscube has for it, and as its descriptor alone says.
func TestRead_ComparedWithTheExamples(t *testing.T) {
	var lines []string
	for _, seed := range seeds.All() {
		lines = append(lines, compared(t, seed.Name, seed.FS)...)
	}
	golden.File(t, "testdata/examples.txt", strings.Join(lines, "\n")+"\n")
}

// The largest package takes long.
func TestRealData_ComparedWithTheirModels(t *testing.T) {
	folders, _ := filepath.Glob("../../../shared/data/*")
	if len(folders) == 0 {
		testrequire.Skip(t, "data", "the real packages are not beside the checkout")
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if filepath.Base(folder) == "D7-mexico" {
				testrequire.Long(t)
			}
			lines := compared(t, filepath.Base(folder), os.DirFS(folder))
			golden.File(t, "testdata/real/"+filepath.Base(folder)+".txt", strings.Join(lines, "\n")+"\n")
		})
	}
}

// compared describes the files of a package and compares what comes of it with the package.
func compared(t *testing.T, name string, files fs.FS) []string {
	t.Helper()
	paths, err := fs.Glob(files, "data/*.csv*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no files: %v", name, err)
	}
	d, err := describe.Read(t.Context(), files, paths, describe.Options{Name: "described"}, load.Silent{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	descriptor, err := d.Descriptor()
	if err != nil {
		t.Fatal(err)
	}
	made := surveyed(t, func(ctx context.Context) (*load.Source, error) {
		return load.OpenMade(ctx, files, descriptor, d.Overlay(), load.Options{})
	})
	lines := []string{"== " + name}
	for _, kind := range []string{"overlay", "descriptor alone"} {
		o := load.Options{}
		if kind == "overlay" {
			o.Shipped = seeds.OverlayFor
		}
		published := surveyed(t, func(ctx context.Context) (*load.Source, error) { return load.OpenFS(ctx, files, o) })
		lines = append(lines, kind+": "+comparedAmounts(published.Package().Model, made.Package().Model)+", "+comparedTotals(published, made))
		for _, dimension := range published.Package().Model.Dimensions() {
			lines = append(lines, "  "+comparedDimension(published.Package().Model, made.Package().Model, dimension))
		}
	}
	return lines
}

func surveyed(t *testing.T, open func(context.Context) (*load.Source, error)) *load.Survey {
	t.Helper()
	source, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	survey, err := load.Take(t.Context(), source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	return survey
}

// unnamed gives sums without the names of their files, which are a publisher's own.
func unnamed(totals []findings.ControlTotal) []findings.ControlTotal {
	list := slices.Clone(totals)
	for i := range list {
		list[i].Resource = ""
	}
	return list
}

// comparedTotals counts the sums of an amount in a year that are the same.
func comparedTotals(published, made *load.Survey) string {
	ours, same := unnamed(made.Report().Totals), 0
	for _, total := range unnamed(published.Report().Totals) {
		if slices.Contains(ours, total) {
			same++
		}
	}
	return fmt.Sprintf("sums of years %d of %d", same, len(published.Report().Totals))
}

func comparedAmounts(published, made *cube.Model) string {
	refs := func(m *cube.Model) []string {
		var refs []string
		for _, x := range m.Measures() {
			if c, _ := m.Column(x.Ref); c.From == nil {
				refs = append(refs, x.Ref)
			}
		}
		return refs
	}
	want, got := refs(published), refs(made)
	same := slices.DeleteFunc(slices.Clone(want), func(ref string) bool { return !slices.Contains(got, ref) })
	year, _ := published.FiscalYear()
	ours, _ := made.FiscalYear()
	text := fmt.Sprintf("amounts %d of %d", len(same), len(want))
	if len(got) > len(same) {
		text += fmt.Sprintf(" and %d more", len(got)-len(same))
	}
	by := func(m *cube.Model) string {
		if s := m.Snapshots(); s != nil {
			c, _ := m.Column(s.By)
			if c.From != nil {
				return "the files"
			}
			return s.By
		}
		return "none"
	}
	return fmt.Sprintf("%s, year %v, stated again by %s (%s)", text, year.Name == ours.Name, by(made), by(published))
}

// comparedDimension counts the levels, labels, parents and contexts of a published dimension that were found.
func comparedDimension(published, made *cube.Model, d cube.Dimension) string {
	var dimensions, missing []string
	var levels, labels, allLabels, parents, paths int
	for _, l := range d.Levels {
		ours, ok := made.LevelOfKey(l.Ref)
		if !ok {
			role := "a column"
			if _, isMeasure := made.Measure(l.Ref); isMeasure {
				role = "an amount"
			} else if level, isLabel := made.Level(l.Ref); isLabel {
				role = "the label of " + level.Ref
			}
			missing = append(missing, l.Ref+" is "+role)
			continue
		}
		levels++
		if !slices.Contains(dimensions, ours.Dimension) {
			dimensions = append(dimensions, ours.Dimension)
		}
		if l.LabelRef != "" {
			allLabels++
			if ours.LabelRef == l.LabelRef {
				labels++
			}
		}
		if ours.Parent == l.Parent {
			parents++
		} else {
			missing = append(missing, fmt.Sprintf("%s is below %s, not %s", l.Ref, orTop(ours.Parent), orTop(l.Parent)))
		}
		if slices.Equal(slices.Sorted(slices.Values(ours.Path)), slices.Sorted(slices.Values(l.Path))) {
			paths++
		}
	}
	text := fmt.Sprintf("%s: levels %d of %d, labels %d of %d, parents %d of %d, paths %d of %d, in %s", d.Name, levels, len(d.Levels),
		labels, allLabels, parents, len(d.Levels), paths, len(d.Levels), strings.Join(dimensions, " and "))
	if len(missing) > 0 && len(missing) <= 6 {
		text += "; " + strings.Join(missing, "; ")
	} else if len(missing) > 0 {
		text += fmt.Sprintf("; %d differ", len(missing))
	}
	return text
}

func orTop(parent string) string {
	if parent == "" {
		return "nothing"
	}
	return parent
}
