package fdp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"fiscube/cube"
	"fiscube/internal/each"
)

// What documents may hold at most, so that a hostile one costs little. The largest real descriptor has 300 KB, and
// an image in it may add some megabytes; the largest overlay that ships has 10 KB.
const (
	MostDescriptorBytes = 16 << 20
	MostOverlayBytes    = 256 << 10

	mostNesting   = 64
	mostResources = 10_000
	mostColumns   = 1_500 // a table of PostgreSQL has no more than 1,600
	mostNameRunes = 100
	mostPattern   = 1000
)

// node is a value of a document: of a descriptor, which is JSON, or of an overlay, which is YAML. A node with neither
// raw nor yaml is absent; it has a place too, so that a missing value can be reported.
type node struct {
	raw    json.RawMessage // of a descriptor
	yaml   *yaml.Node      // of an overlay
	line   int             // in an overlay, from 1; 0 in a descriptor
	place  string          // the path from the root of the document
	report *report
}

// parseJSON reads the text of a descriptor. What comes after relies on it that the text is JSON.
func parseJSON(text []byte, r *report) node {
	text, ok := r.checkText(text, "a descriptor", MostDescriptorBytes)
	if !ok {
		return node{}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		offset := len(text) // where it ends too soon
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && !strings.HasPrefix(syntax.Error(), "unexpected end") {
			offset = int(syntax.Offset) - 1
		}
		r.add(lineColumn(text, offset), "%v", err)
	} else if i := tooDeep(text); i >= 0 {
		r.add(lineColumn(text, i), "nested more than %d deep", mostNesting)
	}
	return node{raw: bytes.TrimSpace(text), report: r}
}

// parseYAML reads the text of an overlay and gives its value at the root, as parseYAMLDocument does.
func parseYAML(text []byte, r *report) node {
	root, _ := parseYAMLDocument(text, r)
	return root
}

// parseYAMLDocument reads the text of an overlay, which must be safe to walk: one document, no tags, no anchors, each key
// once, not too deep. It gives its value at the root, and the document around that, which has comments of its own.
func parseYAMLDocument(text []byte, r *report) (root node, document *yaml.Node) {
	text, ok := r.checkText(text, "an overlay", MostOverlayBytes)
	if !ok {
		return node{}, nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var first, more yaml.Node
	switch err := decoder.Decode(&first); {
	case errors.Is(err, io.EOF):
		r.add("", "the overlay is empty")
		return node{}, nil
	case err != nil:
		place, message := "line 1", err.Error() // the YAML reader names the later lines only
		if match := yamlError.FindStringSubmatch(message); match != nil {
			place, message = cmp.Or(match[1], place), match[2]
		}
		r.add(place, "no YAML: %s", message)
		return node{}, nil
	}
	root = node{report: r}.child(first.Content[0], "")
	root.checkYAML(0)
	if !errors.Is(decoder.Decode(&more), io.EOF) {
		r.add("", "more than one document")
	}
	return root, &first
}

// yamlError matches the errors of the YAML reader.
var yamlError = regexp.MustCompile(`^yaml: (?:(line \d+): )?(.*)$`)

// checkText takes the byte order mark off a text, and tells whether the rest is short enough and UTF-8.
func (r *report) checkText(text []byte, what string, most int) ([]byte, bool) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(text) > most {
		r.add("", "%s of %d bytes; at most %d are read", what, len(text), most)
		return nil, false
	}
	for at := 0; at < len(text); {
		c, size := utf8.DecodeRune(text[at:])
		if c == utf8.RuneError && size == 1 {
			_, name, _ := strings.Cut(what, " ")
			r.add(lineColumn(text, at), "the %s is not UTF-8 text", name)
			return nil, false
		}
		at += size
	}
	return text, true
}

// lineColumn names the place of a byte, both counted from 1, columns in characters.
func lineColumn(text []byte, offset int) string {
	before := text[:max(0, min(offset, len(text)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	line, column := bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// outsideTexts gives the characters of JSON text that are outside its quoted texts, with their offsets.
func outsideTexts(text []byte) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		quoted := false
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case quoted && c == '\\':
				i++ // the next character does not end the text
			case c == '"':
				quoted = !quoted
			case !quoted && !yield(i, c):
				return
			}
		}
	}
}

