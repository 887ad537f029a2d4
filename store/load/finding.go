package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Finding is something the survey noticed, once for all the places where it occurs.
type Finding struct {
	Code     string  `json:"code"`
	Resource string  `json:"resource,omitempty"`
	Field    string  `json:"field,omitempty"`
	Message  string  `json:"message"`
	Count    int64   `json:"count"`            // how often it occurs
	Places   []Place `json:"places,omitempty"` // the first of them
	order    int
}

// Place is where in a resource a finding occurs. Line is the line of the file at which the row begins, the
// header being 1; 0 stands for the whole file.
type Place struct {
	Line int64  `json:"line,omitempty"`
	Cell string `json:"cell,omitempty"`
}

// The codes of findings that reject a package.
const (
	CodeMissingFile   = "missing-file"
	CodeLFSPointer    = "lfs-pointer"
	CodeNotUTF8       = "not-utf8"
	CodeNulCharacter  = "nul-character"
	CodeHeaderDiffers = "header-differs"
	CodeCellCount     = "cell-count"
	CodeBadQuote      = "bad-quote"
	CodeBadCell       = "bad-cell"
	CodeTooManyDigits = "too-many-digits"
	CodeSizeDiffers   = "size-differs"
	CodeHashDiffers   = "hash-differs"
)

// shown is how many places of a finding are kept; Count goes on.
const shown = 10

// Rejected is the error of a package that was not loaded, with everything found.
type Rejected struct {
	Findings []Finding
}

// Error gives a line for each finding.
func (r *Rejected) Error() string {
	lines := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// String is the finding as one line: where, what, and the first cells.
func (f Finding) String() string {
	var b strings.Builder
	if f.Resource != "" {
		b.WriteString(f.Resource)
	}
	if len(f.Places) > 0 && f.Places[0].Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Places[0].Line)
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if f.Field != "" {
		fmt.Fprintf(&b, "field %s: ", f.Field)
	}
	fmt.Fprintf(&b, "%s [%s]", f.Message, f.Code)
	if f.Count > 1 {
		fmt.Fprintf(&b, " (%d times, %s)", f.Count, f.places())
	}
	return b.String()
}

// places lists the lines of the first places.
func (f Finding) places() string {
	lines := make([]string, len(f.Places))
	for i, p := range f.Places {
		lines[i] = strconv.FormatInt(p.Line, 10)
	}
	text := "lines " + strings.Join(lines, ", ")
	if f.Count > int64(len(f.Places)) {
		text += " …"
	}
	return text
}

// findings collects what several readers notice at once.
type findings struct {
	mu   sync.Mutex
	byID map[findingID]*Finding
}

type findingID struct{ code, resource, field string }

// add notes a finding at a place; resource is the place of the resource in the package, for the order.
func (f *findings) add(order int, one Finding, at Place) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[findingID]*Finding{}
	}
	id := findingID{one.Code, one.Resource, one.Field}
	known, ok := f.byID[id]
	if !ok {
		known = &one
		known.order = order
		f.byID[id] = known
	}
	known.Count++
	if len(known.Places) < shown {
		at.Cell = clip(at.Cell)
		known.Places = append(known.Places, at)
	}
}

// list gives the findings by resource, then by their first line.
func (f *findings) list() []Finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]Finding, 0, len(f.byID))
	for _, one := range f.byID {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Places[0].Line, b.Places[0].Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Field, b.Field))
	})
	return all
}

// clip keeps a cell short enough to show.
func clip(cell string) string {
	const most = 80
	if runes := []rune(cell); len(runes) > most {
		return strings.Clone(string(runes[:most])) + "…"
	}
	return strings.Clone(cell)
}
