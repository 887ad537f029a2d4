package repair

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/qualifier"
	"fiscube/internal/each"
)

// Qualifier is a field whose cells say what the amounts of their rows are.
type Qualifier struct {
	Qualifier string // of cube.Qualifiers
	Field     string
}

// Combination is the cells that some rows of a resource have of the fields of Evidence.Qualifiers.
type Combination struct {
	Cells    []string
	Rows     int64
	Resource int // of Package.Resources

	words []string // all cells that mean these, by turns (reduced)
}

// MostCombinations is how many combinations of qualifiers the amounts of a package have at most.
const MostCombinations = 64

// CodeTooManyCombinations is the finding of a package whose amounts have more combinations.
const CodeTooManyCombinations = "too-many-combinations"

// CodeQualifierUndeclared is the finding of a level that looks like a qualifier.
const CodeQualifierUndeclared = "qualifier-undeclared"

// qualified makes a measure of each combination of kind, phase, direction and currency that the rows have, since amounts that differ in
// one are never added. A measure that has a qualifier itself is not asked for it, unless rows say another. The published amounts stay a field of the facts, and
// the qualifiers levels.
func qualified(r *Repair) {
	undeclared(r)
	if len(r.Evidence.Qualifiers) == 0 {
		return
	}
	for _, q := range r.Evidence.Qualifiers {
		r.makeLevel(q.Field)
	}
	measures := slices.Concat(each.Of(r.Draft.Measures, r.measuresOf)...)
	r.Draft.Measures = measures
}

// makeLevel makes a field of no level one, by which amounts of one kind can be cut.
func (r *Repair) makeLevel(field string) {
	for _, d := range r.Draft.Dimensions {
		if strings.EqualFold(d.Name, field) || slices.ContainsFunc(d.Levels, func(l cube.Level) bool { return l.Ref == field || l.LabelRef == field }) {
			return
		}
	}
	r.Draft.Dimensions = append(r.Draft.Dimensions, cube.Dimension{Name: field, Levels: []cube.Level{{Ref: field}}})
}

// measuresOf gives the measures that a measure is, by the qualifiers in the rows that it does not have itself.
func (r *Repair) measuresOf(m cube.Measure) []cube.Measure {
	column := r.Draft.Column(m.Ref)
	if column == nil || column.From != nil {
		return []cube.Measure{m} // its amounts are made of others
	}
	has := slices.DeleteFunc(slices.Clone(r.Evidence.Combinations), func(c Combination) bool { return r.Package.Resources[c.Resource].Field(m.Ref) < 0 })
	var asked []int
	for i, q := range r.Evidence.Qualifiers {
		if own := *qualifierOf(&m, q.Qualifier); q.Field != m.Ref && (own == "" || r.isContradicted(has, i, own)) {
			asked = append(asked, i)
		}
	}
	combinations := r.reduced(has, asked)
	switch {
	case len(asked) == 0 || len(combinations) == 0:
		return []cube.Measure{m}
	case len(combinations) > MostCombinations:
		r.note(findings.Finding{Code: CodeTooManyCombinations, Severity: findings.SeverityError, Field: m.Ref}, "",
			findings.Params{"fields": r.fieldsOf(asked), "most": int64(MostCombinations)})
		return []cube.Measure{m}
	}
	source := *column
	var measures []cube.Measure
	var names []string
	for _, c := range combinations {
		x := m
		d := &cube.Derivation{Rule: cube.RuleWhere, Fields: []string{m.Ref}}
		for turn, i := range asked {
			q, cell := r.Evidence.Qualifiers[i], c.Cells[turn]
			d.Fields, d.Values = append(d.Fields, q.Field), c.words
			*qualifierOf(&x, q.Qualifier) = cmp.Or(meaningAmong(q.Qualifier, cell, wordsOf(combinations, turn)), *qualifierOf(&m, q.Qualifier))
			if varies(combinations, turn) {
				x.Ref += "_" + qualifier.NameOf(q.Qualifier, cell, wordsOf(combinations, turn))
				x.Title += ", " + cmp.Or(cell, "?")
				x.Titles = titledWith(x.Titles, cell)
			}
		}
		if len(combinations) == 1 {
			return []cube.Measure{x}
		}
		for r.Draft.Column(x.Ref) != nil || slices.Contains(names, x.Ref) {
			x.Ref += "_"
		}
		names = append(names, x.Ref)
		measures = append(measures, x)
		r.Draft.Columns = append(r.Draft.Columns, cube.Column{Name: x.Ref, Type: source.Type, From: d, Missing: r.rows() - c.Rows})
	}
	r.info(Qualified, "", m.Ref, "", findings.Params{"measures": names, "fields": r.fieldsOf(asked)})
	return measures
}

// meaningOf gives what a cell says of a qualifier: the word for it in English, else its own.
func meaningOf(qualifier, cell string) string { return meaningAmong(qualifier, cell, nil) }

// meaningAmong gives it beside the other cells of the field.
func meaningAmong(of, cell string, all []string) string {
	meaning := cmp.Or(qualifier.Among(of, cell, all), strings.ToLower(cell))
	if of == "currency" {
		return strings.ToUpper(meaning)
	}
	return meaning
}