// tooDeep gives the offset of the first bracket of JSON text that is nested too deep, or -1.
func tooDeep(text []byte) int {
	depth := 0
	for i, c := range outsideTexts(text) {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > mostNesting {
			return i
		}
	}
	return -1
}

// checkYAML reports what no overlay may hold, all the way down.
func (n node) checkYAML(depth int) {
	switch {
	case depth > mostNesting:
		n.problem("nested more than %d deep", mostNesting)
		return
	case n.yaml.Kind == yaml.AliasNode || n.yaml.Anchor != "":
		n.problem("anchors and aliases are not supported")
		return
	case n.yaml.Style&yaml.TaggedStyle != 0:
		n.problem("tags are not supported")
		return
	case n.yaml.Kind == yaml.SequenceNode:
		for _, item := range n.list() {
			item.checkYAML(depth + 1)
		}
		return
	case n.yaml.Kind != yaml.MappingNode:
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		key := n.yaml.Content[i]
		if key.Kind != yaml.ScalarNode || key.Value == "" {
			n.child(key, n.place).problem("a key must be text")
			continue
		}
		n.child(key, n.place).checkYAML(depth)
		value := n.child(n.yaml.Content[i+1], at(n.place, key.Value))
		if seen[key.Value] {
			n.child(key, value.place).problem("the key stands twice")
		}
		seen[key.Value] = true
		value.checkYAML(depth + 1)
	}
}

// OverlayValues reads the text of an overlay as the values of JSON: objects are maps, numbers json.Number. It reads whatever is
// YAML that fiscube takes, also where that is no overlay.
func OverlayValues(text []byte) (any, error) {
	r := &report{}
	root := parseYAML(text, r)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	return root.value(), nil
}

// value gives a YAML value as one of JSON. A number is as it is written if that is valid JSON; dates and other scalars are text.
func (n node) value() any {
	switch n.kind() {
	case isObject:
		values := map[string]any{}
		for _, m := range n.object().members() {
			values[m.name] = m.value()
		}
		return values
	case isList:
		return each.Of(n.list(), node.value)
	case isNull:
		return nil
	}
	switch n.yaml.Tag {
	case "!!bool":
		return strings.EqualFold(n.yaml.Value, "true")
	case "!!int", "!!float":
		if json.Valid([]byte(n.yaml.Value)) {
			return json.Number(n.yaml.Value)
		}
	}
	return n.yaml.Value
}

// child gives a YAML value within n.
func (n node) child(y *yaml.Node, place string) node {
	return node{yaml: y, line: y.Line, place: place, report: n.report}
}

// where names the place of n, and its line in an overlay.
func (n node) where() string {
	switch {
	case n.line == 0:
		return n.place
	case n.place == "":
		return fmt.Sprintf("line %d", n.line)
	}
	return fmt.Sprintf("%s (line %d)", n.place, n.line)
}

func (n node) problem(format string, args ...any) { n.report.add(n.where(), format, args...) }

// require reports that n is needed, unless it was reported already why it cannot be read.
func (n node) require(message string) {
	if !n.report.has(n.where()) {
		n.problem("%s", message)
	}
}

// kind is what a node is, as problems in a descriptor call it.
type kind string

const (
	isAbsent  kind = "null"    // there is no such key; in JSON also null, which means the same
	isNull    kind = "nothing" // null in YAML
	isText    kind = "text"    // in YAML every scalar but null: numbers need no quotes
	isNumber  kind = "number"
	isBoolean kind = "boolean"
	isList    kind = "list"
	isObject  kind = "object"
)

func (n node) kind() kind {
	if n.yaml != nil {
		switch {
		case n.yaml.Kind == yaml.MappingNode:
			return isObject
		case n.yaml.Kind == yaml.SequenceNode:
			return isList
		case n.yaml.Tag == "!!null":
			return isNull
		}
		return isText
	}
	if len(n.raw) == 0 {
		return isAbsent
	}
	switch n.raw[0] {
	case '{':
		return isObject
	case '[':
		return isList
	case '"':
		return isText
	case 't', 'f':
		return isBoolean
	case 'n':
		return isAbsent
	}
	return isNumber
}

