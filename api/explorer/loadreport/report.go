// Package loadreport has the page of how a version was loaded: report.go its findings, files and fields, quality.go how it was loaded
// in a line, and whether its control totals match what is answered now.
package loadreport

import (
	"cmp"
	"embed"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/internal/each"
)

// reportPage is the load report of a version in words.
type reportPage struct {
	site.Reader
	Title, CubeTitle, CubeLink string
	Quality                    string
	Kinds                      []findingKind
	Files                      []checkedFile
	Totals                     *totalsTable
	Gaps                       []coveredField // the fields that are empty in some years
	Others                     []coveredField
	Versions                   []version // that are kept, the newest first; none where there is but one
	JSON                       string
}

// version is one that is kept. Since leads to what changed since the one before.
type version struct {
	site.Choice
	Since site.Choice
}

// findingKind has the findings of a kind: the first ones, and the others folded.
type findingKind struct {
	Title, Means string
	First, Rest  []foundNote
}

// foundNote is a finding in the reader's language.
type foundNote struct {
	site.Reader
	Touches        string // the field and the years, or the whole budget
	File, FileLink string
	Message, Code  string
	Lines          []site.Choice
	Cases          []string // the first of Count
	Count          int64
}

// checkedFile is a published file beside what is declared of it.
type checkedFile struct {
	Path, Link, File, Rows, Years, Bytes, Hash string
	Size, Content                              verdict
	Note                                       string // what of it was not loaded
}

// verdict is a mark with its meaning in words.
type verdict struct{ Mark, Text string }

// The marks.
const (
	good    = "✓"
	bad     = "✗"
	unknown = "–"
)

// totalsTable has the control totals by fiscal year.
type totalsTable struct {
	Heads  []string
	Years  []totalsRow
	Result verdict
	Note   string
}

type totalsRow struct {
	Year  string
	Cells []totalsCell
}

// totalsCell is a control total and, where another number is answered, that.
type totalsCell struct{ Control, Answered string }

// coveredField is a field with the part of its cells that are filled, and the years in which none is.
type coveredField struct {
	Name, Title, Filled string
	Years               []yearMark // none of a field that has cells in all
	Width               int        // of their picture
	EmptyIn             string
}

// yearMark is a year of a field, in the small picture of its years.
type yearMark struct {
	X     int
	Empty bool
}

//go:embed report.html
var sources embed.FS

var template = site.Template(sources, "report.html")

