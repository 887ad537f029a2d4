package caveat

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Missing is a cut that names members which do not exist.
type Missing struct {
	Filter plan.Filter
	Named  []plan.NamedMember // the first of them
	Meant  []Meant            // what was probably meant by each of the first of Named
	More   int                // how many are not in Named
}

// Meant is what was probably meant by a member that does not exist: a name, or the same name in other years, or nothing.
type Meant struct {
	Name  string
	Years []int64
}

// missing: a cut names members that do not exist, so the number is not of what was asked.
func missing(e Evidence) []Caveat { return of(cube.WarnNoSuchMember, cube.Note, e.Missing) }

// Nothing is why no row passes the cuts: a filter that none passes or, without one, all filters together; or rows pass that are in
// snapshots which are not counted.
type Nothing struct {
	Filter    *plan.Filter
	Uncounted int64 // rows
	By        string
	Periods   []cube.Period
}

// nothing: an empty answer is correct, but often not what was meant.
func nothing(e Evidence) []Caveat { return of(cube.WarnNothingMatches, cube.Note, e.Nothing) }

// Snapshots is which snapshots of the same money are counted. Measures that flow add all of them up.
type Snapshots struct {
	By, Form         string // Form is one of the forms below
	Per              []string
	Most             int           // how many times the same money is counted
	Counts           bool          // facts have the column that says which amounts count them
	Periods          []cube.Period // with the last snapshots
	Flows, FactFlows []string      // measures
	Compared         []cube.Period // those of the other side of a comparison
	ComparedFlows    []string
}

// The forms of Snapshots.
const (
	CountsAll    = "all"
	CountsOwn    = "own"  // each cell is one; the summary counts the last
	CountsLast   = "last" //
	ComparesOnly = ""     // there is no choice but on the other side
)

// snapshots: a question that adds up all of them counts the same money several times; otherwise the last of each period counts.
func snapshots(e Evidence) []Caveat {
	p, declared := e.Plan, e.Plan.Cube().Model.Snapshots()
	s := Snapshots{}
	if c := p.Comparison(); c != nil && len(c.SameSnapshots) > 0 {
		s.Compared, s.ComparedFlows = c.SameSnapshots, flowing(p.Measures())
	}
	if !p.HasSeveralSnapshots() {
		if s.Compared == nil {
			return nil
		}
		s.By = declared.By
		return one(cube.WarnSnapshotDefault, cube.Background, s)
	}
	s.By, s.Per = declared.By, declared.Per
	if p.CountsAll() {
		s.Form, s.Counts, s.Compared, s.ComparedFlows = CountsAll, p.HasCounts(), nil, nil
		for _, period := range p.Periods() {
			s.Most = max(s.Most, len(period.Snapshots))
		}
		return one(cube.WarnSnapshotsAll, cube.Stop, s)
	}
	s.Form, s.Periods, s.Flows, s.FactFlows = CountsLast, p.Periods(), flowing(p.Measures()), flowing(p.FactFlows())
	if p.Summary() != nil {
		s.Form = CountsOwn
	}
	return one(cube.WarnSnapshotDefault, cube.Background, s)
}

// flowing names the measures that add up over snapshots.
func flowing(measures []cube.Measure) (list []string) {
	for _, m := range measures {
		if m.Flow {
			list = append(list, m.Ref)
		}
	}
	return list
}

// Field is the name of a field.
type Field string

// undeclaredSnapshots: rows that may be snapshots of the same money are added up.
func undeclaredSnapshots(e Evidence) []Caveat {
	if field := e.Plan.Cube().SnapshotsSuspected; field != "" && !slices.Contains(e.Plan.FieldsAsked(), field) {
		return one(cube.WarnSnapshotsUndeclared, cube.Stop, Field(field))
	}
	return nil
}

// Lines are lines of files, by resource.
type Lines map[string][]string

// namedTotals: rows that look like totals are added up with the rows that they may be the totals of.
func namedTotals(e Evidence) []Caveat {
	return totals(e.Plan, e.Plan.Cube().NamedTotals, cube.WarnLooksLikeTotal, cube.Stop)
}

