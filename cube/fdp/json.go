package fdp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// value is one JSON value of a descriptor and its place. The zero raw is an absent value: it has a place too,
// so that what is missing can be reported where it should stand. The text is known to be JSON (see checkText).
type value struct {
	raw    json.RawMessage
	place  string
	report *report
}

func (v value) problem(format string, args ...any) { v.report.add(v.place, format, args...) }

// kind names what v is.
func (v value) kind() string {
	if len(v.raw) == 0 {
		return "null"
	}
	switch v.raw[0] {
	case '{':
		return "object"
	case '[':
		return "list"
	case '"':
		return "text"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// absent tells whether nothing was published: no key, or null.
func (v value) absent() bool { return v.kind() == "null" }

// require reports that v is needed, unless it was reported already why it cannot be read.
func (v value) require(message string) {
	if !v.report.has(v.place) {
		v.problem("%s", message)
	}
}

// scalar reads a text, or a number in its published digits.
func (v value) scalar() (string, bool) {
	switch v.kind() {
	case "text":
		var s string
		err := json.Unmarshal(v.raw, &s)
		return s, err == nil
	case "number":
		return string(v.raw), true
	}
	return "", false
}

// texts reads a list of texts. A single text is a list of one, an empty one a list of none.
func (v value) texts() []string {
	if v.absent() {
		return nil
	}
	if s, ok := v.scalar(); ok {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	if v.kind() != "list" {
		v.problem("must be text, not %s", v.kind())
		return nil
	}
	texts := []string{}
	for _, item := range v.list() {
		s, ok := item.scalar()
		if !ok {
			item.problem("must be text, not %s", item.kind())
		}
		texts = append(texts, s)
	}
	return texts
}

// text reads one text.
func (v value) text() string {
	switch texts := v.texts(); len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	default:
		v.problem("must be one text, not a list of %d", len(texts))
		return ""
	}
}

// prose reads text that is only ever shown, so that a list of several does no harm.
func (v value) prose() string { return strings.Join(v.texts(), ", ") }

// whole reads a whole number, which may be published as text.
func (v value) whole() int64 {
	s := v.text()
	if s == "" {
		return 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		v.problem("must be a whole number, not %s", quote(s))
	}
	return n
}

// truth reads a boolean, which may be published as text: real options say "trim": "false".
func (v value) truth() bool {
	if v.absent() {
		return false
	}
	truth, err := strconv.ParseBool(strings.Trim(string(v.raw), `"`))
	if err != nil {
		v.problem("must be true or false")
	}
	return truth
}

// rows reads a sample. Its cells are only shown, so that any scalar will do, and null is a missing cell.
func (v value) rows() [][]string {
	var rows [][]string
	for _, row := range v.list() {
		cells := []string{}
		for _, cell := range row.list() {
			cells = append(cells, cell.cell())
		}
		rows = append(rows, cells)
	}
	return rows
}

func (v value) cell() string {
	if s, ok := v.scalar(); ok || v.absent() {
		return s
	}
	if v.kind() == "boolean" {
		return string(v.raw)
	}
	v.problem("a cell must be text, not %s", v.kind())
	return ""
}

// list reads the items of a list.
func (v value) list() []value {
	if v.absent() {
		return nil
	}
	var raws []json.RawMessage
	if v.kind() != "list" || json.Unmarshal(v.raw, &raws) != nil {
		v.problem("must be a list, not %s", v.kind())
		return nil
	}
	items := make([]value, len(raws))
	for i, raw := range raws {
		items[i] = value{raw, nth(v.place, i), v.report}
	}
	return items
}

// object is a JSON object in its published order, which a Go map would lose. Keys are taken one by one; the
// rest are those that the specification does not name.
type object struct {
	value
	keys   []string
	values map[string]value
	taken  map[string]bool
}

// object reads v as an object: nil where v is absent, or is something else and was reported.
func (v value) object() *object {
	if v.absent() {
		return nil
	}
	if v.kind() != "object" {
		v.problem("must be an object, not %s", v.kind())
		return nil
	}
	o := &object{value: v, values: map[string]value{}, taken: map[string]bool{}}
	decoder := json.NewDecoder(bytes.NewReader(v.raw))
	_, err := decoder.Token() // the opening brace
	for err == nil && decoder.More() {
		err = o.readMember(decoder)
	}
	return o
}

// mustObject reads v as an object where null will not do.
func (v value) mustObject() *object {
	if v.absent() {
		v.problem("must be an object, not null")
	}
	return v.object()
}

func (o *object) readMember(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	key, _ := token.(string)
	member := value{place: at(o.place, key), report: o.report}
	if err := decoder.Decode(&member.raw); err != nil {
		return err
	}
	if _, twice := o.values[key]; twice {
		member.problem("the key stands twice")
		return nil
	}
	o.keys = append(o.keys, key)
	o.values[key] = member
	return nil
}

// take gives the value of a key that the specification names.
func (o *object) take(key string) value {
	o.taken[key] = true
	if v, ok := o.values[key]; ok {
		return v
	}
	return value{place: at(o.place, key), report: o.report}
}

// members lists the values of an object whose keys are names.
func (o *object) members() []named {
	if o == nil {
		return nil
	}
	members := make([]named, len(o.keys))
	for i, key := range o.keys {
		members[i] = named{key, o.values[key]}
	}
	return members
}

type named struct {
	name string
	value
}

// rest gives the keys that were not taken, as published; nil where there are none.
func (o *object) rest() map[string]json.RawMessage {
	var rest map[string]json.RawMessage
	for _, key := range o.keys {
		if o.taken[key] {
			continue
		}
		if rest == nil {
			rest = map[string]json.RawMessage{}
		}
		rest[key] = o.values[key].raw
	}
	return rest
}
