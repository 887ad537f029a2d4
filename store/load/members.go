package load

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/internal/tidy"
)

// members counts the members of every listed level while rows go by.
type members struct {
	year   int // the index of the fiscal year among the columns, or -1
	levels []*levelMembers
	row    []int32 // the indexes of the members of the last row, one for each listed level
	most   int64   // of all levels together; 0 for no bound
}

// checkMost refuses a package with more members than there is memory for.
func (m *members) checkMost() error {
	all := 0
	var largest *levelMembers
	for _, l := range m.levels {
		if l == nil {
			continue
		}
		all += len(l.byPath)
		if largest == nil || len(l.byPath) > len(largest.byPath) {
			largest = l
		}
	}
	if m.most == 0 || int64(all) <= m.most {
		return nil
	}
	return cube.Errorf(cube.CodeTooLarge, "the levels have more than %d members, which are held in memory while they are loaded; %s alone has %d",
		m.most, largest.level.Ref, len(largest.byPath)).
		WithHint("make its dimension one of type fact in the overlay, which has no list of members, or allow more with --max-members")
}

// levelMembers counts the members of one level. Rows of one member often follow each other, so the last path
// is compared before anything is looked up.
type levelMembers struct {
	level    cube.Level
	path     []int // the indices of the path among the columns
	label    int   // the index of the label, or -1
	types    []cube.ColumnType
	byPath   map[string]*member
	byCodes  map[string]*member // by the codes of the path, where all of its cells have one
	yearly   bool               // cube.LabelHistory.IsYearly, once the rows are counted
	last     *member
	lastOf   []uint32 // its codes, where all of its cells have one
	key      []byte
	order    func(a, b []cube.Value) int // of paths
	listed   []cube.Member               // once the rows are counted
	breaks   history.Breaks              // likewise, if compared
	compared bool                        // with the labels of other years
	number   []int32                     // likewise: Member.Number by member.index
}

// member is a member as it is counted.
type member struct {
	index int32 // of the first row that has it, among the members
	cells []string
	uses  []use
	many  map[[2]string]int // the indices of uses by year and text, once there are many
}

// use is how many rows of a year give a member a label, or none.
type use struct {
	year, text string
	rows       int64
}

func newMembers(m *cube.Model, most int64) *members {
	index := func(field string) int {
		return slices.IndexFunc(m.Columns(), func(c cube.Column) bool { return c.Name == field })
	}
	all := &members{year: -1, most: most}
	if year, ok := m.FiscalYear(); ok {
		all.year = index(year.Name)
	}
	for _, level := range m.Levels() {
		if !level.Listed {
			all.levels = append(all.levels, nil)
			continue
		}
		l := &levelMembers{level: level, label: -1, byPath: map[string]*member{}, byCodes: map[string]*member{}, order: m.ComparePaths(level)}
		for _, field := range level.Path {
			l.path = append(l.path, index(field))
			column, _ := m.Column(field)
			l.types = append(l.types, column.Type)
		}
		if level.LabelRef != "" {
			l.label = index(level.LabelRef)
			label, _ := m.Column(level.LabelRef)
			l.yearly = label.Type == cube.TypeText
		}
		all.levels = append(all.levels, l)
	}
	return all
}

// add counts a row, whose cells are copied where they are kept, and gives the indexes of its members, one for each listed
// level. They are used again for the next row. Without codes they are found by the cells alone.
func (m *members) add(cells []string, codes []uint32) []int32 {
	m.row = m.row[:0]
	year := ""
	if m.year >= 0 {
		year = cells[m.year]
	}
	for _, l := range m.levels {
		if l == nil {
			continue
		}
		label := ""
		if l.label >= 0 {
			label = cells[l.label]
		}
		found := l.find(cells, codes)
		found.count(year, label)
		m.row = append(m.row, found.index)
	}
	return m.row
}

// find gives the member of a row.
func (l *levelMembers) find(cells []string, codes []uint32) *member {
	if !l.hasCodes(codes) {
		l.last, l.lastOf = l.findByCells(cells), l.lastOf[:0]
		return l.last
	}
	if len(l.lastOf) > 0 && l.isLastOf(codes) {
		return l.last
	}
	l.lastOf, l.key = l.lastOf[:0], l.key[:0]
	for _, p := range l.path {
		l.lastOf = append(l.lastOf, codes[p])
		l.key = binary.LittleEndian.AppendUint32(l.key, codes[p])
	}
	found, ok := l.byCodes[string(l.key)]
	if !ok {
		key := string(l.key)
		found = l.findByCells(cells)
		l.byCodes[key] = found
	}
	l.last = found
	return found
}

// hasCodes tells whether all cells of the path have a code.
func (l *levelMembers) hasCodes(codes []uint32) bool {
	for _, p := range l.path {
		if codes == nil || codes[p] == 0 {
			return false
		}
	}
	return true
}

func (l *levelMembers) isLastOf(codes []uint32) bool {
	for i := len(l.path) - 1; i >= 0; i-- {
		if l.lastOf[i] != codes[l.path[i]] {
			return false
		}
	}
	return true
}

func (l *levelMembers) findByCells(cells []string) *member {
	if l.last != nil && l.isLast(cells) {
		return l.last
	}
	l.key = l.key[:0]
	for _, p := range l.path {
		l.key = append(append(l.key, cells[p]...), 0) // no cell holds a NUL
	}
	m, ok := l.byPath[string(l.key)]
	if !ok {
		m = &member{index: int32(len(l.byPath))}
		for _, p := range l.path {
			m.cells = append(m.cells, strings.Clone(cells[p]))
		}
		l.byPath[string(l.key)] = m
	}
	return m
}

