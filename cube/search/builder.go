package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// builder makes a part.
type builder struct {
	part   *part
	words  map[string]uint32 // numbered as they were found
	values map[cube.Value]uint32
	labels strings.Builder
	sums   []yearSum                      // one for each entry
	years  map[addedYear]uint32           // the indexes in part.years that they come to
	totals map[cube.Value]decimal.Decimal // of the leading measure, by fiscal year
	yearly bool                           // the sums are those of one fiscal year
}

// found is an entry to add. In a group with codes the first text is a code.
type found struct {
	texts       []string
	label       string
	names       []plan.LabelUse // of a member: its labels, that for display first
	path        []cube.Value
	first, last cube.Value
	rows        int64
}

func newBuilder() *builder {
	return &builder{
		part: &part{years: [][]int64{nil}}, words: map[string]uint32{"": 0}, values: map[cube.Value]uint32{}, years: map[addedYear]uint32{},
		totals: map[cube.Value]decimal.Decimal{},
	}
}

// group begins a group. Entries that are added after it belong to it.
func (b *builder) group(g group) {
	g.from = len(b.part.entries)
	b.part.groups = append(b.part.groups, g)
}

// mostTexts bounds the texts of an entry. The latest labels come first.
const mostTexts = 50

// mostLabel bounds the characters of a label for display.
const mostLabel = 300

// add adds an entry to the group, and gives about how many bytes its texts take.
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
		bytes = len(key.String()) // only the last: the other keys are those of other members
	}
	label := clipped(f.label, mostLabel)
	b.labels.WriteString(label)
	return bytes + len(label) + 4*(len(p.texts)-begin) + b.addNames(f.names, begin)
}

// addNames adds the names of a member that has several, and gives about how many bytes they take. Labels of the same words
// are one name. The texts of the member begin at begin.
func (b *builder) addNames(labels []plan.LabelUse, begin int) (bytes int) {
	p := b.part
	from := len(p.names)
	if len(labels) < 2 {
		return 0
	}
	for _, label := range labels[:min(len(labels), mostTexts)] {
		text, ok := b.textOf(b.wordIDs(label.Text), begin)
		if !ok {
			continue
		}
		if i := slices.IndexFunc(p.names[from:], func(n name) bool { return n.text == uint32(text) }); i >= 0 {
			n := &p.names[from+i]
			n.years = slices.Compact(slices.Sorted(slices.Values(slices.Concat(n.years, label.Years))))
			continue
		}
		p.names = append(p.names, name{text: uint32(text), label: strings.Clone(clipped(label.Text, mostLabel)), years: slices.Clone(label.Years)})
	}
	if len(p.names) == from+1 {
		p.names = p.names[:from]
	}
	for i, n := range p.names[from:] {
		bytes += bytesOfName + len(n.label) + 8*len(n.years)
		if b.yearly && len(n.years) > 0 {
			p.names[from+i].year = b.value(cube.Integer(n.years[len(n.years)-1]))
		} else {
			p.names[from+i].year = b.value(cube.Missing)
		}
	}
	return bytes
}

// entry makes an entry whose data begin where those of the entry before end.
func (b *builder) entry(f found) entry {
	p := b.part
	return entry{
		rows: f.rows, group: uint32(len(p.groups) - 1), texts: uint32(len(p.texts)), label: uint32(b.labels.Len()),
		path: uint32(len(p.paths)), first: b.value(f.first), last: b.value(f.last), names: uint32(len(p.names)),
	}
}

// addText adds the words of a text, unless a text of the entry, whose texts begin at begin, has the same words. A code, which
// is not named, is added even if it is empty, since the first text of its group is always the code.
func (b *builder) addText(text string, begin int, named bool) {
	ids := b.wordIDs(text)
	if _, known := b.textOf(ids, begin); named && (len(ids) == 0 || known) {
		return
	}
	b.part.texts = append(append(b.part.texts, ids...), 0)
}

// wordIDs gives the numbers of the words of a text, and adds new words.
func (b *builder) wordIDs(text string) (ids []uint32) {
	for _, word := range wordsOf(text) {
		id, ok := b.words[word]
		if !ok {
			id = uint32(len(b.words))
			b.words[strings.Clone(word)] = id
		}
		ids = append(ids, id)
	}
	return ids
}

