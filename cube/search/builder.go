package search

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// builder gathers the entries of a part.
type builder struct {
	part   *part
	words  map[string]uint32 // by place in the order they were met
	values map[cube.Value]uint32
	labels strings.Builder
	sums   []yearSum // one for each entry
	yearly bool      // the sums are those of a fiscal year
}

// found is an entry as it is gathered. With codes the first text is one.
type found struct {
	texts       []string
	label       string
	path        []cube.Value
	first, last cube.Value
	rows        int64
}

func newBuilder() *builder {
	return &builder{part: &part{}, words: map[string]uint32{"": 0}, values: map[cube.Value]uint32{}}
}

// group begins a group: what is added from now on belongs to it.
func (b *builder) group(g group) {
	g.from = len(b.part.entries)
	b.part.groups = append(b.part.groups, g)
}

// mostTexts bounds the texts of an entry: the latest labels come first.
const mostTexts = 50

// mostLabel bounds the characters of a label that is kept for display.
const mostLabel = 300

// add adds an entry to the group, and tells about how many bytes its texts take.
func (b *builder) add(f found) (bytes int) {
	p := b.part
	p.entries = append(p.entries, b.entry(f))
	b.sums = append(b.sums, yearSum{year: b.value(b.sumYear(f))})
	begin := len(p.texts)
	for i, text := range f.texts[:min(len(f.texts), mostTexts)] {
		b.addText(text, begin, i > 0 || !p.groups[len(p.groups)-1].codes)
	}
	for _, key := range f.path {
		p.paths = append(p.paths, b.value(key))
		bytes = len(key.String()) // those above it are of other members
	}
	label := clipped(f.label, mostLabel)
	b.labels.WriteString(label)
	return bytes + len(label) + 4*(len(p.texts)-begin)
}

// entry begins where all that came before ends.
func (b *builder) entry(f found) entry {
	p := b.part
	return entry{
		rows: f.rows, group: uint32(len(p.groups) - 1), texts: uint32(len(p.texts)), label: uint32(b.labels.Len()),
		path: uint32(len(p.paths)), first: b.value(f.first), last: b.value(f.last),
	}
}

// addText adds the words of a text, unless the entry, whose texts begin there, has just these words already. A first
// text that is a code is added even if it is empty, so that the second is not taken for it.
func (b *builder) addText(text string, begin int, named bool) {
	var ids []uint32
	for _, word := range wordsOf(text) {
		id, ok := b.words[word]
		if !ok {
			id = uint32(len(b.words))
			b.words[strings.Clone(word)] = id
		}
		ids = append(ids, id)
	}
	if named && (len(ids) == 0 || b.has(begin, ids)) {
		return
	}
	b.part.texts = append(append(b.part.texts, ids...), 0)
}

// has tells whether a label has these words, among the texts since begin.
func (b *builder) has(begin int, ids []uint32) bool {
	rest := b.part.texts[begin:]
	codes := b.part.groups[len(b.part.groups)-1].codes
	for len(rest) > 0 {
		end := slices.Index(rest, 0)
		if !codes && slices.Equal(rest[:end], ids) {
			return true
		}
		rest, codes = rest[end+1:], false
	}
	return false
}

// sumYear is the year of an entry that has no amount.
func (b *builder) sumYear(f found) cube.Value {
	if b.yearly {
		return f.last
	}
	return cube.Missing
}

// addSums adds what the entries come to, in their order.
func (b *builder) addSums() {
	var amounts strings.Builder
	for i, sum := range b.sums {
		b.part.entries[i].amount, b.part.entries[i].year = uint32(amounts.Len()), sum.year
		amounts.WriteString(sum.text)
	}
	b.part.amounts = amounts.String()
}

func (b *builder) value(v cube.Value) uint32 {
	place, ok := b.values[v]
	if !ok {
		place = uint32(len(b.part.values))
		b.values[v] = place
		b.part.values = append(b.part.values, v)
	}
	return place
}

// finish sorts the words, so that those with one beginning stand together.
func (b *builder) finish() *part {
	p := b.part
	b.addSums()
	p.entries = append(p.entries, b.entry(found{}))
	p.entries[p.size()].amount = uint32(len(p.amounts))
	p.labels = b.labels.String()
	b.link()
	p.words, p.sketch = make([]string, 0, len(b.words)), make([]sketch, 0, len(b.words))
	for word := range b.words {
		p.words = append(p.words, word)
	}
	slices.Sort(p.words)
	place := make([]uint32, len(p.words)) // by the order they were met
	for i, word := range p.words {
		place[b.words[word]] = uint32(i)
		p.sketch = append(p.sketch, sketchOf(word))
	}
	for i, id := range p.texts {
		p.texts[i] = place[id]
	}
	p.entries, p.texts, p.paths, p.values = slices.Clone(p.entries), slices.Clone(p.texts), slices.Clone(p.paths), slices.Clone(p.values)
	return p // the clones leave the room for more behind
}
