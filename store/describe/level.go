package describe

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// level is a level of the model, with the evidence of each of its parts.
type level struct {
	column     *column
	why        cube.Titles
	concept    concept // the zero value where its name says nothing
	conceptWhy cube.Titles
	group      string // levels of one group may lie below each other
	time       timeKind
	label      *column
	labelWhy   cube.Titles
	split      bool // its cells join code and label
	splitLabel bool // those of label do
	members    int64
	codes      []string // by the code of a cell: what of it is the code of the level
	parent     *level
	parentWhy  cube.Titles
	placed     bool // a person says what is above it
	within     []contextLevel
	dimension  string
}

// contextLevel is a level whose codes another needs to mean something, with the evidence.
type contextLevel struct {
	*level
	why cube.Titles
}

// timeKind is what a level of time is.
type timeKind int

const (
	noTime timeKind = iota
	fiscalYear
	statement // a month, quarter or report
	otherTime
)

// code gives the code of a cell, "" for a blank one.
func (l *level) code(cell uint32) string {
	if l.codes == nil {
		l.codes = make([]string, len(l.column.values))
		for i, v := range l.column.values {
			l.codes[i] = strings.TrimSpace(v.text)
			if code, _, ok := tidy.Split(v.text); ok && l.split {
				l.codes[i] = code
			}
		}
	}
	return l.codes[cell]
}

// key lists the columns that tell the members of a level apart, as far as it alone does.
func (l *level) key() []*column {
	if l.label != nil && !l.label.many && !l.label.isEmpty() {
		return []*column{l.column, l.label}
	}
	return []*column{l.column}
}

// path lists the columns of the path of a level.
func (l *level) path() []*column {
	var path []*column
	for at, depth := l, 0; at != nil && depth < 100; at, depth = at.parent, depth+1 {
		path = append(path, at.column)
		for _, w := range at.within {
			path = append(path, w.column)
		}
	}
	slices.SortFunc(path, func(a, b *column) int { return a.at - b.at })
	return slices.Compact(path)
}

// isAbove tells whether a level is in the chain above another.
func (l *level) isAbove(other *level) bool {
	for at, depth := other.parent, 0; at != nil && depth < 100; at, depth = at.parent, depth+1 {
		if at == l {
			return true
		}
	}
	return false
}

// stem lists the words of a level's name that are about something, or all where only a number is left, as of ID1_name.
func (l *level) stem() []string {
	stem := strings.Fields(nameRoleOf(l.column.words).stem)
	if len(stem) == 1 && isDigits(stem[0]) {
		return l.column.words
	}
	return stem
}

// mostStatements is how many months, quarters or reports of a year there are at most.
const mostStatements = 31

// newLevels makes a level of each column that is nothing else.
func newLevels(p *profile, r *roles) []*level {
	var levels []*level
	for _, c := range p.columns {
		if r.of[c.at] != isLevel && c != r.year.column {
			continue
		}
		l := &level{column: c, label: r.labels[c], labelWhy: r.pairWhy[c], members: int64(c.different())}
		if l.label != nil && l.label.isEmpty() {
			l.labelWhy = together(l.labelWhy, say("all-empty"))
		}
		levels = append(levels, l)
	}
	statements := statementColumn(levels, r)
	for _, l := range levels {
		c := l.column
		switch {
		case c == r.year.column:
			l.time, l.why = fiscalYear, r.why[c.at]
		case l == statements:
			l.time, l.why = statement, together(say("different", "Cells", int64(c.different())), say("named", "Word", has(c.words, monthWords)))
		case c.dates == c.cells && c.cells > 0:
			l.time, l.why = otherTime, say("dates", "Dates", c.dates, "Cells", c.cells)
		case l.label == nil && c.letters == 0 && !c.many && (has(c.words, yearWords) != "" || has(c.words, monthWords) != "" || has(c.words, dateWords) != ""):
			l.time, l.why = otherTime, say("named", "Word", strings.Join(c.words, " "))
		case isOfParties(c.words):
		case has(c.words, documentWords) != "" && int64(c.different())*2 > c.cells && l.label == nil:
			l.concept, l.why = fact, together(say("mostly-new", "Cells", c.cells), say("named", "Word", has(c.words, documentWords)))
		case c.many && l.label == nil, c.cells >= 100 && int64(c.different())*2 > c.cells && l.label == nil:
			l.concept, l.why = fact, say("mostly-new", "Cells", c.cells)
			if c.many {
				l.why = say("too-many", "Most", mostValues)
			}
		}
	}
	nameConcepts(levels)
	for _, l := range levels {
		l.findSplit()
	}
	return levels
}

