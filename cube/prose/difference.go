package prose

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/difference"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Difference says in a sentence or two what changed from one version to another.
func Difference(d *difference.Difference, l words.Locale) string {
	return l.Say("changes.told", "Before", words.Digits(d.Before.Version), "After", words.Digits(d.After.Version), "What", whatChanged(d, l)) + andMore(d, l)
}

// DifferenceOfFiles says the same of what has no number.
func DifferenceOfFiles(d *difference.Difference, l words.Locale) string {
	return asSentence(Begin(whatChanged(d, l))) + andMore(d, l)
}

// whatChanged says what became of the rows, inside a sentence. Nothing changed only where the files are the same.
func whatChanged(d *difference.Difference, l words.Locale) string {
	switch {
	case d.Rows.Differ() > 0:
		return l.And(differenceWriter{d, l}.counts(d.Rows.Count, "changes."))
	case d.IsNothing() && d.AreSame():
		return l.Say("changes.nothing")
	case d.IsNothing():
		return l.Say("changes.otherwise")
	case len(d.Measures)+len(d.Levels)+len(d.Members) == 0:
		return l.Say("changes.same")
	}
	return l.Say("changes.no-rows")
}

// andMore says which lines changed that are not among the rows, and by how much the total that changed most.
func andMore(d *difference.Difference, l words.Locale) (said string) {
	if d.IsBeyondRows() {
		said = " " + l.Say("changes.lines", "What", l.And(differenceWriter{d, l}.counts(d.Lines.Count, "changes.")))
	}
	total, ok := d.Largest()
	if !ok {
		return said
	}
	measure, message, by := d.Amounts[0].Measure, "changes.higher", total.Amounts[0].Difference().Decimal
	if by.IsNegative() {
		message = "changes.lower"
	}
	subject := Begin(measureName(measure, l.Language))
	if d.Time != "" {
		subject += " " + total.Keys[0].String()
	}
	amount := by.Abs().Mul(decimal.NewFromInt(max(measure.Unit, 1)))
	return said + " " + l.Say(message, "Subject", subject, "Amount", l.Brief(amount, measure.Currency))
}

// Version says how the number of rows of a version grew since the one before; nil for the first that is kept.
func Version(before, after *cube.Cube, l words.Locale) string {
	if before == nil {
		return l.Say("changes.first", "Count", after.Rows)
	}
	return l.Say("changes.grew", "Before", words.Digits(before.Version), "After", words.Digits(after.Version), "Was", before.Rows, "Is", after.Rows)
}

// DifferenceTable is a part of a difference as a table.
type DifferenceTable struct {
	Title, Note string
	Heads       []string
	Rows        [][]DifferenceCell
	texts       int // so many columns; the others hold numbers
}

// IsNumber tells whether a column holds numbers.
func (t DifferenceTable) IsNumber(column int) bool { return column >= t.texts }

// DifferenceCell is one of its cells.
type DifferenceCell struct {
	Text string
	Code string            // that the text stands for
	Of   *difference.Group // whose amount it is, on a Side; nil for other cells
	Side int
}

// DifferenceTables writes what changed as tables: totals, rows, measures and levels, members. The versions have names.
func DifferenceTables(d *difference.Difference, names [2]string, l words.Locale) (tables []DifferenceTable) {
	w := differenceWriter{d, l}
	add := func(title, note string, rows [][]DifferenceCell, texts int, heads ...string) {
		if len(rows) > 0 {
			tables = append(tables, DifferenceTable{title, note, heads, rows, texts})
		}
	}
	numbers := append(names[:], l.Say("compare.difference"))
	heads := append(w.titles(d.TotalFields()), l.Say("view.measure"))
	add(l.Say("changes.totals"), l.Say("changes.adds-up-"+strconv.FormatBool(d.AddsUp)), w.totals(), len(heads), slices.Concat(heads, numbers)...)
	levelOf := func(f difference.Field) (cube.Level, bool) { return d.After.Model.LevelOfKey(f.Name) }
	levels := cube.Finest(each.Found(d.Rows.Fields, levelOf))
	note := l.Say("changes.rows-how")
	if d.Compared > 0 {
		note = MeasureTitle(d.Amounts[0].Measure, l.Language) + ". " + note
	}
	if shown := len(d.Rows.List); int64(shown) < d.Rows.Differ() {
		note = l.Say("changes.largest", "Count", shown, "All", d.Rows.Differ()) + " " + note
	}
	heads = []string{l.Say("changes.change")}
	heads = append(heads, each.Text(levels, func(level cube.Level) string { return LevelTitle(level, l.Language) })...)
	add(l.Say("changes.rows"), note, w.rows(levels), len(heads), slices.Concat(heads, numbers)...)
	add(l.Say("changes.parts"), "", append(w.parts(d.Measures), w.parts(d.Levels)...), 4, heads[0], l.Say("changes.part"), names[0], names[1])
	for _, m := range d.Members {
		level := w.titles(m.Fields[len(m.Fields)-1:])[0]
		add(l.Say("changes.members", "Level", level), Begin(asSentence(l.And(w.counts(m.Count, "changes.members-")))), w.members(m), 4, heads[0], level, names[0], names[1])
	}
	return tables
}

