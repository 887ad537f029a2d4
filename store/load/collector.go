package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
)

// The codes of findings that reject a package.
const (
	CodeBadCell       = "bad-cell"
	CodeTooManyDigits = "too-many-digits"
	CodeTooManyYears  = "too-many-years"
	CodeSizeDiffers   = "size-differs"
	CodeHashDiffers   = "hash-differs"
)

// Rejected is the error of a package that was not loaded, with everything found.
type Rejected struct {
	Findings []findings.Finding
}

// Error gives a line for each error, and counts the findings that would not have rejected the package.
func (r *Rejected) Error() string {
	var lines []string
	for _, f := range r.Findings {
		if isError(f) {
			lines = append(lines, f.String())
		}
	}
	if others := len(r.Findings) - len(lines); others > 0 {
		lines = append(lines, fmt.Sprintf("beside %d findings that reject nothing", others))
	}
	return strings.Join(lines, "\n")
}

func isError(f findings.Finding) bool { return f.Severity == findings.SeverityError }

// collector collects what several readers notice at once.
type collector struct {
	mu   sync.Mutex
	byID map[findingID]*found
}

// found is a finding with the order of its resource in the package.
type found struct {
	findings.Finding
	order int
}

type findingID struct {
	code, resource, field string
	constraint            any // that is broken, of those of a field
}

// add notes a finding at a place; order is that of its resource in the package.
func (f *collector) add(order int, finding findings.Finding, at findings.Place) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[findingID]*found{}
	}
	id := findingID{finding.Code, finding.Resource, finding.Field, finding.Params["constraint"]}
	known, ok := f.byID[id]
	if !ok {
		known = &found{finding, order}
		f.byID[id] = known
	}
	at.Cell = findings.Clip(at.Cell)
	known.Note(at)
}

// more raises the counts of bad cells to what was seen beyond those noted.
func (f *collector) more(resources []cube.Resource, bad badCells) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for order, count := range bad.count {
		if known, ok := f.byID[findingID{code: CodeBadCell, resource: resources[order].Name, field: bad.field}]; ok {
			known.Count = count
		}
	}
}

// list gives the findings by resource, then by their first line.
func (f *collector) list() []findings.Finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.SortedFunc(maps.Values(f.byID), func(a, b *found) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Places[0].Line, b.Places[0].Line),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Field, b.Field))
	})
	return each.Of(all, func(f *found) findings.Finding { return f.Finding })
}