// Page tells how a version was loaded.
func Page(v *site.Visit) (*site.Frame, error) {
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	r, err := read(v, cb)
	if err != nil {
		return nil, err
	}
	a := v.Explore(cb)
	page := reportPage{
		Reader: v.Reader, Title: v.Say("report.report"), CubeTitle: v.TitleOfCube(cb), CubeLink: a.String(), Quality: r.quality(),
		Kinds: r.findingKinds(), Files: r.checkedFiles(), Totals: r.totalsTable(),
		JSON: a.At("cubes/"+url.PathEscape(cb.Name)+"/report").Plus("format", "json"),
	}
	page.Gaps, page.Others = r.coverage()
	if page.Versions, err = versions(v, cb); err != nil {
		return nil, err
	}
	f := v.Frame(template, page.Title+" · "+page.CubeTitle, page)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// versions lists the versions of a cube that are kept, the newest first.
func versions(v *site.Visit, cb *cube.Cube) (list []version, err error) {
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	var since site.Choice
	for _, of := range catalog.Versions(cb.Name) {
		to := v.Explore(of)
		to.Version = strconv.Itoa(of.Version)
		shown := site.Choice{Text: v.Say("changes.version", "Number", to.Version), Link: to.String(), Hint: site.DateOf(of), Taken: of.ID == cb.ID}
		if since.Text != "" {
			since.Link = v.Changes(cb.Name, since.Value, to.Version).String()
		}
		list = append(list, version{shown, since})
		since = site.Choice{Text: v.Say("changes.since", "Number", to.Version), Value: to.Version}
	}
	slices.Reverse(list)
	return list, nil
}

// mostShown is how many findings of a kind, cases and lines of a finding are shown before the others are folded.
const mostShown = 5

// findingKinds gives the findings by what they mean for the reader of the numbers.
func (r *report) findingKinds() []findingKind {
	var list []findingKind
	for _, kind := range kinds {
		made := findingKind{Means: r.Say("report." + string(kind) + "-means")}
		for _, f := range r.Findings {
			if f.Kind() == kind {
				made.First = append(made.First, r.finding(f))
			}
		}
		made.Title = r.Say("report."+string(kind), "Count", len(made.First))
		if all := made.First; len(all) > mostShown+1 {
			made.First, made.Rest = all[:mostShown], all[mostShown:]
		}
		if len(made.First) > 0 {
			list = append(list, made)
		}
	}
	return list
}

// finding writes a finding, with links to its lines.
func (r *report) finding(f findings.Finding) foundNote {
	made := foundNote{
		Reader: r.Reader, Touches: r.touches(f), File: f.Resource, Message: prose.TellFinding(r.Locale, f, r.titleOf), Code: f.Code, Count: f.Count,
	}
	lines, loaded := r.linesNamed(f.Resource)
	if loaded {
		made.FileLink = lines.String()
	}
	for _, place := range f.Places {
		if place.Cell != "" {
			made.Cases = append(made.Cases, r.withMarks(prose.CaseOf(f, place, r.Language)))
		}
	}
	for _, line := range linesOf(f) {
		text := site.Choice{Text: strconv.FormatInt(line, 10)}
		if loaded {
			text.Link = lines.ToLine(line)
		}
		made.Lines = append(made.Lines, text)
	}
	return made
}

// quotedName is a name in a case, in the marks that loads write.
var quotedName = regexp.MustCompile(`"([^"]+)" \(`)

// withMarks puts the names in a case in the quotation marks of the language.
func (r *report) withMarks(text string) string {
	return quotedName.ReplaceAllStringFunc(text, func(found string) string {
		return r.Quote(strings.TrimSuffix(found[1:], `" (`)) + " ("
	})
}

// touches names the field and the years that a finding is about or, if it names neither these nor a file, the whole budget.
func (r *report) touches(f findings.Finding) string {
	var parts []string
	if f.Field != "" {
		parts = append(parts, r.titleOf(f.Field))
	}
	if years := r.yearsOf(f); len(years) > 0 {
		parts = append(parts, r.Years(years))
	}
	if len(parts) == 0 && f.Resource == "" {
		return r.Say("report.whole-budget")
	}
	return strings.Join(parts, ", ")
}

// yearsOf lists the years that a finding is about: those that it names, and of codes and names that change those from which they are others.
func (r *report) yearsOf(f findings.Finding) (years []int64) {
	for _, place := range append(f.Places[:len(f.Places):len(f.Places)], findings.Place{Params: f.Params}) {
		if year, err := strconv.ParseInt(fmt.Sprint(place.Params["year"]), 10, 64); err == nil {
			years = append(years, year)
		}
	}
	if ofCodes := f.Code == "code-reused"; r.cb.LabelHistory != nil && (ofCodes || f.Code == "label-changed") {
		for _, b := range r.cb.LabelHistory.OfLevel(f.Field) {
			if b.Reused == ofCodes {
				years = append(years, b.First)
			}
		}
	}
	slices.Sort(years)
	return slices.Compact(years)
}

// titleOf names a field for people: by its title, or as the files do.
func (r *report) titleOf(name string) string { return cmp.Or(r.fieldTitle(name), name) }

// resource gives a file, if the version knows it.
func (r *report) resource(name string) (cube.Resource, bool) {
	i := slices.IndexFunc(r.cb.Resources, func(of cube.Resource) bool { return of.Name == name })
	if i < 0 {
		return cube.Resource{}, false
	}
	return r.cb.Resources[i], true
}

// linesNamed leads to the lines of a file, if it was loaded.
func (r *report) linesNamed(name string) (lines site.Address, loaded bool) {
	of, known := r.resource(name)
	if loaded = known && of.LeftOut == ""; loaded {
		lines = r.LinesOf(r.cb, of)
	}
	return lines, loaded
}

// linesOf gives the lines that a finding is about: its places, or those that its sentence names, where these are of the same file.
func linesOf(f findings.Finding) []int64 {
	var list []int64
	for _, place := range f.Places {
		if place.Line > 0 {
			list = append(list, place.Line)
		}
	}
	if line, ok := f.Params["line"].(int64); ok {
		list = append(list, line)
	}
	texts, _ := f.Params["lines"].([]string)
	_, elsewhere := f.Params["resource"]
	for _, text := range texts {
		if line, err := strconv.ParseInt(text, 10, 64); err == nil && !elsewhere {
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// checkedFiles holds each file against what the descriptor declares of it.
func (r *report) checkedFiles() []checkedFile {
	var list []checkedFile
	for _, of := range r.Resources {
		known, _ := r.resource(of.Name)
		made := checkedFile{
			Note: r.leftOut(known), Path: of.Path, Rows: r.Say("view.cells", "Count", of.Rows), Years: yearsIn(of.Found), Bytes: r.Bytes(of.Found.Bytes), Hash: of.Found.Hash, File: r.FileOf(r.cb, known),
			Size: r.verdict(of.Size(), r.Bytes(of.Declared.Bytes)), Content: r.verdict(of.Hash(), cmp.Or(of.Declared.Hash, of.Declared.HashCopy)),
		}
		if lines, loaded := r.linesNamed(of.Name); loaded {
			made.Link = lines.String()
		}
		list = append(list, made)
	}
	return list
}

// leftOut says what of a file was not loaded, or "".
func (r *report) leftOut(of cube.Resource) string {
	switch {
	case of.Repeats:
		return r.Say("report.left-repeats")
	case of.LeftOut != "":
		return r.Say("report.left-missing")
	case len(of.SkipLines) > 0:
		return r.Say("report.left-rows", "Count", len(of.SkipLines))
	}
	return ""
}

// verdict writes what became of a declaration.
func (r *report) verdict(is findings.Verdict, declared string) verdict {
	switch is {
	case findings.Verified:
		return verdict{good, r.Say("report.as-declared")}
	case findings.Differs:
		return verdict{bad, r.Say("report.declared", "Value", declared)}
	case findings.NotChecked:
		return verdict{unknown, r.Say("report.not-checked")}
	}
	return verdict{unknown, r.Say("report.not-declared")}
}

// totalsTable writes the control totals, or nil if there are none.
func (r *report) totalsTable() *totalsTable {
	if r.sums == 0 {
		return nil
	}
	made := &totalsTable{Heads: []string{r.Say("home.rows")}, Result: verdict{good, r.Say("report.totals-same", "Count", r.sums)}}
	if r.differ > 0 {
		made.Result = verdict{bad, r.Say("report.totals-not", "Differ", r.differ, "Total", r.sums)}
	}
	if r.cb.Model.Snapshots() != nil {
		made.Note = r.Say("report.totals-of-all")
	}
	scales := []int32{0}
	for _, a := range r.aggregates {
		measure, _ := r.cb.Model.Measure(a.Measure) // the plan has it of the model
		made.Heads = append(made.Heads, prose.MeasureTitle(measure, r.Language))
		scales = append(scales, a.Scale)
	}
	for _, y := range r.years {
		row := totalsRow{Year: cmp.Or(y.year, "–")}
		for i, p := range y.pairs {
			cell := totalsCell{Control: r.totalText(p.control, scales[i])}
			if !p.same() {
				cell.Answered = r.Say("report.answered", "Value", r.totalText(p.answered, scales[i]))
			}
			row.Cells = append(row.Cells, cell)
		}
		made.Years = append(made.Years, row)
	}
	return made
}

// totalText writes a number, and a dash where there is none.
func (r *report) totalText(n decimal.NullDecimal, scale int32) string {
	if !n.Valid {
		return "–"
	}
	return r.Decimal(n.Decimal, scale)
}

// coverage lists the fields that are empty in some years of the rows, and the others, with how much of their cells are filled.
func (r *report) coverage() (gaps, others []coveredField) {
	rows, filled := int64(0), map[string]int64{}
	var names []string
	for _, of := range r.cb.Resources {
		if of.LeftOut == "" {
			rows += of.Found.Rows - int64(len(of.SkipLines))
		}
	}
	for _, c := range r.Coverage {
		names = each.Once(names, c.Column)
		if _, loaded := r.linesNamed(c.Resource); loaded {
			filled[c.Column] += c.Filled
		}
	}
	for _, name := range names {
		made := coveredField{Name: name, Title: r.fieldTitle(name), Filled: "–"}
		if rows > 0 {
			part := decimal.NewFromInt(min(filled[name], rows))
			made.Filled = r.Share(answer.Quotient(decimal.NewNullDecimal(part), decimal.NewNullDecimal(decimal.NewFromInt(rows)), 8).Decimal)
		}
		years := cmp.Or(r.cb.Coverage, &cube.YearCoverage{})
		empty := years.Gap(name, years.Years)
		if len(empty) == 0 {
			others = append(others, made)
			continue
		}
		made.EmptyIn = r.Years(empty)
		for i, year := range years.Years {
			made.Years = append(made.Years, yearMark{i * markWidth, slices.Contains(empty, year)})
		}
		made.Width = len(made.Years) * markWidth
		gaps = append(gaps, made)
	}
	return gaps, others
}

// markWidth is how far the years of a field are apart in their picture.
const markWidth = 10

// fieldTitle names a field for people, or "" where nobody gave it a title.
func (r *report) fieldTitle(name string) string {
	if measure, ok := r.cb.Model.Measure(name); ok {
		return cmp.Or(measure.Titles.In(r.Language), measure.Title)
	}
	level, _ := r.cb.Model.Level(name)
	return level.Titles.In(r.Language)
}

// yearsIn writes the fiscal years of a file, or "".
func yearsIn(f cube.Found) string {
	if f.FirstYear == 0 {
		return ""
	}
	return site.Span(cube.Integer(f.FirstYear), cube.Integer(f.LastYear))
}