// textOf finds among the texts since begin, other than a code, the one that has exactly these words.
func (b *builder) textOf(ids []uint32, begin int) (text int, ok bool) {
	codes := b.part.groups[len(b.part.groups)-1].codes
	for begin < len(b.part.texts) {
		end := begin + slices.Index(b.part.texts[begin:], 0)
		if !codes && slices.Equal(b.part.texts[begin:end], ids) {
			return begin, true
		}
		begin, codes = end+1, false
	}
	return 0, false
}

// sumYear is the year of an entry that has no amount.
func (b *builder) sumYear(f found) cube.Value {
	if b.yearly {
		return f.last
	}
	return cube.Missing
}

// addSums adds the amounts of the entries, in their order.
func (b *builder) addSums() {
	var amounts strings.Builder
	for i, sum := range b.sums {
		b.part.entries[i].amount, b.part.entries[i].year = uint32(amounts.Len()), sum.year
		b.part.entries[i].share = b.shareOf(i, sum)
		amounts.WriteString(sum.text)
		for j := range b.namesOf(i) { // without years a name has the amount of its member
			if n := &b.namesOf(i)[j]; !b.yearly {
				n.amount = sum.text
			}
		}
	}
	b.part.amounts = amounts.String()
}

// wholeShare is all of an amount, in billionths.
const wholeShare = 1_000_000_000

// shareOf gives which part of the total of its year the amount of an entry is.
func (b *builder) shareOf(entry int, sum yearSum) uint32 {
	total := b.totals[b.part.values[sum.year]]
	if b.part.groups[b.part.entries[entry].group].kind != KindMember {
		return wholeShare
	}
	if sum.text == "" || !total.IsPositive() {
		return 0
	}
	share := decimal.RequireFromString(sum.text).Mul(decimal.NewFromInt(wholeShare)).Div(total).IntPart()
	return uint32(min(max(share, 0), wholeShare))
}

// namesOf gives the names of an entry.
func (b *builder) namesOf(entry int) []name {
	p := b.part
	if entry+1 < len(p.entries) {
		return p.names[p.entries[entry].names:p.entries[entry+1].names]
	}
	return p.names[p.entries[entry].names:]
}

// value gives the index of a value in part.values, and adds a new value.
func (b *builder) value(v cube.Value) uint32 {
	index, ok := b.values[v]
	if !ok {
		index = uint32(len(b.part.values))
		b.values[v] = index
		b.part.values = append(b.part.values, v)
	}
	return index
}

// addedYear is a year that is added to years.
type addedYear struct {
	years uint32 // index in part.years
	year  int64
}

// addYear adds a year in which an entry has rows. Many entries have the same years, which are kept once.
func (b *builder) addYear(entry int, year cube.Value) {
	e, p := &b.part.entries[entry], b.part
	n, ok := year.Int()
	if !ok {
		return
	}
	added := addedYear{e.years, n}
	index, ok := b.years[added]
	if !ok {
		years := slices.Compact(slices.Sorted(slices.Values(append([]int64{n}, p.years[e.years]...))))
		at := slices.IndexFunc(p.years, func(known []int64) bool { return slices.Equal(known, years) })
		if at < 0 {
			at, p.years = len(p.years), append(p.years, years)
		}
		index = uint32(at)
		b.years[added] = index
	}
	e.years = index
}

// finish sorts the words, so that words with the same beginning are neighbours, and completes the part.
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
	sorted := make([]uint32, len(p.words)) // the index of each word by its number
	for i, word := range p.words {
		sorted[b.words[word]] = uint32(i)
		p.sketch, p.slight = append(p.sketch, sketchOf(word)), append(p.slight, isSlight(word))
	}
	for i, id := range p.texts {
		p.texts[i] = sorted[id]
	}
	p.entries, p.texts, p.paths, p.values = slices.Clone(p.entries), slices.Clone(p.texts), slices.Clone(p.paths), slices.Clone(p.values)
	p.names = slices.Clone(p.names)
	return p // the clones have no spare capacity
}

// link sets part.above: for each key in the path of a member, the entry of the member of that key's level. It looks up one
// level at a time, since the map from paths to members takes more memory than the members do.
func (b *builder) link() {
	p := b.part
	p.above = make([]uint32, len(p.paths))
	for i, upper := range p.groups {
		var entryOf func(path []uint32) (int, bool)
		for j := i + 1; j < len(p.groups); j++ {
			if !p.groups[j].isBelow(upper) {
				continue
			}
			if entryOf == nil {
				entryOf = b.byPath(upper.from, p.end(i), len(upper.level.Path))
			}
			p.linkTo(upper, j, entryOf)
		}
	}
}

