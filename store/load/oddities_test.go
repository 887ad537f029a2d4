package load_test

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/internal/each"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/storetest"
)

var update = flag.Bool("update", false, "write what comes of the oddities into testdata/oddities; review the difference")

// The files of testdata/oddities tell of the oddities of real packages: each has a number, a sentence, packages, and questions about what comes of
// them. The lines below a question that begin with a tab are its answer, which -update writes again. A package is described by
//
//	fields year@ unit paid$   begins with a small package (pack says what the marks mean)
//	rows [a.csv]              the lines below it are the rows of a file, f.csv unless it says another; an empty line ends them, or the next of these words
//	file [a.csv]              the same, with the header of the file
//	resources "bytes": 5      what the descriptor says of each resource, of the package, and of what is missing
//	package "id": "odd"
//	missing "", "nfp"
//	overlay levels: {}        the overlay
//	seed NAME                 begins with a package that comes with fiscube, and the overlay that ships for it
//	real NAME [RESOURCE]      the same with a published package, or a resource of it; the test is skipped without ../shared/data beside the project
//	bare                      without the overlay that ships
//	encoding cp850            as the option has it
//
// and the questions are those of questions below. \u00a0 and the like stand for what cannot be seen, <<x*1000>> for a thousand times x.
func TestOddities(t *testing.T) {
	for file, was := range oddityFiles(t) {
		parts := strings.Split(was, "\noddity ")
		for i, part := range parts[1:] {
			title, text, _ := strings.Cut(part, "\n")
			t.Run(title, func(t *testing.T) { parts[i+1] = title + "\n" + (&odd{T: t}).tell(text) })
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.Join(parts, "\noddity ")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestOddities_AreAllTested(t *testing.T) {
	all := fmt.Sprint(oddityFiles(t))
	for number := 1; number <= 28; number++ {
		if title := fmt.Sprintf("\noddity %02d ", number); !strings.Contains(all, title) {
			t.Errorf("there is no%s", title)
		}
	}
}

// oddityFiles gives the texts of the files.
func oddityFiles(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/oddities/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no oddities: %v", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(text)
	}
	return texts
}

// odd is an oddity as far as it is told: a package, and what came of it once somebody asked.
type odd struct {
	*testing.T
	pack
	whole     map[string]string // files with their headers
	published string            // a seed or real package, as its line has it; "" for the small one
	options   load.Options
	*kept
	store   answer.Store
	version *cube.Cube
}

// describing are the lines that say what a package is.
var describing = map[string]func(o *odd, rest, lines string){
	"fields": func(o *odd, rest, _ string) {
		*o = odd{T: o.T, pack: pack{fields: rest, files: map[string]string{}}, whole: map[string]string{}}
	},
	"rows": func(o *odd, rest, lines string) {
		o.files[cmp.Or(rest, "f.csv")] = lines
		delete(o.whole, cmp.Or(rest, "f.csv"))
	},
	"file": func(o *odd, rest, lines string) {
		o.files[cmp.Or(rest, "f.csv")], o.whole[cmp.Or(rest, "f.csv")] = "", lines
	},
	"resources": func(o *odd, rest, _ string) { o.each = withComma(rest) },
	"package":   func(o *odd, rest, _ string) { o.more = withComma(rest) },
	"missing":   func(o *odd, rest, _ string) { o.missing = rest },
	"overlay":   func(o *odd, rest, _ string) { o.overlay = rest },
	"seed": func(o *odd, rest, _ string) {
		*o = odd{T: o.T, published: "seed " + rest, options: load.Options{Shipped: seeds.OverlayFor}}
	},
	"real": func(o *odd, rest, _ string) {
		*o = odd{T: o.T, published: "real " + rest, options: load.Options{Shipped: seeds.OverlayFor}}
	},
	"bare":     func(o *odd, _, _ string) { o.options.Shipped = nil },
	"encoding": func(o *odd, rest, _ string) { o.options.Encoding = rest },
}

func withComma(members string) string { return members + strings.Repeat(",", min(len(members), 1)) }

// questions give the lines of their answers.
var questions = map[string]func(o *odd, rest string) []string{
	// members LEVEL: by path, each with its label
	"members": func(o *odd, rest string) []string {
		return []string{strings.Join(each.Text(o.taken().members[rest], func(m cube.Member) string { return cmp.Or(strings.TrimSpace(path(m)+" "+m.Label), `""`) }), " | ")}
	},
	"member": (*odd).member,
	"count":  (*odd).counted,
	// cells COLUMN: of all rows
	"cells": func(o *odd, rest string) []string { return []string{o.taken().cells(rest)} },
	// has COLUMN [TEXT]: how many cells are the text, or with * before it end with it
	"has": func(o *odd, rest string) []string {
		column, text, _ := strings.Cut(rest, " ")
		end, isEnd := strings.CutPrefix(text, "*")
		cells := strings.Split(o.taken().cells(column), "|")
		others := slices.DeleteFunc(slices.Clone(cells), func(cell string) bool { return cell == text || isEnd && strings.HasSuffix(cell, end) })
		return []string{fmt.Sprintf("%d of %d cells", len(cells)-len(others), len(cells))}
	},
	// loaded: how many rows, and the line of the last
	"loaded": func(o *odd, _ string) []string {
		k := o.taken()
		return []string{fmt.Sprintf("%d rows, the last at line %d", k.count, k.rows[len(k.rows)-1].line)}
	},
	// files: the years of the rows of each, and the lines that are left out
	"files": func(o *odd, _ string) []string {
		return each.Text(o.taken().pkg.Resources, func(r cube.Resource) string {
			text := fmt.Sprintf("%s: %d rows, %d to %d", r.Name, r.Found.Rows, r.Found.FirstYear, r.Found.LastYear)
			if len(r.SkipLines) > 0 {
				text += ", without lines " + strings.Trim(fmt.Sprint(r.SkipLines), "[]")
			}
			return text
		})
	},
	// hashcopy: of each file
	"hashcopy": func(o *odd, _ string) []string {
		return each.Text(o.taken().pkg.Resources, func(r cube.Resource) string { return r.Found.HashCopy })
	},
	// measures: by name, with those of them that are levels still
	"measures": func(o *odd, _ string) []string {
		return each.Text(o.taken().pkg.Model.Measures(), func(m cube.Measure) string {
			if _, ok := o.pkg.Model.Level(m.Ref); ok {
				return m.Ref + " is a level too"
			}
			return m.Ref
		})
	},
	// column NAME: its type
	"column": func(o *odd, rest string) []string {
		c, _ := o.taken().pkg.Model.Column(rest)
		if c.Type == cube.TypeDecimal {
			return []string{fmt.Sprintf("decimal, %d digits and %d decimals", c.Digits, c.Scale)}
		}
		return []string{string(c.Type)}
	},
	"totals": (*odd).totals,
	// found CODE: what is found
	"found": func(o *odd, rest string) []string { return strings.Split(o.taken().found(rest), "\n") },
	// times CODE: of each field in which it is found, how often
	"times": func(o *odd, rest string) (list []string) {
		for _, f := range o.taken().report.Findings {
			if f.Code == rest {
				list = append(list, fmt.Sprint(cmp.Or(f.Field, f.Resource), " ", f.Count))
			}
		}
		return list
	},
	// coverage: of the cells of each column in each file, how many are filled
	"coverage": func(o *odd, _ string) (list []string) {
		for _, c := range o.taken().report.Coverage {
			list = append(list, fmt.Sprintf("%s %s %s", c.Resource, c.Column, map[bool]string{true: "absent", false: fmt.Sprint(c.Filled)}[c.Absent]))
		}
		return list
	},
	// refused: for what the package is not loaded
	"refused": func(o *odd, _ string) []string {
		files := o.given()
		return strings.Split(refusedBy(o.T, files, o.options), "\n")
	},
	// suspected: the level that looks like that of statements
	"suspected": func(o *odd, _ string) []string { o.loads(); return []string{o.version.SnapshotsSuspected} },
	"ask":       (*odd).answers,
	// warned QUESTION: of what an answer warns
	"warned": func(o *odd, rest string) []string {
		return each.Text(caveat.Of(caveat.Evidence{Plan: o.plan(rest)}), func(c caveat.Caveat) string { return c.Code })
	},
}

var repeated = regexp.MustCompile(`<<([^>]+)\*(\d+)>>`)

// written gives a line with what it only counts.
func written(line string) string {
	return repeated.ReplaceAllStringFunc(line, func(text string) string {
		part := repeated.FindStringSubmatch(text)
		n, _ := strconv.Atoi(part[2])
		return strings.Repeat(part[1], n)
	})
}

// tell tells an oddity again.
func (o *odd) tell(text string) string {
	var b strings.Builder
	lines := append(strings.SplitAfter(text, "\n"), "")
	// until takes the lines up to one of which end is true
	until := func(end func(line string) bool) string {
		n := slices.IndexFunc(lines, func(line string) bool { return line == "" || end(line) })
		taken := strings.Join(lines[:n], "")
		lines = lines[n:]
		return taken
	}
	for lines[0] != "" {
		line := lines[0]
		b.WriteString(line)
		lines = lines[1:]
		if line == "\n" || line[0] == '#' {
			continue
		}
		verb, rest, _ := strings.Cut(o.unquoted(strings.TrimSuffix(line, "\n")), " ")
		if describe := describing[verb]; describe != nil {
			below := ""
			if verb == "rows" || verb == "file" {
				below = until(func(line string) bool {
					first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
					return line == "\n" || line[0] == '\t' || describing[first] != nil || questions[first] != nil
				})
			}
			b.WriteString(below)
			o.kept, o.store = nil, nil
			describe(o, rest, o.unquoted(below))
			continue
		}
		if questions[verb] == nil {
			o.Fatalf("%q is no question", line)
		}
		want := until(func(line string) bool { return line[0] != '\t' })
		got := "\t" + cmp.Or(strings.Join(each.Text(questions[verb](o, rest), visible), "\n\t"), "nothing") + "\n"
		if written(want) == got {
			got = want
		} else if !*update {
			o.Errorf("%sgot\n%swant\n%s", line, got, want)
		}
		b.WriteString(got)
	}
	return b.String()
}

// unquoted gives a text with what its escapes stand for.
func (o *odd) unquoted(text string) string {
	o.Helper()
	plain, err := strconv.Unquote(`"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(written(text)) + `"`)
	if err != nil {
		o.Fatalf("%s: %v", text, err)
	}
	return plain
}

// hidden are accents without a letter, and a space that ends a line.
var hidden = regexp.MustCompile(`\p{Mn}| $`)

// visible writes what cannot be seen as Go does.
func visible(text string) string {
	text = strings.ReplaceAll(strconv.Quote(text), `\"`, `"`)
	return hidden.ReplaceAllStringFunc(text[1:len(text)-1], func(c string) string { return fmt.Sprintf(`\u%04x`, []rune(c)[0]) })
}

// given gives the files of the package.
func (o *odd) given() fs.FS {
	o.Helper()
	kind, rest, _ := strings.Cut(o.published, " ")
	name, resource, _ := strings.Cut(rest, " ")
	o.options.Allow, o.options.Resource = bare.Allow, resource
	if kind != "" && o.overlay != "" {
		o.options.OverlayFile = filepath.Join(o.TempDir(), "overlay.yaml")
		if err := os.WriteFile(o.options.OverlayFile, []byte(o.overlay), 0o600); err != nil {
			o.Fatal(err)
		}
	}
	switch kind {
	case "seed":
		files, ok := seeds.Open(name)
		if !ok {
			o.Fatalf("there is no seed %s", name)
		}
		return files
	case "real":
		if name == "D7-mexico" || name == "D2-croatia" { // of many rows
			testrequire.Long(o)
		}
		folder := filepath.Join("../../../shared/data", name)
		if _, err := os.Stat(folder); err != nil {
			testrequire.Skip(o, "data", "the real packages are not there: no folder "+folder)
		}
		return os.DirFS(folder)
	}
	files := o.fs()
	for file, text := range o.whole {
		files[file] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// takenOnce has what came of real packages, which several oddities look at.
var takenOnce = map[string]*kept{}

// taken gives what comes of the package.
func (o *odd) taken() *kept {
	o.Helper()
	if o.kept != nil {
		return o.kept
	}
	files, key := o.given(), fmt.Sprint(o.published, o.options.Shipped != nil, o.overlay)
	if o.kept = takenOnce[key]; o.kept == nil {
		o.kept = take(o.T, files, o.options)
		if o.published != "" {
			takenOnce[key] = o.kept
		}
	}
	return o.kept
}

// loads loads the package into a store that answers.
func (o *odd) loads() {
	o.Helper()
	if o.store != nil {
		return
	}
	store, err := duckdb.Open(o.Context(), duckdb.Memory, duckdb.Options{}, slog.New(slog.DiscardHandler))
	if cube.CodeOf(err) == cube.CodeUnavailable {
		o.Skip("no embedded store: the tests were built without cgo")
	}
	if err != nil {
		o.Fatal(err)
	}
	o.Cleanup(func() { _ = store.Close() })
	files := o.given() // which says the options
	o.store, o.version = store, loadInto(o.T, store, files, o.options)
}

func (o *odd) plan(question string) *plan.Plan {
	o.Helper()
	o.loads()
	q, err := storetest.Query(question)
	if err != nil {
		o.Fatalf("%s: %v", question, err)
	}
	p, err := plan.Bind(o.version, q)
	if err != nil {
		o.Fatalf("%s: %v", question, err)
	}
	return p
}

// answers asks a question: of each cell the keys, the labels in quotes, = and the amounts.
func (o *odd) answers(question string) []string {
	o.Helper()
	asked := o.plan(question)
	result, err := answer.Run(o.Context(), o.store, asked, cube.English)
	if err != nil {
		o.Fatalf("%s: %v", question, err)
	}
	return each.Text(result.Cells, func(cell answer.Cell) string {
		text := strings.Join(each.Text(cell.Keys, cube.Value.String), "/")
		for _, label := range cell.Labels {
			if !label.IsMissing() {
				text += fmt.Sprintf(" %q", label.String())
			}
		}
		return text + "=" + strings.Join(each.Text(cell.Values, func(v decimal.NullDecimal) string {
			if !v.Valid {
				return "null"
			}
			return v.Decimal.String()
		}), ",")
	})
}

// member LEVEL PATH: its label, its rows and their years, how many labels these give it, one a year or more, its place in the alphabet, and what it is found by.
func (o *odd) member(rest string) []string {
	level, at, _ := strings.Cut(rest, " ")
	i := slices.IndexFunc(o.taken().members[level], func(m cube.Member) bool { return path(m) == at })
	if i < 0 {
		return []string{"not there"}
	}
	m := o.members[level][i]
	first, last := m.Years()
	return []string{fmt.Sprintf("%q: %d rows of %s to %s, %d labels, alphabetically %d, found by %s", m.Label, m.Rows, first, last, len(m.Labels), m.Rank, strings.ReplaceAll(m.Fold, "\n", " | "))}
}

// count LEVEL[:CODE]...: how many members there are, or members with a code, and how many of them have no label, or several in a year.
func (o *odd) counted(rest string) []string {
	return each.Text(strings.Fields(rest), func(ref string) string {
		level, code, coded := strings.Cut(ref, ":")
		all, none, several := 0, 0, 0
		for _, m := range o.taken().members[level] {
			if coded && m.Path[len(m.Path)-1].String() != code {
				continue
			}
			all++
			if m.Label == "" {
				none++
			}
			for i, label := range m.Labels {
				if i > 0 && label.Year == m.Labels[i-1].Year {
					several++
					break
				}
			}
		}
		return fmt.Sprintf("%s: %d, %d without a label, %d with several", ref, all, none, several)
	})
}

// totals MEASURE: its control totals by year, and how many cells are missing.
func (o *odd) totals(measure string) (list []string) {
	for _, total := range o.taken().report.Totals {
		if total.Measure == measure {
			list = append(list, fmt.Sprintf("%s: %s, %d missing", total.Year, cmp.Or(total.Sum, "nothing"), total.Rows-total.Cells))
		}
	}
	return list
}
