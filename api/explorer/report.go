package explorer

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
)

// reportPage is the load report of a version in words.
type reportPage struct {
	reader
	Title, CubeTitle, CubeLink string
	Quality                    string
	Kinds                      []findingKind
	Files                      []checkedFile
	Totals                     *totalsTable
	Gaps                       []coveredField // the fields that are empty in some years
	Others                     []coveredField
	GapsTitle, OthersTitle     string
	JSON                       string
}

// findingKind has the findings of a kind: the first ones, and the others folded.
type findingKind struct {
	Title, Means string
	First, Rest  []foundNote
	More         string
}

// foundNote is a finding in the reader's language.
type foundNote struct {
	File, FileLink, Field, FieldTitle string
	Message, Code                     string
	Lines                             []choice
	LinesTitle, CasesTitle            string
	Cases                             []string
}

// checkedFile is a published file beside what is declared of it.
type checkedFile struct {
	Path, Link, Rows, Years, Bytes, Hash string
	Size, Content                        verdict
	Note                                 string // what of it was not loaded
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

// showReport tells how a version was loaded.
func showReport(v *visit) (*frame, error) {
	cb, err := v.cube()
	if err != nil {
		return nil, err
	}
	report, err := v.control(cb)
	if err != nil {
		return nil, err
	}
	a := v.explore(cb)
	page := reportPage{
		reader: v.reader, Title: v.Words.Report, CubeTitle: v.titleOfCube(cb), CubeLink: a.String(), Quality: v.quality(report),
		Kinds: v.findingKinds(cb, report), Files: v.checkedFiles(cb, report), Totals: v.totalsTable(cb, report),
		JSON: a.at("cubes/" + url.PathEscape(cb.Name) + "/report").String(),
	}
	page.Gaps, page.Others = v.coverage(cb, report)
	page.GapsTitle, page.OthersTitle = v.Words.NoGaps, v.Fill(v.Words.OtherFields, len(page.Others))
	if len(page.Gaps) > 0 {
		page.GapsTitle = v.Fill(v.Words.Gaps, len(page.Gaps))
	}
	f := v.frame("report", page.Title+" · "+page.CubeTitle, page)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// mostShown is how many findings of a kind, cases and lines of a finding are shown before the others are folded.
const mostShown = 5

// findingKinds gives the findings by what they mean for the reader of the numbers.
func (v *visit) findingKinds(cb *cube.Cube, report *controlled) []findingKind {
	var list []findingKind
	for _, kind := range kinds {
		var all []foundNote
		for _, f := range report.Findings {
			if f.Kind() == kind {
				all = append(all, v.finding(cb, f))
			}
		}
		if len(all) == 0 {
			continue
		}
		words := v.Words.Found[kind]
		made := findingKind{Title: v.Fill(words.Count, len(all)), Means: words.Means, First: all}
		if len(all) > mostShown+1 {
			made.First, made.Rest, made.More = all[:mostShown], all[mostShown:], v.Fill(v.Words.MoreFound, len(all)-mostShown)
		}
		list = append(list, made)
	}
	return list
}

// finding writes a finding, with links to its lines.
func (v *visit) finding(cb *cube.Cube, f findings.Finding) foundNote {
	made := foundNote{
		File: f.Resource, Field: f.Field, FieldTitle: v.fieldTitle(cb.Model, f.Field), Message: prose.Finding(f, v.Language), Code: f.Code,
		LinesTitle: v.Words.AtLines,
	}
	lines, loaded := v.linesNamed(cb, f.Resource)
	if loaded {
		made.FileLink = lines.String()
	}
	for _, place := range f.Places {
		if place.Cell != "" {
			made.Cases = append(made.Cases, place.Cell)
		}
	}
	if n := len(made.Cases); n > 0 {
		made.CasesTitle = v.Fill(v.Words.Cases, f.Count)
		if int64(n) < f.Count {
			made.CasesTitle = v.Fill(v.Words.FirstCases, f.Count, n)
		}
	}
	for _, line := range linesOf(f) {
		text := choice{Text: strconv.FormatInt(line, 10)}
		if loaded {
			text.Link = lines.toLine(line)
		}
		made.Lines = append(made.Lines, text)
	}
	return made
}

// linesNamed leads to the lines of a file, if it was loaded.
func (v *visit) linesNamed(cb *cube.Cube, resource string) (address, bool) {
	i := slices.IndexFunc(cb.Resources, func(r cube.Resource) bool { return r.Name == resource })
	if i < 0 || cb.Resources[i].LeftOut != "" {
		return address{}, false
	}
	return v.linesOf(cb, cb.Resources[i]), true
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
	_, elsewhere := f.Params["resource"]
	if texts, ok := f.Params["lines"].([]string); ok && !elsewhere {
		for _, text := range texts {
			if line, err := strconv.ParseInt(text, 10, 64); err == nil {
				list = append(list, line)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// checkedFiles holds each file against what the descriptor declares of it.
func (v *visit) checkedFiles(cb *cube.Cube, report *controlled) []checkedFile {
	var list []checkedFile
	for _, r := range report.Resources {
		made := checkedFile{
			Path: r.Path, Rows: v.Fill(v.Words.Cells, r.Rows), Years: yearsIn(r.Found), Bytes: v.Bytes(r.Found.Bytes), Hash: r.Found.Hash,
			Size: v.verdict(r.Size(), v.Bytes(r.Declared.Bytes)), Content: v.verdict(r.Hash(), cmp.Or(r.Declared.Hash, r.Declared.HashCopy)),
		}
		if lines, loaded := v.linesNamed(cb, r.Name); loaded {
			made.Link = lines.String()
		}
		if i := slices.IndexFunc(cb.Resources, func(of cube.Resource) bool { return of.Name == r.Name }); i >= 0 {
			made.Note = v.leftOut(cb.Resources[i])
		}
		list = append(list, made)
	}
	return list
}

// leftOut says what of a file was not loaded, or "".
func (v *visit) leftOut(r cube.Resource) string {
	switch {
	case r.Repeats:
		return v.Words.LeftRepeats
	case r.LeftOut != "":
		return v.Words.LeftMissing
	case len(r.SkipLines) > 0:
		return v.Fill(v.Words.LeftRows, len(r.SkipLines))
	}
	return ""
}

// verdict writes what became of a declaration.
func (v *visit) verdict(is findings.Verdict, declared string) verdict {
	switch is {
	case findings.Verified:
		return verdict{good, v.Words.AsDeclared}
	case findings.Differs:
		return verdict{bad, v.Fill(v.Words.Declared, declared)}
	case findings.NotChecked:
		return verdict{unknown, v.Words.NotChecked}
	}
	return verdict{unknown, v.Words.NotDeclared}
}

// totalsTable writes the control totals, or nil if there are none.
func (v *visit) totalsTable(cb *cube.Cube, c *controlled) *totalsTable {
	if c.sums == 0 {
		return nil
	}
	made := &totalsTable{Heads: []string{v.Words.Rows}, Result: verdict{good, v.Fill(v.Words.TotalsSame, c.sums)}}
	if c.differ > 0 {
		made.Result = verdict{bad, v.Fill(v.Words.TotalsNot, c.differ, c.sums)}
	}
	if cb.Model.Snapshots() != nil {
		made.Note = v.Words.TotalsOfAll
	}
	scales := []int32{0}
	for _, a := range c.aggregates {
		measure, _ := cb.Model.Measure(a.Measure) // the plan has it of the model
		made.Heads = append(made.Heads, prose.MeasureTitle(measure, v.Language))
		scales = append(scales, a.Scale)
	}
	for _, y := range c.years {
		row := totalsRow{Year: cmp.Or(y.year, "–")}
		for i, p := range y.pairs {
			cell := totalsCell{Control: v.totalText(p.control, scales[i])}
			if !p.same() {
				cell.Answered = v.Fill(v.Words.Answered, v.totalText(p.answered, scales[i]))
			}
			row.Cells = append(row.Cells, cell)
		}
		made.Years = append(made.Years, row)
	}
	return made
}

// totalText writes a number, and a dash where there is none.
func (v *visit) totalText(n decimal.NullDecimal, scale int32) string {
	if !n.Valid {
		return "–"
	}
	return v.Decimal(n.Decimal, scale)
}

// coverage lists the fields that are empty in some years of the rows, and the others, with how much of their cells are filled.
func (v *visit) coverage(cb *cube.Cube, report *controlled) (gaps, others []coveredField) {
	rows, filled := int64(0), map[string]int64{}
	var names []string
	for _, r := range cb.Resources {
		if r.LeftOut == "" {
			rows += r.Found.Rows - int64(len(r.SkipLines))
		}
	}
	for _, c := range report.Coverage {
		if !slices.Contains(names, c.Column) {
			names = append(names, c.Column)
		}
		if _, loaded := v.linesNamed(cb, c.Resource); loaded {
			filled[c.Column] += c.Filled
		}
	}
	for _, name := range names {
		made := coveredField{Name: name, Title: v.fieldTitle(cb.Model, name), Filled: "–"}
		if rows > 0 {
			part := decimal.Min(decimal.NewFromInt(filled[name]).DivRound(decimal.NewFromInt(rows), 8), decimal.NewFromInt(1))
			made.Filled = v.Share(part)
		}
		if cb.Coverage == nil {
			others = append(others, made)
			continue
		}
		empty := cb.Coverage.Gap(name, cb.Coverage.Years)
		if len(empty) == 0 {
			others = append(others, made)
			continue
		}
		made.EmptyIn = v.Years(empty)
		for i, year := range cb.Coverage.Years {
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
func (v *visit) fieldTitle(m *cube.Model, name string) string {
	if measure, ok := m.Measure(name); ok {
		return cmp.Or(measure.Titles.In(v.Language), measure.Title)
	}
	level, _ := m.Level(name)
	return level.Titles.In(v.Language)
}

// yearsIn writes the fiscal years of a file, or "".
func yearsIn(f cube.Found) string {
	if f.FirstYear == 0 {
		return ""
	}
	return span(cube.Integer(f.FirstYear), cube.Integer(f.LastYear))
}