// isBelow tells whether the paths of the members of a group contain those of another group.
func (g group) isBelow(upper group) bool {
	outside := func(field string) bool { return !slices.Contains(g.level.Path, field) }
	return g.kind == KindMember && upper.kind == KindMember && !slices.ContainsFunc(upper.level.Path, outside)
}

// linkTo sets the ancestors from one group for each member of another group.
func (p *part) linkTo(upper group, lower int, entryOf func(path []uint32) (int, bool)) {
	path := make([]uint32, len(upper.level.Path))
	keyOf := make([]int, len(path)) // index in the path of the lower level
	for i, field := range upper.level.Path {
		keyOf[i] = slices.Index(p.groups[lower].level.Path, field)
	}
	for i := p.groups[lower].from; i < p.end(lower); i++ {
		keys := p.entries[i].path
		for j, key := range keyOf {
			path[j] = p.paths[int(keys)+key]
		}
		if entry, ok := entryOf(path); ok {
			p.above[int(keys)+keyOf[len(keyOf)-1]] = uint32(entry)
		}
	}
}

// byPath makes a function that finds the entries in a range by the first keys of their paths.
func (b *builder) byPath(from, to, length int) func(path []uint32) (entry int, ok bool) {
	p := b.part
	entries, id := make(map[string]int, to-from), make([]byte, 0, 4*length)
	idOf := func(path []uint32) []byte {
		id = id[:0]
		for _, value := range path {
			id = binary.LittleEndian.AppendUint32(id, value)
		}
		return id
	}
	for i := from; i < to; i++ {
		entries[string(idOf(p.paths[p.entries[i].path:][:length]))] = i
	}
	return func(path []uint32) (entry int, ok bool) {
		entry, ok = entries[string(idOf(path))]
		return entry, ok
	}
}

// fromAbove gives the words of the query that the entries above an entry match: the cube and, for a member, the members in
// its path. It gives none if one of these matches all words but free ones, since that one is meant. Of what is only called a ministry it gives
// those of the cube: a secretariat in health is not the ministry of health. words has the matches of each entry so far. In
// above, the own key of a member refers to entry 0, which is the cube.
func (p *part) fromAbove(i int, words []uint32, q Query, free uint32) uint32 {
	var above uint32
	over := p.above[p.entries[i].path:p.entries[i+1].path]
	if len(over) == 0 { // it is no member: only the cube is above it
		over = []uint32{0}
	}
	for _, entry := range over {
		if words[entry]|free == q.all() {
			return 0
		}
		above |= words[entry]
	}
	if words[i]&^(q.small|q.ministry) == 0 {
		return words[0]
	}
	return above
}

// same gives the entry of another member that has the same name and no other rows, which is the same thing for whoever searches: the
// one above a member, or a fiscal year; 0 if there is none.
func (p *part) same(i int) int {
	isSame := func(other int) bool {
		return p.entries[other].rows == p.entries[i].rows && p.labelOf(other) == p.labelOf(i)
	}
	over := p.above[p.entries[i].path:p.entries[i+1].path]
	for _, entry := range slices.Backward(over) {
		if entry == 0 {
			continue // its own key, and editions
		}
		if isSame(int(entry)) {
			return int(entry)
		}
		break
	}
	years := p.entries[i].years
	if p.fiscal == 0 || int(p.entries[i].group) <= p.fiscal || len(p.years[years]) != 1 {
		return 0
	}
	for year := p.groups[p.fiscal].from; year < p.end(p.fiscal); year++ {
		if p.entries[year].years == years && isSame(year) { // as many rows, all of this year: they are the same
			return year
		}
	}
	return 0
}

// rankBelow ranks an entry that matches some words itself and the others from above, other than free ones.
func (q Query) rankBelow(m mark, free uint32) rank {
	m = m.granted(free)
	own := m.matches()
	errors, meant, wider := m.errorsOf(own)
	return withAbove + rank(2*(errors*(mostWords+1)+meant+bits.OnesCount32(q.all()&^own))+wider)
}