func (n node) absent() bool { return n.kind() == isAbsent }

// mustBe reports that n is something else than it must be.
func (n node) mustBe(what string) {
	is := n.kind()
	switch {
	case n.yaml != nil && is == isObject:
		is = "a mapping"
	case n.yaml != nil && is == isList:
		is = "a list"
	}
	n.problem("must be %s, not %s", what, is)
}

// list gives the items of a list: none where n is absent, or is something else and was reported.
func (n node) list() []node {
	if n.absent() {
		return nil
	}
	switch {
	case n.kind() != isList:
		n.mustBe("a list")
		return nil
	case n.yaml != nil:
		items := make([]node, len(n.yaml.Content))
		for i, item := range n.yaml.Content {
			items[i] = n.child(item, nth(n.place, i))
		}
		return items
	}
	raws := parts(n.raw)
	items := make([]node, len(raws))
	for i, raw := range raws {
		items[i] = node{raw: raw, place: nth(n.place, i), report: n.report}
	}
	return items
}

// parts splits the text of a JSON list into its items, and that of an object into its keys and values by turns. Each
// level of a document is looked through once; encoding/json would check all that is below it each time.
func parts(text []byte) []json.RawMessage {
	var all []json.RawMessage
	depth, start := 0, 0
	end := func(i int) {
		if part := bytes.TrimSpace(text[start:i]); len(part) > 0 {
			all = append(all, part)
		}
		start = i + 1
	}
	for i, c := range outsideTexts(text) {
		switch {
		case c == '{' || c == '[':
			if depth++; depth == 1 {
				start = i + 1
			}
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				end(i)
			}
		case depth == 1 && (c == ',' || c == ':'):
			end(i)
		}
	}
	return all
}

// object is a JSON object or a YAML mapping in its written order. Keys are taken one by one; the rest are those that
// are not known.
type object struct {
	node
	keys   []string
	values map[string]node
	taken  []string
}

// object gives the keys and values of n: nil where n is absent, or is something else and was reported.
func (n node) object() *object {
	if n.absent() {
		return nil
	}
	o := &object{node: n, values: map[string]node{}}
	switch {
	case n.kind() == isObject && n.yaml != nil:
		for i := 0; i+1 < len(n.yaml.Content); i += 2 {
			key := n.yaml.Content[i].Value
			o.add(key, n.child(n.yaml.Content[i+1], at(n.place, key)))
		}
	case n.kind() == isObject:
		for pair := range slices.Chunk(parts(n.raw), 2) {
			var key string
			if err := json.Unmarshal(pair[0], &key); err == nil && len(pair) == 2 {
				o.add(key, node{raw: pair[1], place: at(n.place, key), report: n.report})
			}
		}
	case n.yaml != nil:
		n.mustBe("a mapping")
		return nil
	default:
		n.mustBe("an object")
		return nil
	}
	return o
}

func (o *object) add(key string, value node) {
	if _, twice := o.values[key]; twice {
		value.problem("the key stands twice")
		return
	}
	o.keys = append(o.keys, key)
	o.values[key] = value
}

// mustObject reads n as an object where null will not do.
func (n node) mustObject() *object {
	if n.absent() {
		n.mustBe("an object")
	}
	return n.object()
}

// take gives the value of a known key. An absent one has the line of its mapping.
func (o *object) take(key string) node {
	o.taken = each.Once(o.taken, key)
	if v, ok := o.values[key]; ok {
		return v
	}
	return node{line: o.line, place: at(o.place, key), report: o.report}
}

// other gives the value of a key that is kept as published.
func (o *object) other(key string) node {
	if v, ok := o.values[key]; ok {
		return v
	}
	return node{place: at(o.place, key), report: o.report}
}

// rest gives the keys of a descriptor that were not taken, as published; nil where there are none.
func (o *object) rest() map[string]json.RawMessage {
	var rest map[string]json.RawMessage
	for _, key := range o.keys {
		if slices.Contains(o.taken, key) {
			continue
		}
		if rest == nil {
			rest = map[string]json.RawMessage{}
		}
		rest[key] = o.values[key].raw
	}
	return rest
}

