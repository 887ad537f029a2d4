package cube

import (
	"fmt"
	"slices"
	"strings"
)

// Warning is what an asker should know of a right answer.
type Warning struct {
	Code    string `json:"code"` // for machines
	Message string `json:"message"`
}

// The codes of warnings.
const (
	WarnSnapshotDefault     = "snapshot-default"     // of several statements of the same money one is counted
	WarnSnapshotsAll        = "snapshots-all"        // all are, as was asked
	WarnSnapshotsUndeclared = "snapshots-undeclared" // all are, as nobody said that they are statements
	WarnPeriodIncomplete    = "period-incomplete"    // the statement that is counted is earlier than other periods'
	WarnLevelAbsent         = "level-absent"         // a level is empty in some of the years asked
	WarnMeasureAbsent       = "measure-absent"       // a measure is
	WarnHavingSums          = "having-sums"          // subtotals, remainders and shares are of what having keeps
	WarnYearsDiffer         = "years-differ"         // what a formula is of has amounts in different ones of the years asked
	WarnNothingMatches      = "nothing-matches"      // the cuts admit no row
	WarnNotCompared         = "not-compared"         // what an answer is to be compared with is not there
	WarnNoSuchMember        = "no-such-member"       // a cut names a member that is not there
	WarnNote                = "note"                 // what a person said of the package
)

// Warnings tells what an asker should know of the answer, in a fixed order: notes, which every answer of the
// package carries, come last. Of members that are not there it tells once Engine.Check looked for them.
func (p *Plan) Warnings() []Warning {
	list := slices.Clone(p.found)
	for _, pass := range []func() []Warning{
		p.warnSnapshots, p.warnUndeclared, p.warnIncomplete, p.warnLevels, p.warnMeasures, p.warnMixed, p.warnCompared, p.warnHaving,
		p.warnNotes,
	} {
		list = append(list, pass()...)
	}
	return list
}

func warning(code, format string, args ...any) []Warning {
	return []Warning{{code, fmt.Sprintf(format, args...)}}
}

// warnSnapshots says which statements are counted, where there is a choice.
func (p *Plan) warnSnapshots() []Warning {
	if !repeated(p.stated) {
		return nil
	}
	w, snapshots := p.words(), p.cube.Model.Snapshots()
	each := w.periods(w.each, snapshots)
	if p.all {
		most := 0
		for _, period := range p.stated {
			most = max(most, len(period.snapshots))
		}
		return warning(WarnSnapshotsAll, w.all, snapshots.By, each, most)
	}
	format, flows := w.last, ""
	if p.summary != nil {
		format = w.own
	}
	if list := slices.DeleteFunc(p.Measures(), func(m Measure) bool { return !m.Flow }); len(list) > 0 {
		flows = fmt.Sprintf(w.flows, strings.Join(texts(list, func(m Measure) string { return m.Ref }), ", "))
	}
	return warning(WarnSnapshotDefault, format, snapshots.By, each, w.statements(p.stated), flows)
}

// warnUndeclared speaks where the same money may be added up and nobody said what its statements are.
func (p *Plan) warnUndeclared() []Warning {
	field := p.cube.SnapshotsSuspected
	if field == "" || slices.Contains(p.fieldsAsked(), field) {
		return nil
	}
	return warning(WarnSnapshotsUndeclared, p.words().undeclared, field)
}

// warnIncomplete names the periods whose last statement is earlier than that of another.
func (p *Plan) warnIncomplete() []Warning {
	if p.all || len(p.stated) == 0 {
		return nil
	}
	latest := slices.MaxFunc(p.stated, func(a, b period) int { return compareRanks(a.last(), b.last()) }).last()
	early := slices.DeleteFunc(slices.Clone(p.stated), func(q period) bool { return compareRanks(q.last(), latest) == 0 })
	if len(early) == 0 {
		return nil
	}
	w, snapshots := p.words(), p.cube.Model.Snapshots()
	return warning(WarnPeriodIncomplete, w.early, snapshots.By, w.periods(w.some, snapshots), w.value(latest.value), w.statements(early))
}

// years gives the fiscal years that the filters admit.
func (p *Plan) years() []int64 {
	column, ok := p.cube.Model.FiscalYear()
	if !ok || p.cube.Coverage == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.cube.Coverage.Years), func(year int64) bool {
		return slices.ContainsFunc(p.filters, func(f Filter) bool {
			return f.verdict(func(field string) (Value, bool) { return Integer(year), field == column.Name }) == no
		})
	})
}

// warnLevels names the levels drilled or cut that are empty in some of the years asked.
func (p *Plan) warnLevels() []Warning {
	return p.warnGaps(p.fieldsAsked(), WarnLevelAbsent, p.words().levelAbsent)
}

// warnMeasures names the measures that have no amounts in some of the years asked.
func (p *Plan) warnMeasures() []Warning {
	return p.warnGaps(measuresOf(p.aggregates), WarnMeasureAbsent, p.words().measureAbsent)
}

func (p *Plan) warnGaps(fields []string, code, format string) []Warning {
	var list []Warning
	years := p.years()
	if len(years) == 0 {
		return nil
	}
	for _, field := range fields {
		if gap := p.cube.Coverage.gap(field, years); len(gap) > 0 {
			list = append(list, warning(code, format, field, p.words().years(gap))...)
		}
	}
	return list
}

// fieldsAsked names the fields that are drilled or cut, each once: the keys, then the others by the order of the cuts.
func (p *Plan) fieldsAsked() []string {
	fields := texts(p.keys, func(c Column) string { return c.Name })
	for _, f := range p.filtersBy(false) {
		for _, tests := range f.Any {
			for _, t := range tests {
				if !slices.Contains(fields, t.Column.Name) {
					fields = append(fields, t.Column.Name)
				}
			}
		}
	}
	return fields
}

// warnNotes gives what the overlay says that a reader must know.
func (p *Plan) warnNotes() []Warning {
	var list []Warning
	for _, note := range p.cube.Notes {
		list = append(list, warning(WarnNote, "%s", note.In(p.language))...)
	}
	return list
}
