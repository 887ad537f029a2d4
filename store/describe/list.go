package describe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store/evidence"
)

// codeList is a file without amounts that has the names of the codes in a column of the others:
//
//  1. A column of it, the key, has no cell twice and none blank.
//  2. All codes in a column of another file, which has amounts, are in the key. Their names are the same, or have a word in common, which may be
//     that of the file; else it is the only such column, and its codes are more than small numbers.
//  3. It has a column of words beside the key: the labels.
//
// It is no file of facts. Fiscal Data Package calls what joins it a foreign key.
type codeList struct {
	*form
	key, label int // of its columns
	column     string
	field      string // the name of the labels among the fields of the facts
	why        cube.Titles
}

// mostCodes is how many codes a list may have.
const mostCodes = 100_000

// cells are those of a column of one file.
type cells struct {
	rows  map[string]int // by text
	blank bool
	many  bool
	words bool // a cell has a letter
}

// findLists tells the code lists among files from those that hold facts.
func findLists(ctx context.Context, p *profile) (lists []*codeList, facts []*form, err error) {
	isAmount := p.looksLikeAmounts()
	has := func(file int) bool {
		return slices.ContainsFunc(p.Index[file], func(at int) bool { return isAmount[at] })
	}
	var with, without []int
	for file := range p.forms {
		if has(file) {
			with, facts = append(with, file), append(facts, p.forms[file])
		} else {
			without = append(without, file)
		}
	}
	if len(with) == 0 || len(without) == 0 {
		return nil, p.forms, nil
	}
	all := make([][]cells, len(p.forms))
	for file := range p.forms {
		if all[file], err = p.cellsOf(ctx, file); err != nil {
			return nil, nil, err
		}
	}
	names := map[string]bool{}
	for _, file := range with {
		for _, name := range p.forms[file].header {
			names[strings.ToLower(name)] = true
		}
	}
	for _, file := range without {
		l, why := p.listIn(file, with, all, isAmount)
		if l == nil {
			return nil, nil, refusal(p.forms[file].path, 0, "it has no amounts, and is no list of the codes in another file: %s", why)
		}
		if l.field = l.header[l.label]; names[strings.ToLower(l.field)] {
			l.field = l.column + "_" + l.field
		}
		names[strings.ToLower(l.field)] = true
		lists = append(lists, l)
	}
	return lists, facts, nil
}

// looksLikeAmounts tells by the cells and the name of each column whether it may hold amounts, before it is known where the year is.
func (p *profile) looksLikeAmounts() []bool {
	r := &roles{of: make([]role, len(p.Columns)), why: make([]cube.Titles, len(p.Columns))}
	looks := make([]bool, len(p.Columns))
	for i, c := range p.Columns {
		r.judge(c)
		isNamed := has(c.Words, vocabulary.Money) != "" && has(c.Words, vocabulary.Code) == "" && (c.IsEmpty() || c.Numbers.Readable() > 0)
		looks[i] = r.of[i] == isAmount || isNamed || yearIn(c.Name) != "" && c.HoldsNumbers()
	}
	return looks
}

// cellsOf counts the cells of each column of a file.
func (p *profile) cellsOf(ctx context.Context, file int) ([]cells, error) {
	all := make([]cells, len(p.Index[file]))
	for i := range all {
		all[i].rows = map[string]int{}
	}
	for row, err := range p.Each(ctx, file, false) {
		if err != nil {
			return nil, err
		}
		for i, cell := range row.Cells {
			c, text := &all[i], strings.TrimSpace(cell)
			switch {
			case text == "":
				c.blank = true
			case c.rows[text] > 0:
				c.rows[text]++
			case len(c.rows) >= mostCodes:
				c.many = true
			default:
				c.rows[strings.Clone(text)] = 1
				c.words = c.words || evidence.HasLetter(text)
			}
		}
	}
	return all, nil
}

// twice gives a code that a column has twice, the first by order, or "".
func (c *cells) twice() string {
	first := ""
	for text, n := range c.rows {
		if n > 1 && (first == "" || text < first) {
			first = text
		}
	}
	return first
}

// areIn tells whether all cells are codes of a key.
func (c *cells) areIn(key *cells) bool {
	for text := range c.rows {
		if key.rows[text] == 0 {
			return false
		}
	}
	return len(c.rows) > 0 && !c.many
}

// saysMore tells whether codes are more than small numbers, which any column may have.
func (c *cells) saysMore() bool {
	for text := range c.rows {
		if evidence.HasLetter(text) || len(text) > 2 || text[0] == '0' {
			return len(c.rows) > 1
		}
	}
	return false
}