// drop takes keys out of a YAML mapping, and tells whether any of them was there.
func (o *object) drop(keys ...string) bool {
	kept := []*yaml.Node{}
	for pair := range slices.Chunk(o.yaml.Content, 2) {
		if !slices.Contains(keys, pair[0].Value) {
			kept = append(kept, pair...)
		}
	}
	dropped := len(kept) < len(o.yaml.Content)
	o.yaml.Content = kept
	return dropped
}

// member is a value of an object whose keys are names.
type member struct {
	name string
	node
}

// key gives the name of an overlay's member and its place.
func (m member) key() ref { return ref{m.name, m.where()} }

// members lists the values of an object whose keys are names.
func (o *object) members() []member {
	if o == nil {
		return nil
	}
	return each.Of(o.keys, func(key string) member { return member{key, o.values[key]} })
}

// The next are for descriptors, which are read leniently.

// scalar reads a text, or a number in its published digits.
func (n node) scalar() (string, bool) {
	switch n.kind() {
	case isText:
		var s string
		err := json.Unmarshal(n.raw, &s)
		return s, err == nil
	case isNumber:
		return string(n.raw), true
	}
	return "", false
}

// texts reads a list of texts. A single text is a list of one, an empty one a list of none.
func (n node) texts() []string {
	if n.absent() {
		return nil
	}
	if s, ok := n.scalar(); ok {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	if n.kind() != isList {
		n.mustBe("text")
		return nil
	}
	texts := []string{}
	for _, item := range n.list() {
		s, ok := item.scalar()
		if !ok {
			item.mustBe("text")
		}
		texts = append(texts, s)
	}
	return texts
}

// text reads one text.
func (n node) text() string {
	switch texts := n.texts(); len(texts) {
	case 0:
		return ""
	case 1:
		return texts[0]
	default:
		n.problem("must be one text, not a list of %d", len(texts))
		return ""
	}
}

// prose reads text that is only displayed, so that a list of several does no harm.
func (n node) prose() string { return strings.Join(n.texts(), ", ") }

// truth reads a boolean, which may be published as text: real options say "trim": "false".
func (n node) truth() bool {
	if n.absent() {
		return false
	}
	truth, err := strconv.ParseBool(strings.Trim(string(n.raw), `"`))
	if err != nil {
		n.problem("must be true or false")
	}
	return truth
}

// rows reads a sample. Its cells are only displayed, so that any scalar will do, and null is a missing cell.
func (n node) rows() [][]string {
	var rows [][]string
	for _, row := range n.list() {
		cells := []string{}
		for _, cell := range row.list() {
			s, ok := cell.scalar()
			switch {
			case cell.kind() == isBoolean:
				s = string(cell.raw)
			case !ok && !cell.absent():
				cell.problem("a cell must be text, not %s", cell.kind())
			}
			cells = append(cells, s)
		}
		rows = append(rows, cells)
	}
	return rows
}

// The next are for overlays, which are written for fiscube and read strictly.

// readKeys reads n as a mapping by a function, and reports the keys that the function did not take. The function is
// not called where n is absent, or is something else and was reported.
func (n node) readKeys(read func(*object)) {
	o := n.object()
	if o == nil {
		return
	}
	read(o)
	for _, key := range o.keys {
		if !slices.Contains(o.taken, key) {
			o.values[key].problem("unknown key; %s", n.report.suggest(key, o.taken))
		}
	}
}

// readEach reads the values of a mapping whose keys are names.
func readEach[T any](n node, read func(member) T) []T {
	o := n.object()
	if o != nil && len(o.keys) > mostColumns {
		n.problem("%d entries; at most %d fields are supported", len(o.keys), mostColumns)
		return nil
	}
	var list []T
	for _, m := range o.members() {
		list = append(list, read(m))
	}
	return list
}

// need reports each of the keys that is absent, in the words of a format.
func (o *object) need(format string, keys ...string) {
	for _, key := range keys {
		if o.take(key).absent() {
			o.problem(format, key)
		}
	}
}

// strictText reads a text, which may be written as a number: its digits are kept. An absent one is empty.
func (n node) strictText() string {
	switch k := n.kind(); {
	case k == isAbsent:
		return ""
	case k != isText:
		n.mustBe("text")
	case strings.TrimSpace(n.yaml.Value) == "":
		n.problem("must not be empty")
	case strings.ContainsRune(n.yaml.Value, 0):
		n.problem("%s holds a NUL character", quote(n.yaml.Value))
	default:
		return n.yaml.Value
	}
	return ""
}

// strictList reads a list that is neither empty nor too long.
func (n node) strictList() []node {
	items := n.list()
	if items != nil && len(items) == 0 {
		n.problem("must not be empty")
	}
	if len(items) > mostColumns {
		n.problem("a list of %d; at most %d are supported", len(items), mostColumns)
		return nil
	}
	return items
}

// ref reads a name.
func (n node) ref() ref { return ref{n.strictText(), n.where()} }

// refs reads a list of names, each once. A single name is a list of one.
func (n node) refs() []ref {
	items := []node{n}
	if k := n.kind(); k != isText && k != isNull {
		items = n.strictList()
	}
	var refs []ref
	for _, item := range items {
		r := item.ref()
		if r.name != "" && slices.ContainsFunc(refs, func(other ref) bool { return other.name == r.name }) {
			item.problem("%s stands twice", quote(r.name))
		}
		refs = append(refs, r)
	}
	return refs
}

// names reads a list of names whose places do not matter.
func (n node) names() []string {
	var names []string
	for _, r := range n.refs() {
		names = append(names, r.name)
	}
	return names
}

// strictTruth reads true or false: nil where absent.
func (n node) strictTruth() *bool {
	if n.absent() {
		return nil
	}
	if n.yaml.Kind != yaml.ScalarNode || n.yaml.Tag != "!!bool" {
		n.problem("must be true or false")
		return nil
	}
	truth := strings.EqualFold(n.yaml.Value, "true")
	return &truth
}

// isTrue tells whether n is present and true.
func (n node) isTrue() bool {
	truth := n.strictTruth()
	return truth != nil && *truth
}

// whole reads a whole number between least and most; 0 where absent.
func (n node) whole(least, most int64) int64 {
	if n.absent() {
		return 0
	}
	number, err := strconv.ParseInt(n.yaml.Value, 10, 64)
	asWritten := n.yaml.Tag == "!!int" && strconv.FormatInt(number, 10) == n.yaml.Value
	if !asWritten || err != nil || number < least || number > most {
		n.problem("must be a whole number from %d to %d", least, most)
		return 0
	}
	return number
}

// choice reads one of the known words.
func (n node) choice(known ...string) string {
	text := n.strictText()
	if text != "" && !slices.Contains(known, text) {
		n.problem("%s is not known; %s", quote(text), n.report.suggest(text, known))
		return ""
	}
	return text
}

// matching reads a text that matches a pattern, which is described in words.
func (n node) matching(pattern *regexp.Regexp, words string) string {
	text := n.strictText()
	if text != "" && !pattern.MatchString(text) {
		n.problem("%s is no %s", quote(text), words)
		return ""
	}
	return text
}

var language = regexp.MustCompile(`^[a-z]{2}$`)

// titles reads a text by language.
func (n node) titles() cube.Titles {
	o := n.object()
	if o == nil {
		return nil
	}
	if len(o.keys) == 0 {
		n.problem("must not be empty")
	}
	titles := cube.Titles{}
	for _, key := range o.keys {
		if v := o.values[key]; !language.MatchString(key) {
			v.problem("%s is no language code of ISO 639-1, such as en, es or hr", quote(key))
		} else {
			titles[key] = v.strictText()
		}
	}
	return titles
}

// separator reads the character between digits, or nothing where that may be: nil where absent.
func (n node) separator(optional bool) *ref {
	if n.absent() {
		return nil
	}
	text := n.yaml.Value
	c, size := utf8.DecodeRuneInString(text)
	ok := size == len(text) && size > 0 && c != '-' && c != '+' && !unicode.In(c, unicode.L, unicode.N, unicode.C)
	if none := optional && text == ""; n.yaml.Tag != "!!str" || !none && !ok {
		n.problem("must be one character between digits, such as . or ,")
		return nil
	}
	return &ref{text, n.where()}
}
