package explorer

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// lineFields are the levels that tell the lines of a number apart, and what all of the lines have alike.
//
// They are the same on each page of the lines: the first lines of the number decide, whichever are shown, and where there are more, the
// sums of all.
type lineFields struct {
	levels []cube.Level
	alike  []string       // such as Function: Defence (02)
	places map[string]int // of what the facts have of the levels
}

const (
	// mostFields is how many fields tell lines apart beside their amounts.
	mostFields = 4
	// linesLookedAt is how many lines are read to find the fields.
	linesLookedAt = 400
)

// differing is a level with the number of its members among lines.
type differing struct {
	level   cube.Level
	members int
	place   int // how much it says, whatever the number: less is more
}

// fieldsOfLines looks at the first lines that a question asks for. The last level of each chain that they have tells them apart, unless
// all are of one member. The question has the measure of the number among its fields: it decides of which snapshots the lines are.
func (v *visit) fieldsOfLines(r *reading.Reading, q query.FactQuery) (made lineFields, err error) {
	chains := openChains(r.Selection)
	names := map[string]int{}
	for _, field := range q.Fields {
		names[field.Name] = len(names)
	}
	for _, level := range slices.Concat(chains...) {
		for _, name := range fieldsOfLevel(level) {
			if _, has := names[name]; !has {
				names[name] = len(names)
				q.Fields = append(q.Fields, query.Ref{Name: name})
			}
		}
	}
	q.Size = linesLookedAt
	bound, err := plan.BindFacts(r.Cube, q)
	if err != nil {
		return made, err
	}
	seen, err := v.Limiter.FactPage(v.Request().Context(), limits.TimingOf(v.Context), bound, v.Language)
	if err != nil {
		return made, err
	}
	if len(seen.Facts) == 0 {
		return made, nil
	}
	first := seen.Facts[0]
	var list []differing
	for _, chain := range chains {
		for len(chain) > 0 && !anyHas(seen.Facts, names, chain[len(chain)-1]) {
			chain = chain[:len(chain)-1]
		}
		if len(chain) == 0 {
			continue
		}
		alike, members := -1, 0
		for i, level := range chain {
			if members = membersAmong(seen.Facts, names, level); members == 1 {
				alike = i
			}
		}
		if alike >= 0 && seen.Total > int64(len(seen.Facts)) {
			isOne, err := v.hasOneMember(r, chain[alike])
			if err != nil {
				return made, err
			}
			if !isOne {
				members, alike = max(members, 2), -1
			}
		}
		if alike >= 0 {
			if cell := cellOf(first, names, chain[alike]); cell.Label != "" && !isSaid(r.Selection, cell.Label) {
				made.alike = append(made.alike, r.LevelTitle(chain[alike])+": "+cell.String())
			}
		}
		if last := chain[len(chain)-1]; members > 1 || seen.Total == 1 {
			list = append(list, differing{last, members, placeOf(r.Cube.Model, last)})
		}
	}
	made.alike = slices.Compact(made.alike) // chains of one dimension may begin alike
	if seen.Total == 1 {                    // which differs from no other
		made.alike = nil
	} else {
		slices.SortStableFunc(list, func(a, b differing) int {
			return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(b.members, a.members))
		})
	}
	for _, of := range list[:min(len(list), mostFields)] {
		made.levels = append(made.levels, of.level)
	}
	return made, nil
}

// openChains lists the levels of each chain that the cuts leave open, if they leave the last one open.
func openChains(s *selection.Selection) [][]cube.Level {
	var list [][]cube.Level
	for _, d := range s.Cube.Model.Dimensions() {
		for _, chain := range d.Chains() {
			last := chain[len(chain)-1]
			if s.IsFixed(last.Ref) || s.Cube.Model.IsEdition(last.Ref) {
				continue
			}
			list = append(list, slices.DeleteFunc(chain, func(l cube.Level) bool { return s.IsFixed(l.Ref) }))
		}
	}
	return list
}

// fieldsOfLevel names the fields that say which member of a level a line is of: its name, and its codes.
func fieldsOfLevel(level cube.Level) []string {
	if level.LabelRef == "" {
		return level.Path
	}
	return append([]string{level.LabelRef}, level.Path...)
}

// anyHas tells whether a fact has a code of a level.
func anyHas(facts []plan.Fact, names map[string]int, level cube.Level) bool {
	return slices.ContainsFunc(facts, func(f plan.Fact) bool { return !f.Values[names[level.Ref]].IsMissing() })
}

// membersAmong counts the members of a level among facts. Those of one code that have several names count each, and all lines without
// a code are of one.
func membersAmong(facts []plan.Fact, names map[string]int, level cube.Level) int {
	seen := map[string]bool{}
	for _, fact := range facts {
		var key []cube.Value
		if !fact.Values[names[level.Ref]].IsMissing() {
			for _, name := range fieldsOfLevel(level) {
				key = append(key, fact.Values[names[name]].Value)
			}
		}
		seen[plan.KeysID(key)] = true
	}
	return len(seen)
}

// hasOneMember tells whether all that the number adds up is of one member of a level. What cannot be asked is taken for not.
func (v *visit) hasOneMember(r *reading.Reading, level cube.Level) (bool, error) {
	q := r.Address.Query
	q.Drilldown, q.Page = []query.Ref{{Name: level.Ref}}, query.Page{Number: 1, Size: 1}
	found, err := v.Ask(r.Cube, q)
	if asks.IsOfReader(err) {
		return false, nil
	}
	return err == nil && found.Summary.Count == 1, err
}

// placeOf puts the fiscal year before what has a name, that before what has a code alone, and last what names single lines.
func placeOf(m *cube.Model, level cube.Level) int {
	switch {
	case level.Ref == selection.YearColumn(m).Name:
		return 0
	case level.LabelRef != "":
		return 1
	case level.Listed:
		return 2
	}
	return 3
}

// isSaid tells whether the title of the page has a name.
func isSaid(s *selection.Selection, name string) bool {
	return slices.ContainsFunc(s.Filters, func(f selection.Filter) bool { return strings.EqualFold(f.Named, name) })
}

// cellOf is what a fact has of a level: its name, and its code if it is another; nothing if it has neither.
func cellOf(fact plan.Fact, names map[string]int, level cube.Level) reading.Member {
	code := fact.Values[names[level.Ref]].Value.String()
	label := ""
	if i, has := names[level.LabelRef]; has {
		label = fact.Values[i].Value.String()
	}
	if label == "" || label == code {
		return reading.Member{Label: code}
	}
	return reading.Member{Label: label, Code: code}
}
