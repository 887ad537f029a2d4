package encode

import (
	"encoding/json"

	"fiscube/cube"
	"fiscube/cube/difference"
	"fiscube/cube/query"
)

// differenceTable writes groups of a difference as rows of a table.
type differenceTable struct {
	columns []Column
	of      *difference.Difference
	fields  []difference.Field
	amounts int  // how many of the amounts it has
	former  bool // the labels that members had before, too
}

// newDifferenceTable makes the table of groups by some fields, with so many of the amounts.
func newDifferenceTable(d *difference.Difference, fields []difference.Field, amounts int, former bool) *differenceTable {
	t := &differenceTable{[]Column{{Name: "_change"}}, d, fields, amounts, former}
	for _, f := range fields {
		if t.columns = append(t.columns, Column{Name: f.Name, kind: kindOf(f.Column)}); f.LabelRef != "" {
			t.columns = append(t.columns, Column{Name: f.LabelRef})
		}
		if f.LabelRef != "" && former {
			t.columns = append(t.columns, Column{Name: f.LabelRef + ".before"})
		}
	}
	t.columns = append(t.columns, Column{Name: "_count.before", kind: kindWhole}, Column{Name: "_count.after", kind: kindWhole})
	for _, a := range d.Amounts[:amounts] {
		for _, side := range []string{".before", ".after", ".difference"} {
			t.columns = append(t.columns, Column{Name: a.Ref + side, kind: kindAmount, scale: a.Scale})
		}
	}
	return t
}

// row is a group. The label that a member had before is absent where it has the same.
func (t *differenceTable) row(g difference.Group) []Datum {
	row := []Datum{textDatum(string(g.Kind))}
	for i, f := range t.fields {
		if row = append(row, Datum{Value: g.Keys[i]}); f.LabelRef != "" {
			row = append(row, Datum{Value: g.Label(i)})
		}
		if was := g.Labels[i][0]; f.LabelRef != "" && t.former {
			row = append(row, Datum{Value: was, Absent: was == g.Label(i) || was.IsMissing()})
		}
	}
	row = append(row, Datum{Value: cube.Integer(g.Lines[0])}, Datum{Value: cube.Integer(g.Lines[1])})
	for i, p := range g.Amounts[:t.amounts] {
		row = append(row, Datum{Amount: p[0]}, Datum{Amount: p[1]}, Datum{Amount: p.Difference(), Absent: i >= t.of.Compared})
	}
	return row
}

func (t *differenceTable) json(groups []difference.Group, quoted bool) json.RawMessage {
	return append(AppendRows([]byte{'['}, t.columns, quoted, len(groups), func(i int) []Datum { return t.row(groups[i]) }), ']')
}

// Difference writes what changed from one version to another, said in a sentence. Amounts are strings where they are quoted.
func Difference(d *difference.Difference, said string, page query.Page, quoted bool, warnings []cube.Warning) []byte {
	version := func(i int, cb *cube.Cube) Object {
		return Object{{"cube", cb.Name}, {"version", cb.Version}, {"loaded_at", cb.LoadedAt}, {"fingerprint", cb.Fingerprint}, {"lines", d.Rows.Lines[i]}}
	}
	count := func(l difference.Listing) (counts Object) {
		for _, kind := range []difference.Kind{difference.Came, difference.Went, difference.Changed, difference.Same} {
			counts = append(counts, Member{string(kind), l.Count[kind]})
		}
		return counts
	}
	listing := func(l difference.Listing, former bool) Object {
		return append(count(l), Member{"list", newDifferenceTable(d, l.Fields, d.Compared, former).json(l.List, quoted)})
	}
	members := []Object{}
	for _, m := range d.Members {
		members = append(members, append(Object{{"level", m.Fields[len(m.Fields)-1].Name}}, listing(m, true)...))
	}
	var lines any
	if d.Lines != nil {
		lines = append(Object{{"before", d.Lines.Lines[0]}, {"after", d.Lines.Lines[1]}}, count(*d.Lines)...)
	}
	return Marshal(Object{
		{"status", "ok"}, {"cube", d.After.Name}, {"before", version(0, d.Before)}, {"after", version(1, d.After)}, {"changed", !d.IsNothing()}, {"said", said},
		{"measures", append([]difference.Part{}, d.Measures...)}, {"levels", append([]difference.Part{}, d.Levels...)}, {"time", d.Time},
		{"totals", newDifferenceTable(d, d.TotalFields(), len(d.Amounts), false).json(d.Totals, quoted)}, {"adds_up", d.AddsUp}, {"members", members},
		{"rows", listing(d.Rows, false)}, {"lines", lines}, {"page", page.Number}, {"page_size", page.Size}, {"warnings", append([]cube.Warning{}, warnings...)},
	})
}