// totalsLeftOut: rows are not counted, since they are the totals of others.
func totalsLeftOut(e Evidence) []Caveat {
	return totals(e.Plan, e.Plan.Cube().TotalsLeftOut, cube.WarnTotalsLeftOut, cube.Background)
}

// totals are those of the rows that the cuts admit.
func totals(p *plan.Plan, rows []cube.NamedTotal, code string, weight cube.Weight) []Caveat {
	lines := Lines{}
	for _, total := range rows {
		if p.MayCount(total.Cells) {
			lines[total.Resource] = append(lines[total.Resource], strconv.FormatInt(total.Line, 10))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return one(code, weight, lines)
}

// overlaps: several resources have the rows of a year, which are counted more than once.
func overlaps(e Evidence) []Caveat {
	year, _ := e.Plan.Cube().Model.FiscalYear()
	isOut := func(o cube.YearOverlap) bool { return !e.Plan.MayCount(map[string]string{year.Name: o.Year}) }
	return of(cube.WarnYearsOverlap, cube.Stop, slices.DeleteFunc(slices.Clone(e.Plan.Cube().Overlaps), isOut))
}

// Resources are names of resources.
type Resources []string

// resourcesLeftOut: the rows of a resource are not counted, since others have them.
func resourcesLeftOut(e Evidence) []Caveat {
	var left Resources
	years := e.Plan.Years()
	for _, resource := range e.Plan.Cube().Resources {
		found := resource.Found
		isAsked := func(year int64) bool { return found.FirstYear <= year && year <= found.LastYear }
		if resource.Repeats && (len(years) == 0 || slices.ContainsFunc(years, isAsked)) {
			left = append(left, resource.Name)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return one(cube.WarnResourceLeftOut, cube.Background, left)
}

// Early is the periods whose last snapshot is earlier than the latest of another period.
type Early struct {
	By      string
	Per     []string
	Latest  cube.Value
	Periods []cube.Period
}

// early: of some periods there are some months only.
func early(e Evidence) []Caveat {
	all := e.Plan.Periods()
	if e.Plan.CountsAll() || len(all) == 0 {
		return nil
	}
	latest := slices.MaxFunc(all, func(a, b cube.Period) int { return cmp.Compare(a.Last().Stage, b.Last().Stage) }).Last()
	periods := slices.DeleteFunc(slices.Clone(all), func(p cube.Period) bool { return p.Last().Stage == latest.Stage })
	if len(periods) == 0 {
		return nil
	}
	declared := e.Plan.Cube().Model.Snapshots()
	return one(cube.WarnPeriodIncomplete, cube.Note, Early{declared.By, declared.Per, latest.Value, periods})
}

// levelsAbsent: a level that is asked for is empty in some of the years.
func levelsAbsent(e Evidence) []Caveat {
	return gaps(e.Plan, e.Plan.FieldsAsked(), (*cube.YearCoverage).Gap, cube.WarnLevelAbsent, cube.Background)
}

// measuresAbsent: a sum is of fewer years than were asked for.
func measuresAbsent(e Evidence) []Caveat {
	return gaps(e.Plan, refs(e.Plan.Measures()), (*cube.YearCoverage).Gap, cube.WarnMeasureAbsent, cube.Note)
}

// measuresZero: zeros that are probably not known are added up.
func measuresZero(e Evidence) []Caveat {
	return gaps(e.Plan, refs(e.Plan.Measures()), (*cube.YearCoverage).Zero, cube.WarnMeasureZero, cube.Note)
}

func refs(measures []cube.Measure) []string {
	return each.Text(measures, func(m cube.Measure) string { return m.Ref })
}

// gaps are the fields that are empty, or 0, in some of the years asked.
func gaps(p *plan.Plan, fields []string, in func(*cube.YearCoverage, string, []int64) []int64, code string, weight cube.Weight) (list []Caveat) {
	years := p.Years()
	if len(years) == 0 {
		return nil
	}
	for _, field := range fields {
		if gap := in(p.Cube().Coverage, field, years); len(gap) > 0 {
			list = append(list, one(code, weight, cube.YearGap{Column: field, Years: gap})...)
		}
	}
	return list
}

// WithoutFactor is the years whose amounts are null in real terms or per head, for want of a value of a series.
type WithoutFactor struct {
	Series  []string
	Years   []int64
	Missing bool // and the rows without a year
}

// seriesAbsent: sums with such amounts are null.
func seriesAbsent(e Evidence) []Caveat {
	years, missing := e.Plan.YearsWithoutFactor()
	if len(years) == 0 && !missing {
		return nil
	}
	w := WithoutFactor{Years: years, Missing: missing}
	w.Series = append(w.Series, each.Text(e.Plan.Series(), func(s cube.Series) string { return s.Title })...)
	return one(cube.WarnSeriesAbsent, cube.Note, w)
}

// Together is a field of time, such as months, of which cells put several years together.
type Together struct {
	Field, Year string
	Years       []int64
}

// yearsTogether: a cell of a month is of that month of several years.
func yearsTogether(e Evidence) (list []Caveat) {
	year, _ := e.Plan.Cube().Model.FiscalYear()
	for _, field := range e.OverYears {
		list = append(list, one(cube.WarnYearsTogether, cube.Background, Together{field.Name, year.Name, e.Plan.Years()})...)
	}
	return list
}

// YearsDiffer is formulas that are null where they would put together amounts of different years.
type YearsDiffer struct {
	Formulas []plan.Aggregate
	Missing  []cube.YearGap // which measure has no amounts in which years
	Common   []int64        // the years that have all
	Drills   bool           // the year can be drilled instead
	Field    string         // the fiscal year
}

// yearsDiffer: formulas with the same reason share a caveat. Drilling does not help if the year is drilled already, or for a share,
// which divides by the sum of all years.
func yearsDiffer(e Evidence) []Caveat {
	p := e.Plan
	year, _ := p.Cube().Model.FiscalYear()
	at := map[string]int{}
	var found []YearsDiffer
	for _, a := range p.MixedYears() {
		years := p.YearsOf(a)
		d := YearsDiffer{Common: slices.Clone(years), Drills: p.YearKey() < 0 && !a.Uses(cube.Share), Field: year.Name}
		for _, name := range a.Measures() {
			gap := p.Cube().Coverage.Gap(name, years)
			if len(gap) > 0 {
				d.Missing = append(d.Missing, cube.YearGap{Column: name, Years: gap})
			}
			d.Common = slices.DeleteFunc(d.Common, func(y int64) bool { return slices.Contains(gap, y) })
		}
		reason := fmt.Sprint(d.Missing, d.Drills)
		i, known := at[reason]
		if !known {
			i = len(found)
			at[reason], found = i, append(found, d)
		}
		found[i].Formulas = append(found[i].Formulas, a)
	}
	return of(cube.WarnYearsDiffer, cube.Background, found)
}

// NotCompared is the points on an axis that are compared with nothing.
type NotCompared struct {
	Axis   string
	Points []plan.WithoutCounterpart
}

// Partial is the measures that have amounts in other years on one side of a comparison than on the other.
type Partial struct {
	Axis     string
	Measures []string
	Sums     bool // over several years, which are not compared
}

// notCompared: what has no counterpart is no change.
func notCompared(e Evidence) (list []Caveat) {
	c := e.Plan.Comparison()
	if c == nil {
		return nil
	}
	if len(e.WithoutCounterpart) > 0 {
		list = append(list, one(cube.WarnNotCompared, cube.Background, NotCompared{c.Axis.Name, e.WithoutCounterpart})...)
	}
	if len(c.PartialYears) > 0 {
		list = append(list, one(cube.WarnNotCompared, cube.Background, Partial{c.Axis.Name, c.PartialYears, c.SumsManyYears})...)
	}
	return list
}

// SameMember is a member that is compared with a member of another edition, with the labels of both.
type SameMember struct {
	plan.SamePair
	Label, OtherLabel cube.Value // missing if they are not known
}

// SameMembers are those of one level.
type SameMembers struct {
	Level   string
	Members []SameMember
}

// sameMembers: codes changed, and the overlay says which are the same.
func sameMembers(e Evidence) []Caveat {
	var levels []SameMembers
	for _, m := range e.Same {
		i := slices.IndexFunc(levels, func(s SameMembers) bool { return s.Level == m.Level })
		if i < 0 {
			i, levels = len(levels), append(levels, SameMembers{Level: m.Level})
		}
		levels[i].Members = append(levels[i].Members, m)
	}
	return of(cube.WarnSameAs, cube.Background, levels)
}

// Breaks are changes of names that rows cross in one way.
type Breaks struct {
	Way    Way
	Breaks []history.Crossed
}

// Way is how rows cross changes of names.
type Way string

// The ways.
const (
	SumsReused     Way = "sums-reused"     // a row adds up both things
	NamesReused    Way = "names-reused"    // or has the later name
	ComparesReused Way = "compares-reused" // or is not compared
	ChangesName    Way = "changes-name"    // things only have another name
)

// labelBreaks: codes that mean another thing are named where a row adds up both things, else where it has the later name, and where
// it is not compared. Things that only have another name are named together. A level that was numbered anew is named with the year, if
// rows add up or compare years before and after.
func labelBreaks(e Evidence) (list []Caveat) {
	add := func(code string, weight cube.Weight, way Way, admit func(history.Crossed) bool) {
		if all := slices.DeleteFunc(slices.Clone(e.Breaks), func(c history.Crossed) bool { return !admit(c) }); len(all) > 0 {
			list = append(list, one(code, weight, Breaks{way, all})...)
		}
	}
	add(cube.WarnCodeReused, cube.Note, SumsReused, func(c history.Crossed) bool { return c.Reused && c.Sums })
	add(cube.WarnCodeReused, cube.Background, NamesReused, func(c history.Crossed) bool { return c.Reused && c.Names && !c.Sums })
	add(cube.WarnNotCompared, cube.Background, ComparesReused, func(c history.Crossed) bool { return c.Reused && c.Compares })
	add(cube.WarnLabelChanged, cube.Background, ChangesName, func(c history.Crossed) bool { return !c.Reused })
	return append(list, of(cube.WarnLevelRenumbered, cube.Background, e.Plan.LabelBreaks().Renumbered())...)
}

// Having is which sums include only what having keeps.
type Having string

// What includes only that.
const (
	RemaindersOfNodes Having = "remainders-of-nodes"
	SumsOfKept        Having = "sums-of-kept"
	SumsOfCells       Having = "sums-of-cells"
)

// having: sums of what a condition keeps are not those of all.
func having(e Evidence) []Caveat {
	p := e.Plan
	remainders, subtotals := p.Remainder() && !e.NoRemainder, p.Rollup() && len(p.Steps()) > 1
	sums := SumsOfCells
	switch shares := p.Uses(cube.Share, cube.ShareOfParent); {
	case len(p.NodeHaving()) > 0 && remainders:
		sums = RemaindersOfNodes
	case p.FiltersShares() && (subtotals || remainders):
		sums = SumsOfKept
	case p.FiltersShares():
		return nil
	case len(p.Having()) > 0 && (subtotals || remainders || shares):
	default:
		return nil
	}
	return one(cube.WarnHavingSums, cube.Background, sums)
}

// orderInexact: cells are too many to be sorted exactly; the parameter is how many are.
func orderInexact(e Evidence) []Caveat {
	if !e.SortedByDouble {
		return nil
	}
	return one(cube.WarnOrderInexact, cube.Background, int64(plan.MostSorted))
}

// financing: the sum has money that is neither revenue nor expenditure, which a cut leaves out.
func financing(e Evidence) (list []Caveat) {
	for _, f := range e.Financing {
		list = append(list, Caveat{Code: cube.WarnFinancing, Weight: cube.Note, Params: f, Remedy: []query.Cut{plan.WithoutFinancing(f)}})
	}
	return list
}

// qualifiers: a sum may be over phases, directions or currencies.
func qualifiers(e Evidence) []Caveat {
	return of(cube.WarnQualifierUndeclared, cube.Stop, e.Plan.AddsOver())
}

// notes are those of the overlay, which every answer has.
func notes(e Evidence) []Caveat { return of(cube.WarnNote, cube.Background, e.Plan.Cube().Notes) }
