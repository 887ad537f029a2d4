// Package gate tells what validate found in packages: to people, and to the programs that look after what publishers commit.
//
// Errors and the findings of a report become findings of one kind, each with a file and a line (finding.go). A file each writes them in a
// form: JSON, SARIF, JUnit, and the commands of a workflow of GitHub. Printed totals are held against those of the files in expect.go.
package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/redact"
	"fiscube/store/load"
)

// Package is what was found of one package.
type Package struct {
	Path     string                 `json:"path"` // as it was named
	Name     string                 `json:"name,omitempty"`
	Title    string                 `json:"title,omitempty"`
	Refused  bool                   `json:"refused"`
	Loaded   *Loaded                `json:"loaded,omitempty"` // nil where nothing was to be loaded
	Levels   []findings.LevelReport `json:"levels"`
	Measures []cube.Measure         `json:"measures"`
	Totals   []findings.YearTotals  `json:"totals"`
	Expected *Met                   `json:"expected,omitempty"` // nil where no totals had to be met
	Findings []Finding              `json:"findings"`

	main    string            // the descriptor, as who runs the command names it
	overlay string            // the path of an overlay that is not among the files of the package
	files   map[string]string // of its resources, by name
}

// Loaded is what came of a load.
type Loaded struct {
	Outcome findings.Outcome `json:"outcome"`
	Version int              `json:"version"`
	Rows    int64            `json:"rows"`
	Files   int              `json:"files"`
}

// New begins with the package at a path, which is read with an overlay of its own if one is named.
func New(named, overlay string) *Package {
	if address, _, cut := strings.Cut(named, "?"); cut && strings.Contains(address, "://") {
		named = address // what follows may be secret
	}
	main := fromHere(named)
	if !strings.EqualFold(path.Ext(named), ".json") {
		main += "/" + load.DescriptorName
	}
	return &Package{Path: redact.Text(named), Levels: []findings.LevelReport{}, Measures: []cube.Measure{}, Totals: []findings.YearTotals{},
		Findings: []Finding{}, main: redact.Text(main), overlay: overlay}
}

// fromHere names a local path from the working folder if it lies in that, since this is how programs that show a file name it.
func fromHere(named string) string {
	here, err := os.Getwd()
	if err != nil || strings.Contains(named, "://") {
		return named
	}
	if inside, err := filepath.Rel(here, named); err == nil && filepath.IsAbs(named) && filepath.IsLocal(inside) {
		named = inside
	}
	return filepath.ToSlash(filepath.Clean(named))
}

// file names a file of the package.
func (p *Package) file(name string) string {
	if strings.Contains(name, "://") {
		return redact.Text(name)
	}
	folder := p.main[:strings.LastIndexByte("/"+p.main, '/')]
	if folder == "" || strings.Contains(folder, "://") {
		return folder + name
	}
	return path.Join(folder, filepath.ToSlash(name))
}

// Describe says what the package is.
func (p *Package) Describe(pkg *cube.Package) {
	p.Name, p.Title, p.Measures = pkg.Name, pkg.Title, pkg.Model.Measures()
	p.files = map[string]string{}
	for _, r := range pkg.Resources {
		p.files[r.Name] = r.Path
	}
}

// Report adds what a load found.
func (p *Package) Report(report *findings.Report) {
	if p.files == nil { // the package is on another server
		p.files = map[string]string{}
		for _, r := range report.Resources {
			p.files[r.Name] = r.Path
		}
	}
	p.Levels = report.Levels
	_, p.Totals = report.TotalsByYear()
	for _, f := range report.Findings {
		p.add(f)
	}
}

// Counted says in words how many errors and warnings there are.
func (p *Package) Counted() string {
	n := map[findings.Severity]int{}
	for _, f := range p.Findings {
		n[f.Severity]++
	}
	return fmt.Sprintf("errors: %d, warnings: %d", n[findings.SeverityError], n[findings.SeverityWarning])
}

// WriteJSON writes packages as a list of objects.
func WriteJSON(out io.Writer, packages []*Package) error {
	return writeJSON(out, append([]*Package{}, packages...)) // never null
}

func writeJSON(out io.Writer, value any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}