// differenceWriter writes the cells of a difference.
type differenceWriter struct {
	*difference.Difference
	words.Locale
}

// counts says how many came, went and changed.
func (w differenceWriter) counts(of map[difference.Kind]int64, messages string) (said []string) {
	for _, kind := range []difference.Kind{difference.Came, difference.Went, difference.Changed} {
		if of[kind] > 0 {
			said = append(said, w.Say(messages+string(kind), "Count", of[kind]))
		}
	}
	return said
}

func (w differenceWriter) kind(k difference.Kind) DifferenceCell {
	return DifferenceCell{Text: w.Say("changes.kind-" + string(k))}
}

// titles name fields.
func (w differenceWriter) titles(fields []difference.Field) []string {
	return each.Text(fields, func(f difference.Field) string { return fieldTitle(w.After.Model, f.Name, w.Language) })
}

// pair writes an amount of a group before and after, and its difference with a sign.
func (w differenceWriter) pair(g *difference.Group, amount int) []DifferenceCell {
	text := func(n decimal.NullDecimal) string {
		if !n.Valid {
			return "–"
		}
		return w.Decimal(n.Decimal, w.Amounts[amount].Scale)
	}
	by := DifferenceCell{Text: w.Say("changes.not-compared")}
	if amount < w.Compared {
		n := g.Amounts[amount].Difference()
		if by.Text = text(n); n.Decimal.IsPositive() {
			by.Text = "+" + by.Text
		}
	}
	return []DifferenceCell{{Text: text(g.Amounts[amount][0]), Of: g}, {Text: text(g.Amounts[amount][1]), Of: g, Side: 1}, by}
}

func (w differenceWriter) totals() (rows [][]DifferenceCell) {
	for _, t := range w.Totals {
		for i, amount := range w.Amounts {
			if !t.Amounts[i].Difference().Valid {
				continue
			}
			row := each.Of(t.Keys, func(time cube.Value) DifferenceCell { return DifferenceCell{Text: cmp.Or(time.String(), "–")} })
			row = append(row, DifferenceCell{Text: MeasureTitle(amount.Measure, w.Language)})
			for _, cell := range w.pair(&t, i) {
				row = append(row, DifferenceCell{Text: cell.Text}) // a link would be to the lines of a whole year
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// rows writes the rows that are listed: of each branch of levels the finest member, and the first amount.
func (w differenceWriter) rows(levels []cube.Level) (rows [][]DifferenceCell) {
	for _, g := range w.Rows.List {
		row := []DifferenceCell{w.kind(g.Kind)}
		for _, level := range levels {
			cell := DifferenceCell{Code: w.code(g, w.Rows.Fields, level.Path)}
			for i, f := range w.Rows.Fields { // where a member has no label, its parent may have one
				if label := g.Label(i).String(); slices.Contains(level.Path, f.Name) && label != "" && label != g.Keys[i].String() {
					cell.Text = ShownLabel(w.After, label)
				}
			}
			if cell.Text == "" {
				cell.Text, cell.Code = cell.Code, ""
			}
			row = append(row, cell)
		}
		amounts := []DifferenceCell{{Text: w.Whole(g.Lines[0])}, {Text: w.Whole(g.Lines[1])}, {Text: w.Whole(g.Lines[1] - g.Lines[0])}}
		if w.Compared > 0 {
			amounts = w.pair(&g, 0)
		}
		if w.Compared > 0 && g.Kind == difference.Changed && g.Lines[0] != g.Lines[1] {
			amounts[2].Code = w.Say("view.cells", "Count", g.Lines[0]) + " → " + w.Say("view.cells", "Count", g.Lines[1])
		}
		rows = append(rows, append(row, amounts...))
	}
	return rows
}

// code joins the keys of a path: 010/03.
func (w differenceWriter) code(g difference.Group, fields []difference.Field, path []string) string {
	var keys []string
	for i, f := range fields {
		if slices.Contains(path, f.Name) && !f.IsEdition() {
			keys = append(keys, cmp.Or(g.Keys[i].String(), "–"))
		}
	}
	return strings.Join(keys, "/")
}

func (w differenceWriter) parts(list []difference.Part) (rows [][]DifferenceCell) {
	for _, p := range list {
		name := cmp.Or(FieldTitle(w.After.Model, p.Ref, w.Language), FieldTitle(w.Before.Model, p.Ref, w.Language), p.Ref)
		rows = append(rows, []DifferenceCell{w.kind(p.Kind), {Text: name, Code: p.What}, {Text: cmp.Or(p.Before, "–")}, {Text: cmp.Or(p.After, "–")}})
	}
	return rows
}

func (w differenceWriter) members(m difference.Listing) (rows [][]DifferenceCell) {
	last := len(m.Fields) - 1
	path := each.Text(m.Fields, func(f difference.Field) string { return f.Name })
	for _, g := range m.List {
		was, is := ShownLabel(w.Before, g.Labels[last][0].String()), ShownLabel(w.After, g.Labels[last][1].String())
		rows = append(rows, []DifferenceCell{w.kind(g.Kind), {Text: w.code(g, m.Fields, path)}, {Text: cmp.Or(was, "–")}, {Text: cmp.Or(is, "–")}})
	}
	return rows
}