// statementColumn gives the level whose cells are months, quarters or reports: of several the one with the shortest name.
func statementColumn(levels []*level, r *roles) *level {
	var best *level
	for _, l := range levels {
		c := l.column
		isOne := c != r.year.column && has(c.words, monthWords) != "" && !c.many && c.different() >= 1 && c.different() <= mostStatements && (c.dates == 0 || has(c.words, publicationWords) != "") && c.years < c.cells
		if isOne && (best == nil || len(c.words) < len(best.column.words)) {
			best = l
		}
	}
	return best
}

// nameConcepts finds what the levels are about: by a word that begins several names, else by their own words, else by those of
// their labels. Levels of one concept are of one group, and so are others whose names share a word.
func nameConcepts(levels []*level) {
	begins, holds := map[string]int{}, map[string]int{}
	for _, l := range levels {
		words := l.stem()
		begins[words[0]]++
		for _, word := range words {
			holds[strings.TrimPrefix(word, "sub")]++
		}
	}
	for _, l := range levels {
		words := l.stem()
		named := func(words []string) bool {
			found, why, ok := conceptOf(words)
			if ok {
				l.concept, l.conceptWhy = found, say("concept", "Word", why)
			}
			return ok
		}
		switch {
		case l.time == fiscalYear:
			l.group = "date"
		case l.time == statement:
			l.group = "statement"
		case l.time == otherTime:
			slices.Reverse(words) // mesCorte and anioCorte share the last word
			l.group = "time " + sharedWord(words, holds)
		case l.concept == fact:
			l.group = "fact " + l.column.name
		case begins[words[0]] > 1 && named(words[:1]), named(words), named(l.column.words), l.label != nil && named(l.label.words):
			if l.group = l.concept.name; l.concept == fact {
				l.group = "fact " + l.column.name
			}
		default:
			l.group = "word " + sharedWord(words, holds)
		}
	}
}

// sharedWord gives the first word of a name that others have too, and else all of it.
func sharedWord(words []string, holds map[string]int) string {
	for _, word := range words {
		word = strings.TrimPrefix(word, "sub")
		if holds[word] > 1 && len(word) > 1 && !isDigits(word) && (!generic[word] || len(words) == 1) {
			return word
		}
	}
	return strings.Join(words, " ")
}

// splitShare is how many of a hundred cells must join a code and a label, as for the repair code-label-split.
const splitShare = 99

// findSplit tells whether the cells of a level without a label join both.
func (l *level) findSplit() {
	c := l.column
	unknown := int64(0)
	for _, v := range c.values {
		if v.unknown {
			unknown += v.rows
		}
	}
	if l.label == nil && l.time == noTime && c.joined > 0 && c.joined*100 >= (c.cells-unknown)*splitShare {
		l.split = true
		l.labelWhy = say("joins", "Joined", c.joined, "Cells", c.cells)
		if unknown > 0 {
			l.labelWhy = say("not-informed", "Evidence", l.labelWhy, "Cells", unknown)
		}
	}
}

// isNotInformed tells whether a text stands for a member that nobody knows.
func isNotInformed(text string) bool {
	return slices.Contains(notInformed, fold.Text(tidy.Label(strings.TrimRight(strings.TrimSpace(text), " -"))))
}
