package storetest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
)

// names counts, for each member of a level, the rows that give it a name in a year: path → year → name → rows.
// A missing year counts as the earliest.
type names map[string]map[int64]map[string]int

// earliest stands for a missing year.
const earliest = -1 << 62

// namesOf reads what all rows call the members of a level.
func (o *oracle) namesOf(level cube.Level) names {
	if known, ok := o.names[level.Ref]; ok {
		return known
	}
	all, tidy := names{}, map[string]string{}
	for _, row := range o.rows {
		cell := row[o.places[level.LabelRef]]
		name, known := tidy[cell]
		if !known {
			name = tidied(cell)
			tidy[cell] = name
		}
		if name == "" {
			continue
		}
		var path []cube.Value
		for _, field := range level.Path {
			column, _ := o.model.Column(field)
			path = append(path, o.value(row, column))
		}
		all.count(pathText(path), o.year(row), name)
	}
	o.names[level.Ref] = all
	return all
}

func (n names) count(path string, year int64, name string) {
	if n[path] == nil {
		n[path] = map[int64]map[string]int{}
	}
	if n[path][year] == nil {
		n[path][year] = map[string]int{}
	}
	n[path][year][name]++
}

func (o *oracle) year(row []string) int64 {
	if column, ok := o.model.FiscalYear(); ok {
		if year, ok := o.value(row, column).Int(); ok {
			return year
		}
	}
	return earliest
}

var space = regexp.MustCompile(`[\p{Z}\p{Cc}]+`)

// tidied is a label as it is displayed.
func tidied(label string) string { return strings.Trim(space.ReplaceAllString(label, " "), " ") }

// labels are the names of a level's members to show in the answer to a plan.
type labels struct {
	names    names
	admitted func(year int64) bool
}

// labels gives those of the plan's levels.
func (o *oracle) labels(plan *cube.Plan) []labels {
	all := make([]labels, len(plan.Levels()))
	for i, level := range plan.Levels() {
		if level.LabelRef != "" {
			all[i] = labels{o.namesOf(level), o.admits(plan)}
		}
	}
	return all
}

// of gives the label of a member: of the latest year that is admitted and in which it has a name, the name of
// most rows, and of those the smallest text; without any, its key.
func (l labels) of(path []cube.Value) cube.Value {
	best, latest := map[string]int(nil), int64(0)
	for year, names := range l.names[pathText(path)] {
		if l.admitted(year) && (best == nil || year > latest) {
			best, latest = names, year
		}
	}
	if best == nil {
		return cube.Text(path[len(path)-1].String())
	}
	names := []string{}
	for name := range best {
		names = append(names, name)
	}
	return cube.Text(slices.MinFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a, b))
	}))
}

// admits tells which fiscal years the cuts of a plan admit, whatever else they ask of a row.
func (o *oracle) admits(plan *cube.Plan) func(year int64) bool {
	fiscal, ok := o.model.FiscalYear()
	return func(year int64) bool {
		value := cube.Integer(year)
		if year == earliest {
			value = cube.Missing
		}
		return !ok || !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
			return o.judge(f, func(c cube.Column) (cube.Value, bool) { return value, c.Name == fiscal.Name }) == no
		})
	}
}
