package caveat

import (
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// isOfAmounts tells whether the evidence is of an answer with amounts, and not of a list of members, of a count or of nothing.
func (e Evidence) isOfAmounts() bool {
	hasAmount := func(value decimal.NullDecimal) bool { return value.Valid }
	return len(e.Plan.Measures()) > 0 && len(e.Nothing)+len(e.Missing) == 0 && slices.ContainsFunc(e.Values, hasAmount)
}

// Excerpt is how few rows a budget has; Of is one with the same title and many more, if there is one.
type Excerpt struct {
	Rows    int64 // a year, if it has several
	Several bool
	Of      *cube.Larger
}

// excerpt: the total of a part is not that of a budget.
func excerpt(e Evidence) []Caveat {
	cb := e.Plan.Cube()
	if !e.isOfAmounts() || !cb.IsPart() {
		return nil
	}
	rows, several := cb.RowsOfYear()
	return one(cube.WarnExcerpt, cube.Note, Excerpt{max(1, rows), several, cb.Larger})
}

// OnlyMembers are the members that all rows are of.
type OnlyMembers []cube.OnlyMember

// onlyMembers: the total of an excerpt is that of these members, unless a cut says so itself.
func onlyMembers(e Evidence) []Caveat {
	if !e.isOfAmounts() || !e.Plan.Cube().MayBeExcerpt() {
		return nil
	}
	isCut := func(m cube.OnlyMember) bool {
		return slices.ContainsFunc(e.Plan.FiltersAsked(), func(f plan.Filter) bool {
			level, ok := f.Level(e.Plan.Cube().Model)
			return ok && slices.Contains(level.Path, m.Level)
		})
	}
	only := OnlyMembers(slices.DeleteFunc(slices.Clone(e.Plan.Cube().OnlyMembers), isCut))
	if len(only) == 0 {
		return nil
	}
	return one(cube.WarnOneMember, cube.Note, only)
}

// comparedBy is the offset to the fiscal years that the plan compares its own with; 0 without any.
func comparedBy(p *plan.Plan) int64 {
	if c := p.Comparison(); c != nil && c.Axis.FiscalYear {
		return c.Offset
	}
	return 0
}

// jumps: of a year with an amount of another order than the year before, rows are missing, or of the year before. They matter to the sum of
// the one or the other or, of one year that is compared, to the change. Of a member of a whole budget an amount jumps without that.
func jumps(e Evidence) []Caveat {
	p, cb := e.Plan, e.Plan.Cube()
	main := p.Aggregates()[0]
	if e.Values == nil || cb.Coverage == nil || main.Func != cube.Sum || !cb.IsPart() && ChoosesMembers(p) {
		return nil
	}
	i := slices.IndexFunc(cb.Coverage.Jumps, func(j cube.YearJumps) bool { return j.Column == main.Measure })
	if i < 0 {
		return nil
	}
	years := p.Years()
	isOf := func(year int64) bool { return slices.Contains(years, year) }
	mattersUp := func(year int64) bool { return isOf(year) || isOf(year-1) }
	mattersDown := isOf
	if offset := comparedBy(p); offset != 0 && len(years) == 1 {
		first, last := min(years[0], years[0]+offset), max(years[0], years[0]+offset)
		mattersUp = func(year int64) bool { return first < year && year <= last+1 }
		mattersDown = func(year int64) bool { return first <= year && year <= last }
	}
	only := func(years []int64, matters func(int64) bool) []int64 {
		return slices.DeleteFunc(slices.Clone(years), func(year int64) bool { return !matters(year) })
	}
	found := cube.YearJumps{Column: main.Measure, Up: only(cb.Coverage.Jumps[i].Up, mattersUp), Down: only(cb.Coverage.Jumps[i].Down, mattersDown)}
	if len(found.Up)+len(found.Down) == 0 {
		return nil
	}
	return one(cube.WarnJump, cube.Note, found)
}

// ChoosesMembers tells whether cuts choose among the members of a dimension that is not of time.
func ChoosesMembers(p *plan.Plan) bool {
	return slices.ContainsFunc(p.FiltersAsked(), func(f plan.Filter) bool {
		level, _ := f.Level(p.Cube().Model)
		dimension, _ := p.Cube().Model.Dimension(level.Dimension)
		year, _ := p.Cube().Model.FiscalYear()
		return dimension.Type != cube.DimensionTime && !f.Names(year.Name)
	})
}

// names tells whether a cut is on a field.
func names(p *plan.Plan, field string) bool {
	return slices.ContainsFunc(p.FiltersAsked(), func(f plan.Filter) bool { return f.Names(field) })
}

// Until is the last report of each period, up to which amounts go.
type Until struct {
	By   string
	Last cube.Snapshot
}

// until: amounts end with the last report. Of a whole year that is said where there is one report of each period and so nothing to choose.
func until(e Evidence) []Caveat {
	last, ok := LastReport(e.Plan)
	weight := cube.Background
	switch {
	case !ok || !e.isOfAmounts():
		return nil
	case e.Plan.Cube().IsOfPart(last):
		weight = cube.Note
	case e.Plan.HasSeveralSnapshots():
		return nil
	}
	return one(cube.WarnUntil, weight, Until{e.Plan.Cube().Model.Snapshots().By, last})
}

// LastReport is the report up to which the amounts of a plan go in each of its periods; ok is false where a cut chooses it, and where it is not the
// same of all, which early says.
func LastReport(p *plan.Plan) (last cube.Snapshot, ok bool) {
	if len(p.Periods()) == 0 || p.CountsAll() || names(p, p.Cube().Model.Snapshots().By) {
		return last, false
	}
	last = p.Periods()[0].Last()
	return last, !slices.ContainsFunc(p.Periods(), func(period cube.Period) bool { return period.Last().Value != last.Value })
}

// partsOfYears: of some years, or of those that they are compared with, there are some months only.
func partsOfYears(e Evidence) []Caveat {
	if !e.isOfAmounts() {
		return nil
	}
	years, offset := e.Plan.Years(), comparedBy(e.Plan)
	years = append(years, each.Of(years, func(year int64) int64 { return year + offset })...)
	slices.Sort(years)
	return of(cube.WarnPartOfYear, cube.Note, PartsOf(e.Plan, slices.Compact(years)))
}

// PartsOf lists the years of which a budget has a part alone, unless the cuts of a plan choose the periods.
func PartsOf(p *plan.Plan, years []int64) []cube.PartOfYears {
	return slices.DeleteFunc(p.Cube().PartsOf(years), func(part cube.PartOfYears) bool { return names(p, part.Level.Ref) })
}

// Rate is a rate of what was executed to what was approved.
type Rate struct {
	Executed, Approved string
	IsOfRevenue        bool
	Changed            string            // the measure with the amounts as they were changed during the year, if there is one
	Part               *cube.PartOfYears // that what was executed is of
}

// lowRate is below what is usually executed of what was approved, where all of that is published.
var lowRate = decimal.New(1, -1)

// rates: of the first rate of a total that looks odd. More than was approved at first can be executed, and so little usually means that it
// is published in part. What was executed in a part of a year is no rate of the year.
func rates(e Evidence) (list []Caveat) {
	p, years := e.Plan, e.Plan.Years()
	for i, a := range p.Aggregates() {
		if !IsRate(a) || i >= len(e.Values) {
			continue
		}
		rate := e.Values[i]
		executed, _ := p.Cube().Model.Measure(a.Args[0].Measure)
		approved, _ := p.Cube().Model.Measure(a.Args[1].Measure)
		of := Rate{Executed: executed.Ref, Approved: approved.Ref, IsOfRevenue: approved.Direction == "revenue"}
		known := rate.Valid && executed.Phase == "executed" && approved.Phase == "approved" && len(Zeros(p, a, years)) == 0
		parts := PartsOf(p, years)
		if known && rate.Decimal.GreaterThan(decimal.New(1, 0)) {
			of.Changed = changed(p.Cube(), approved, years)
			list = append(list, one(cube.WarnRateAbove, cube.Background, of)...)
			of.Changed = ""
		}
		if known && rate.Decimal.IsPositive() && rate.Decimal.LessThan(lowRate) && len(p.Periods()) == 0 && len(parts) == 0 {
			list = append(list, one(cube.WarnRateBelow, cube.Note, of)...)
		}
		if len(parts) > 0 && isOfThem(parts[0]) && executed.Phase == "executed" && approved.Phase != "" && approved.Phase != executed.Phase {
			of.Part = &parts[0]
			list = append(list, one(cube.WarnRateOfPart, cube.Note, of)...)
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// isOfThem tells whether amounts are certainly of the periods of a part alone: those of a later one may be a report of all before it.
func isOfThem(p cube.PartOfYears) bool { return len(p.Numbers) > 1 || p.Numbers[0] == 1 }

// changed names the measure that has the amounts of another one as they were changed during some years.
func changed(cb *cube.Cube, approved cube.Measure, years []int64) string {
	for _, m := range cb.Model.Measures() {
		other := m
		other.Phase = approved.Phase
		if m.Phase == "adjusted" && other.IsLike(approved) && (cb.Coverage == nil || len(cb.Coverage.Gap(m.Ref, years)) == 0) {
			return m.Ref
		}
	}
	return ""
}

// IsRate tells whether an aggregate divides one measure by another.
func IsRate(a plan.Aggregate) bool { return a.Role == "" && a.Func == cube.Ratio && len(a.Args) == 2 }

// Zeros gives which of the years are published as 0 throughout in a measure of an aggregate.
func Zeros(p *plan.Plan, a plan.Aggregate, years []int64) (list []int64) {
	if p.Cube().Coverage == nil {
		return nil
	}
	for _, measure := range a.Measures() {
		list = append(list, p.Cube().Coverage.Zero(measure, years)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Years are fiscal years.
type Years []int64

// changeUnknown: the change from a year whose amounts are probably not known is none. The year itself has a caveat of its own.
func changeUnknown(e Evidence) []Caveat {
	p, years, offset := e.Plan, e.Plan.Years(), comparedBy(e.Plan)
	at := slices.IndexFunc(p.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RolePercentage })
	if len(years) != 1 || offset == 0 || at < 0 || len(Zeros(p, p.Aggregates()[at], years)) > 0 {
		return nil
	}
	zeros := Zeros(p, p.Aggregates()[at], []int64{years[0] + offset})
	if len(zeros) == 0 {
		return nil
	}
	return one(cube.WarnChangeUnknown, cube.Note, Years(zeros))
}

// LeftBehind is a line that earlier snapshots of a period have and the last one does not, so that no amount has its money.
type LeftBehind struct {
	Period      []cube.Value // its keys
	Member      cube.Value   // of the level that names the line (plan.NotInLast)
	Label       cube.Value   // of that member; missing if it has none
	First, Last cube.Value   // the snapshots that have it
	Amount      decimal.Decimal
}

// Left is the lines of an answer that are left behind, those with the greatest amounts first.
type Left struct {
	Lines   []LeftBehind
	TooMany bool // to be listed
}

// LinesLeft is how many lines are left behind, and what they state: those of the answer, if these are listed, or else of all rows.
type LinesLeft struct {
	Count int64
	Sum   decimal.NullDecimal // invalid if it is too large to be added up
	Scale int32
	Lines []LeftBehind
}

// onePercent of a number is what a note may change it by.
var onePercent = decimal.New(1, -2)

// linesLeft: money that an earlier report of a period has and not the last, which alone is counted, is in no sum of its measure.
func linesLeft(e Evidence) []Caveat {
	p := e.Plan
	main, left := p.Aggregates()[0], p.Cube().LinesLeft
	measure, _ := p.Cube().Model.Measure(main.Measure)
	if e.Values == nil || left == nil || !p.HasSeveralSnapshots() || p.CountsAll() || main.Func != cube.Sum || measure.Flow {
		return nil
	}
	text, ok := left.Sums[main.Measure]
	if !ok {
		return nil
	}
	found := LinesLeft{Count: left.Count, Scale: main.Scale}
	if e.Left != nil && !e.Left.TooMany {
		found.Count, found.Sum.Valid, found.Lines = int64(len(e.Left.Lines)), true, e.Left.Lines
		for _, line := range e.Left.Lines {
			found.Sum.Decimal = found.Sum.Decimal.Add(line.Amount)
		}
	} else if sum, err := decimal.NewFromString(text); err == nil {
		if factor, err := measure.Multiplier(); err == nil {
			found.Sum = decimal.NewNullDecimal(sum.Mul(factor))
		}
	}
	if found.Count == 0 || found.Sum.Valid && found.Sum.Decimal.IsZero() && found.Lines == nil {
		return nil
	}
	weight := cube.Note
	if found.Sum.Valid && found.Sum.Decimal.Abs().LessThanOrEqual(e.Values[0].Decimal.Abs().Mul(onePercent)) {
		weight = cube.Background
	}
	return one(cube.WarnLinesLeft, weight, found)
}