func (l *levelMembers) isLast(cells []string) bool {
	for i := len(l.path) - 1; i >= 0; i-- {
		if l.last.cells[i] != cells[l.path[i]] {
			return false
		}
	}
	return true
}

// fewUses is how many uses of a member are looked through; most members have one for each year.
const fewUses = 32

// count adds a row to a label of a year.
func (m *member) count(year, text string) {
	if i := m.find(year, text); i >= 0 {
		m.uses[i].rows++
		return
	}
	added := use{strings.Clone(year), strings.Clone(text), 1}
	for i := range min(len(m.uses), fewUses) {
		if m.uses[i].text == text {
			added.text = m.uses[i].text // labels stay the same from year to year
		}
	}
	m.uses = append(m.uses, added)
	if m.many != nil {
		m.many[[2]string{added.year, added.text}] = len(m.uses) - 1
	}
}

// find gives the index of a use, or -1. The latest one is the likeliest.
func (m *member) find(year, text string) int {
	is := func(u use) bool { return u.text == text && u.year == year }
	if last := len(m.uses) - 1; last >= 0 && is(m.uses[last]) {
		return last
	}
	if len(m.uses) <= fewUses {
		return slices.IndexFunc(m.uses, is)
	}
	if m.many == nil {
		m.many = map[[2]string]int{}
		for i, u := range m.uses {
			m.many[[2]string{u.year, u.text}] = i
		}
	}
	if i, ok := m.many[[2]string{year, text}]; ok {
		return i
	}
	return -1
}

// of lists the members of a level by path, with labels chosen, folded and ranked.
func (m *members) of(level cube.Level) []cube.Member {
	l := m.levels[level.Index]
	if !l.compared {
		l.finish()
		l.breaks, l.compared = history.FindBreaks(l.level, l.listed, m.breaksAbove(level), m.below(level)), true
	}
	return l.listed
}

// below lists the members of the next labelled level below a level, which the paths of these lead to through it; nil if there is none.
func (m *members) below(level cube.Level) []cube.Member {
	var next *levelMembers
	for _, l := range m.levels {
		leads := l != nil && l.label >= 0 && len(l.level.Path) > len(level.Path) && slices.Equal(l.level.Path[:len(level.Path)], level.Path)
		if leads && (next == nil || len(l.level.Path) < len(next.level.Path)) {
			next = l
		}
	}
	if next == nil {
		return nil
	}
	next.finish()
	return next.listed
}

// numbers gives, for each listed level, the numbers of its members by their indexes.
func (m *members) numbers() [][]int32 {
	var numbers [][]int32
	for _, l := range m.levels {
		if l != nil {
			m.of(l.level)
			numbers = append(numbers, l.number)
		}
	}
	return numbers
}

// breaksAbove gives the breaks of the parent level; there are none without a parent.
func (m *members) breaksAbove(level cube.Level) history.Breaks {
	i := slices.IndexFunc(m.levels, func(l *levelMembers) bool { return l != nil && l.level.Ref == level.Parent })
	if i < 0 {
		return history.Breaks{}
	}
	return m.breaksOf(m.levels[i].level)
}

// breaksOf gives the breaks in the labels of a level's members.
func (m *members) breaksOf(level cube.Level) history.Breaks {
	m.of(level)
	return m.levels[level.Index].breaks
}

// history joins what is known of the labels of all listed levels.
func (m *members) history() *cube.LabelHistory {
	history := &cube.LabelHistory{}
	for _, l := range m.levels {
		if l == nil {
			continue
		}
		m.breaksOf(l.level).AddTo(history)
		if l.yearly {
			history.Yearly = append(history.Yearly, l.level.Ref)
		}
	}
	return history
}

// names yields what all members are called.
func (m *members) names(yield func(string) bool) {
	for _, l := range m.levels {
		if l == nil {
			continue
		}
		for _, member := range m.of(l.level) {
			for _, label := range member.Labels {
				if !yield(cmp.Or(label.Text, member.Path[len(member.Path)-1].String())) {
					return
				}
			}
		}
	}
}

// finish turns what was counted into members, numbers them and lets go of it, once.
func (l *levelMembers) finish() {
	if l.byPath == nil {
		return
	}
	l.listed = make([]cube.Member, 0, len(l.byPath))
	for _, counted := range l.byPath {
		l.listed = append(l.listed, l.member(counted))
	}
	l.byPath, l.byCodes, l.last = nil, nil, nil
	slices.SortFunc(l.listed, func(a, b cube.Member) int { return l.order(a.Path, b.Path) })
	l.number = make([]int32, len(l.listed))
	for i := range l.listed {
		m := &l.listed[i]
		l.number[m.Number], m.Number = int32(i), int32(i)
	}
	history.Settle(l.listed)
}

func (l *levelMembers) member(counted *member) cube.Member {
	m := cube.Member{Number: counted.index, Labels: make([]cube.Label, len(counted.uses))}
	for i, u := range counted.uses {
		m.Labels[i] = cube.Label{Year: keyOf(u.year, cube.TypeInteger), Text: tidy.Label(u.text), Cell: u.text, Rows: u.rows}
	}
	l.yearly = l.yearly && isYearly(m.Labels)
	for i, cell := range counted.cells {
		m.Path = append(m.Path, keyOf(cell, l.types[i]))
	}
	return m
}

// isYearly tells whether labels, each of which has another year or cell, all have another year.
func isYearly(all []cube.Label) bool {
	years := make(map[cube.Value]bool, len(all))
	for _, label := range all {
		years[label.Year] = true
	}
	return len(years) == len(all)
}

func keyOf(cell string, kind cube.ColumnType) cube.Value {
	if kind == cube.TypeInteger && cell != "" {
		n, _ := strconv.ParseInt(cell, 10, 64) // the survey read it
		return cube.Integer(n)
	}
	return cube.Text(cell)
}