// isContradicted tells whether rows say of a qualifier, given by its index, something else than their measure.
func (r *Repair) isContradicted(rows []Combination, i int, own string) bool {
	return slices.ContainsFunc(rows, func(c Combination) bool {
		return c.Cells[i] != "" && meaningOf(r.Evidence.Qualifiers[i].Qualifier, c.Cells[i]) != own
	})
}

// qualifierOf gives what a measure says of a qualifier.
func qualifierOf(m *cube.Measure, qualifier string) *string {
	switch qualifier {
	case "phase":
		return &m.Phase
	case "direction":
		return &m.Direction
	case "currency":
		return &m.Currency
	}
	return &m.Kind
}

func (r *Repair) fieldsOf(asked []int) []string {
	return each.Text(asked, func(i int) string { return r.Evidence.Qualifiers[i].Field })
}

// rows is how many rows have been surveyed.
func (r *Repair) rows() (rows int64) {
	for _, c := range r.Evidence.Combinations {
		rows += c.Rows
	}
	return rows
}

// reduced gives the combinations of some of the qualifiers, by their indices. Words that mean the same are one, unless one resource has both.
func (r *Repair) reduced(all []Combination, asked []int) []Combination {
	var list []Combination
	for _, c := range all {
		var words, cells []string
		for _, i := range asked {
			words, cells = append(words, c.Cells[i]), append(cells, r.wordFor(all, i, c.Cells[i]))
		}
		at := slices.IndexFunc(list, func(o Combination) bool { return slices.Equal(o.Cells, cells) })
		if at < 0 {
			at = len(list)
			list = append(list, Combination{Cells: cells})
		}
		known := func(other []string) bool { return slices.Equal(other, words) }
		if !slices.ContainsFunc(slices.Collect(slices.Chunk(list[at].words, max(1, len(asked)))), known) {
			list[at].words = append(list[at].words, words...)
		}
		list[at].Rows += c.Rows
	}
	return list
}

// wordFor gives the first word of the rows that means what a cell says of a qualifier, given by its index; the cell where a resource has two.
func (r *Repair) wordFor(all []Combination, i int, cell string) string {
	qualifier, first, of := r.Evidence.Qualifiers[i].Qualifier, "", map[int]string{}
	for _, c := range all {
		word := c.Cells[i]
		if word == "" || meaningOf(qualifier, word) != meaningOf(qualifier, cell) {
			continue
		}
		if other, known := of[c.Resource]; known && other != word {
			return cell
		}
		of[c.Resource], first = word, cmp.Or(first, word)
	}
	return first
}

func varies(combinations []Combination, turn int) bool {
	return slices.ContainsFunc(combinations, func(c Combination) bool { return c.Cells[turn] != combinations[0].Cells[turn] })
}

func wordsOf(combinations []Combination, turn int) []string {
	return each.Text(combinations, func(c Combination) string { return c.Cells[turn] })
}

func titledWith(titles cube.Titles, word string) cube.Titles {
	if titles == nil {
		return nil
	}
	with := cube.Titles{}
	for language, title := range titles {
		with[language] = title + ", " + word
	}
	return with
}

// undeclared finds the levels that look like qualifiers and are none: over these answers may add up what must not be added.
func undeclared(r *Repair) {
	r.Package.Undeclared = nil
	modelled := map[string]bool{}
	for _, d := range r.Draft.Dimensions {
		for _, l := range d.Levels {
			modelled[l.Ref], modelled[l.LabelRef] = true, true
			c := r.Draft.Column(l.Ref)
			if c == nil || c.From != nil && c.From.Rule != cube.RuleKey || c.FiscalYear {
				continue
			}
			r.findUndeclared(l.Ref, l.LabelRef)
		}
	}
	for _, c := range r.Draft.Columns { // a column that no level is made of is added over as well
		if !modelled[c.Name] && c.Type == cube.TypeText && c.From == nil {
			r.findUndeclared(c.Name, "")
		}
	}
}

// findUndeclared finds a field that looks like a qualifier, itself or its label, and is none.
func (r *Repair) findUndeclared(field, label string) {
	isQualifier := func(q Qualifier) bool { return q.Field == field || q.Field == label }
	members := r.field(field).Few
	found := cmp.Or(qualifier.LooksLike(field, members), qualifier.LooksLike("", r.field(label).Few))
	if found == "" || slices.ContainsFunc(r.Evidence.Qualifiers, isQualifier) || r.Package.Qualifiers[found] == cube.NoQualifier || r.allHave(found) {
		return
	}
	r.Package.Undeclared = append(r.Package.Undeclared, cube.Undeclared{Level: field, Qualifier: found, Members: members})
	r.warn(CodeQualifierUndeclared, "", field, "", findings.Params{"qualifier": found, "members": members})
}

// allHave tells whether every measure says itself what its qualifier is.
func (r *Repair) allHave(qualifier string) bool {
	return len(r.Draft.Measures) > 0 && !slices.ContainsFunc(r.Draft.Measures, func(m cube.Measure) bool { return *qualifierOf(&m, qualifier) == "" })
}
