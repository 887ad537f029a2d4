package babbage

import (
	"cmp"
	"strings"

	"fiscube/cube"
)

// FactQuestion is a question for facts in the words of the cube.
type FactQuestion struct {
	cube.FactQuery
	Names   *Names
	Columns []string // what each field of the answer is called
	Fields  []string // the refs of the model that these are
	Page    cube.Page
}

// Facts reads the parameters fields, cut, order, page and pagesize. Without fields it is every attribute and then
// every measure.
func (n *Names) Facts(given map[string]string) (FactQuestion, error) {
	q := Question{Names: n, Aliases: map[string]string{}}
	f := FactQuestion{Names: n, Page: Page(given["page"], given["pagesize"])}
	err := cmp.Or(
		read(given, "cut", q.cut), read(given, "order", q.order),
		read(given, "fields", func(text string) error { return f.read(&q, text) }),
	)
	if _, ok := given["fields"]; !ok {
		f.everything()
	}
	for _, field := range f.FactQuery.Fields {
		f.Fields = append(f.Fields, n.Field(field.Name))
		f.Columns = append(f.Columns, cmp.Or(q.Aliases[field.Name], n.Field(field.Name)))
	}
	f.Cuts, f.Order, f.Size = q.Cuts, q.Order, f.Page.Size
	return f, err
}

// read reads the fields. The dialect sets commas between them; with quotes our own grammar applies.
func (f *FactQuestion) read(q *Question, text string) error {
	if !strings.Contains(text, `"`) {
		text = strings.ReplaceAll(text, ",", "|")
	}
	refs, err := cube.ParseFields(f.Names.prepared(text, ofRefs))
	if err != nil {
		return err
	}
	for _, ref := range refs {
		found, err := q.find(ref, aField)
		if err != nil {
			return err
		}
		f.add(ref.At, found.fields...)
	}
	return nil
}

func (f *FactQuestion) everything() {
	for _, l := range f.Names.model.Levels() {
		f.add(cube.Position{}, attributesOf(l)...)
	}
	for _, m := range f.Names.model.Measures() {
		f.add(cube.Position{}, m.Ref)
	}
}

// add adds fields that are not there yet.
func (f *FactQuestion) add(at cube.Position, fields ...string) {
	for _, field := range fields {
		if !f.has(field) {
			f.FactQuery.Fields = append(f.FactQuery.Fields, cube.Ref{Name: field, At: at})
		}
	}
}

func (f *FactQuestion) has(field string) bool {
	for _, ref := range f.FactQuery.Fields {
		if ref.Name == field {
			return true
		}
	}
	return false
}
