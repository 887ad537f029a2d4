// Package findings is what a load found and assumed: the report that is stored with a version and served.
package findings

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fiscube/cube"
)

// Report is what a load found and assumed. It is stored with the version and served.
type Report struct {
	Resources []ResourceReport `json:"resources"`
	Totals    []ControlTotal   `json:"totals"`
	Coverage  []Coverage       `json:"coverage"`
	Levels    []LevelReport    `json:"levels"` // none before the rows are read
	Findings  []Finding        `json:"findings"`
}

// ResourceReport compares a resource with what the descriptor declares of it.
type ResourceReport struct {
	Name     string           `json:"name"`
	Path     string           `json:"path"`
	Rows     int64            `json:"rows"` // read from the file
	Declared DeclaredResource `json:"declared"`
	Found    cube.Found       `json:"found"`
	Left     string           `json:"left_out,omitempty"` // why the resource was not loaded
	File     string           `json:"file,omitempty"`     // where its bytes are; not stored, but told
}

// Why the rows of a resource are not loaded, as a package and its report have it; package prose tells it in other languages. The
// texts are part of the fingerprint of a version.
const (
	LeftRepeated = "its rows stand in other resources"
	LeftMissing  = "its file is not there"
)

// DeclaredResource is what the descriptor says of a file.
type DeclaredResource struct {
	Bytes    int64  `json:"bytes,omitempty"`
	Hash     string `json:"hash,omitempty"`
	HashCopy string `json:"hashcopy,omitempty"`
}

// ControlTotal is the sum of the cells of a measure in the rows of a resource and fiscal year, as read from
// the file, so that the sums of a store can be checked.
type ControlTotal struct {
	Resource string `json:"resource"`
	Year     string `json:"year"` // "" where missing
	Measure  string `json:"measure"`
	Sum      string `json:"sum"` // exact decimal
	Cells    int64  `json:"cells"`
	Rows     int64  `json:"rows"` // of that resource and year
}

// Coverage tells how much of a column a resource has: it is absent from the file, empty in every row, or filled in some
// rows.
type Coverage struct {
	Column   string `json:"column"`
	Resource string `json:"resource"`
	Absent   bool   `json:"absent,omitempty"`
	Filled   int64  `json:"filled"`
}

// LevelReport counts the members of a listed level.
type LevelReport struct {
	Ref     string `json:"ref"`
	Members int64  `json:"members"`
}

// Severity says what a finding means for the load.
type Severity string

// The severities of findings.
const (
	SeverityError   Severity = "error"   // the package is refused
	SeverityWarning Severity = "warning" // something looks wrong
	SeverityInfo    Severity = "info"    // something was assumed or repaired
)

// Finding is something that a load noticed, listed once however often it occurs.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	Resource string   `json:"resource,omitempty"`
	Field    string   `json:"field,omitempty"`
	Message  string   `json:"message"`            // in English; package prose tells it in other languages
	Sentence string   `json:"sentence,omitempty"` // the one of several of the code
	Params   Params   `json:"params,omitempty"`   // none in reports that were stored before there were any
	Count    int64    `json:"count"`              // how often it occurs, also beyond the Places listed
	Places   []Place  `json:"places,omitempty"`   // the first of them
}

// Place is where in a resource a finding occurs. Line is the line of the file at which the row begins, the
// header being 1; 0 stands for the whole file.
type Place struct {
	Line     int64  `json:"line,omitempty"`
	Cell     string `json:"cell,omitempty"`     // as published or, with Params, in English words, which package prose tells in other languages
	Sentence string `json:"sentence,omitempty"` // the one of several of the code
	Params   Params `json:"params,omitempty"`
}

// String is the finding as one line: where, what, and the first lines.
func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.Resource)
	if len(f.Places) > 0 && f.Places[0].Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Places[0].Line)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if f.Field != "" {
		fmt.Fprintf(&b, "field %s: ", f.Field)
	}
	fmt.Fprintf(&b, "%s [%s]%s", f.Message, f.Code, f.Times())
	return b.String()
}

// Times says how often the finding occurs and where, to follow its message. It is "" if the message says it all.
func (f Finding) Times() string {
	switch {
	case len(f.Places) == 0:
		return ""
	case f.Count > 1:
		return fmt.Sprintf(" (%d times%s)", f.Count, f.where())
	case f.Places[0].Line == 0 && f.Places[0].Cell != "":
		return " (" + f.Places[0].Cell + ")"
	}
	return ""
}

// where lists the lines of the places, or their cells if they have no lines.
func (f Finding) where() string {
	var lines, cells []string
	for _, p := range f.Places {
		switch {
		case p.Line > 0:
			lines = append(lines, strconv.FormatInt(p.Line, 10))
		case p.Cell != "":
			cells = append(cells, p.Cell)
		}
	}
	text := ""
	switch {
	case len(lines) > 0:
		text = ", lines " + strings.Join(lines, ", ")
	case len(cells) > 0:
		text = ": " + strings.Join(cells, "; ")
	default:
		return ""
	}
	if f.Count > int64(len(f.Places)) {
		text += " …"
	}
	return text
}

// Of reads the report of a version.
func Of(c *cube.Cube) (*Report, error) {
	report := &Report{}
	if err := json.Unmarshal([]byte(c.Report), report); err != nil {
		return nil, fmt.Errorf("read the report of %s, version %d: %w", c.Name, c.Version, err)
	}
	return report, nil
}

// Repairs lists the repairs of a package that an overlay can switch off, by the codes of their findings.
var Repairs = []string{
	"type-widened", "label-paired", "code-label-split", "code-padded", "measure-inferred", "not-informed", "schema-union", "resource-covers", "totals-row",
}

// MostPlaces is how many places of a finding are kept; Count goes on.
const MostPlaces = 10

// Note counts one more case of a finding, at a place.
func (f *Finding) Note(at Place) {
	if f.Count++; len(f.Places) < MostPlaces {
		f.Places = append(f.Places, at)
	}
}

// Clip keeps a cell short enough to show.
func Clip(cell string) string { return ClipTo(80, cell) }

// ClipTo keeps the first characters of a text.
func ClipTo(most int, text string) string {
	if len(text) <= most {
		return strings.Clone(text)
	}
	if runes := []rune(text); len(runes) > most {
		return strings.Clone(string(runes[:most])) + "…"
	}
	return strings.Clone(text)
}