// listIn gives the code list that a file is, or why it is none.
func (p *profile) listIn(file int, with []int, all [][]cells, isAmount []bool) (*codeList, string) {
	f := p.forms[file]
	best, most, several := &codeList{form: f}, 0, false
	why := "no column of another file has codes that are all in a column of it, and a name that is like that"
	for key := range f.header {
		for _, other := range with {
			for i, at := range p.Index[other] {
				c, k := &all[other][i], &all[file][key]
				if isAmount[at] || !c.areIn(k) || p.Columns[at].Named == p.Columns[at].Cells {
					continue
				}
				score := likeness(p.Columns[at], p.Columns[p.Index[file][key]], stemOf(f))
				if score == 1 && !c.saysMore() {
					continue
				}
				if twice := k.twice(); twice != "" || k.blank || k.many {
					if score > 1 {
						why = fmt.Sprintf("its column %s has %q twice", shown(f.header[key]), shown(twice))
					}
					if twice == "" {
						why = fmt.Sprintf("its column %s has blank cells, or more than %s codes", shown(f.header[key]), count(mostCodes))
					}
					continue
				}
				name := p.Columns[at].Name
				switch {
				case score == most && name != best.column:
					several = true
				case score > most:
					best.key, best.column, most, several = key, name, score, false
					best.why = say("list", "Found", int64(len(c.rows)), "Codes", int64(len(c.rows)), "Column", shown(name), "Key", shown(f.header[key]))
				}
			}
		}
	}
	switch label := labelOf(f, all[file], best.key); {
	case most == 0:
		return nil, why
	case several:
		return nil, fmt.Sprintf("the codes of several columns are in it, such as those of %s: give both columns one name", shown(best.column))
	case label < 0:
		return nil, "it has no column of names beside the codes"
	default:
		best.label = label
		return best, ""
	}
}

// likeness says how much the name of a column is like that of the key of a list: 3 for the same, 2 for a word in common, with that of the file too, 1 else.
func likeness(c, key *column, file string) int {
	if c == key {
		return 3
	}
	for _, word := range strings.Fields(nameRoleOf(c.Words).stem) {
		for _, other := range slices.Concat(strings.Fields(nameRoleOf(key.Words).stem), wordsOf(file)) {
			short, long := word, other
			if len(short) > len(long) {
				short, long = long, short
			}
			if vocabulary.Generic[word] || vocabulary.Code[word] || vocabulary.Label[word] || len(short) < 3 {
				continue
			}
			if strings.HasPrefix(long, short) || len(short) > 4 && strings.HasPrefix(long, short[:len(short)-1]) { // ministry, ministries
				return 2
			}
		}
	}
	return 1
}

// labelOf gives the column of words beside the key: one that is named so, or the first; -1 for none.
func labelOf(f *form, all []cells, key int) int {
	found := -1
	for i := range f.header {
		isLabel := has(wordsOf(f.header[i]), vocabulary.Label) != ""
		if i != key && all[i].words && (found < 0 || isLabel && has(wordsOf(f.header[found]), vocabulary.Label) == "") {
			found = i
		}
	}
	return found
}

// joinLists gives the levels of the columns that refer to code lists the labels in these.
func (d *Description) joinLists() {
	for _, list := range d.lists {
		for _, l := range d.levels {
			if l.column.Name == list.column && l.label == nil && !l.split && !d.roles.named[l.column] {
				l.label, l.labelWhy = &column{Name: list.field, Words: wordsOf(list.field)}, say("in-list", "File", shown(list.path), "Evidence", list.why)
			}
		}
	}
}

// foreignKey says that a field refers to a code list (Table Schema).
type foreignKey struct {
	Fields    string    `json:"fields"`
	Reference reference `json:"reference"`
}

type reference struct {
	Resource string `json:"resource"`
	Fields   string `json:"fields"`
}

// foreignKeys are those of a file of facts.
func (d *Description) foreignKeys(f *form) (keys []foreignKey) {
	for i, list := range d.lists {
		if slices.Contains(f.header, list.column) {
			keys = append(keys, foreignKey{list.column, reference{d.resourceName(len(d.profile.forms) + i), list.header[list.key]}})
		}
	}
	return keys
}

// resource is the entry of a code list in the descriptor. Its labels are a field of the facts by their column type.
func (l *codeList) resource(name string, typeOf map[string]string) resource {
	r := resourceOf(l.form, name)
	for i, name := range l.header {
		own := field{Name: name, Column: l.form.column(i), Type: "string"}
		if i == l.label {
			if own.Name = l.field; own.Column == nil && l.field != name {
				own.Column = &l.columns[i]
			}
			own.ColumnType = typeOf[l.field]
		}
		r.Schema.Fields = append(r.Schema.Fields, own)
	}
	return r
}

// resourceName names a file of the package: those of facts come first, then the code lists.
func (d *Description) resourceName(at int) string {
	forms := append(slices.Clone(d.profile.forms), each.Of(d.lists, func(l *codeList) *form { return l.form })...)
	return resourceNames(forms)[at]
}
