package describe

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/internal/each"
	"fiscube/store/evidence"
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

// codes gives what of each cell is the code of the level, by the code of the cell; "" for a blank one.
func (l *level) codes() []string {
	codes := make([]string, len(l.column.Values))
	for i, v := range l.column.Values {
		codes[i] = strings.TrimSpace(v.Text)
		if code, _, ok := evidence.Joined(v.Text); ok && l.split {
			codes[i] = code
		}
	}
	return codes
}

// key lists the columns that tell the members of a level apart, as far as it alone does.
func (l *level) key() []*column {
	if l.label != nil && !l.label.Many && !l.label.IsEmpty() {
		return []*column{l.column, l.label}
	}
	return []*column{l.column}
}

// path lists the columns of the path of a level.
func (l *level) path() []*column {
	var path []*column
	for at, depth := l, 0; at != nil && depth < 100; at, depth = at.parent, depth+1 {
		path = append(path, at.column)
		path = append(path, each.Of(at.within, func(w contextLevel) *column { return w.column })...)
	}
	slices.SortFunc(path, func(a, b *column) int { return a.At - b.At })
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
	stem := strings.Fields(nameRoleOf(l.column.Words).stem)
	if len(stem) == 1 && evidence.IsDigits(stem[0]) {
		return l.column.Words
	}
	return stem
}

// mostStatements is how many months, quarters or reports of a year there are at most.
const mostStatements = 31

// newLevels makes a level of each column that is nothing else.
func newLevels(p *profile, r *roles) []*level {
	var levels []*level
	for _, c := range p.Columns {
		if r.of[c.At] != isLevel && c != r.year.column {
			continue
		}
		l := &level{column: c, label: r.labels[c], labelWhy: r.pairWhy[c], members: int64(c.Different())}
		if l.label != nil && l.label.IsEmpty() {
			l.labelWhy = together(l.labelWhy, say("all-empty"))
		}
		levels = append(levels, l)
	}
	statements := statementColumn(levels, r)
	for _, l := range levels {
		c := l.column
		switch {
		case c == r.year.column:
			l.time, l.why = fiscalYear, r.why[c.At]
		case l == statements:
			l.time, l.why = statement, together(say("different", "Cells", int64(c.Different())), say("named", "Word", has(c.Words, vocabulary.Month)))
		case c.Dates == c.Cells && c.Cells > 0:
			l.time, l.why = otherTime, say("dates", "Dates", c.Dates, "Cells", c.Cells)
		case l.label == nil && c.Letters == 0 && !c.Many && (has(c.Words, vocabulary.Year) != "" || has(c.Words, vocabulary.Month) != "" || has(c.Words, vocabulary.Date) != ""):
			l.time, l.why = otherTime, say("named", "Word", strings.Join(c.Words, " "))
		case isOfParties(c.Words):
		case has(c.Words, vocabulary.Document) != "" && int64(c.Different())*2 > c.Cells && l.label == nil:
			l.concept, l.why = fact, together(say("mostly-new", "Cells", c.Cells), say("named", "Word", has(c.Words, vocabulary.Document)))
		case c.Many && l.label == nil, c.Cells >= 100 && int64(c.Different())*2 > c.Cells && l.label == nil:
			l.concept, l.why = fact, say("mostly-new", "Cells", c.Cells)
			if c.Many {
				l.why = say("too-many", "Most", evidence.MostValues)
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
		isOne := c != r.year.column && has(c.Words, vocabulary.Month) != "" && !c.Many && c.Different() >= 1 && c.Different() <= mostStatements && (c.Dates == 0 || has(c.Words, vocabulary.Publication) != "") && c.Years < c.Cells
		if isOne && (best == nil || len(c.Words) < len(best.column.Words)) {
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
			l.group = "fact " + l.column.Name
		case begins[words[0]] > 1 && named(words[:1]), named(words), named(l.column.Words), l.label != nil && named(l.label.Words):
			if l.group = l.concept.name; l.concept == fact {
				l.group = "fact " + l.column.Name
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
		if holds[word] > 1 && len(word) > 1 && !evidence.IsDigits(word) && (!vocabulary.Generic[word] || len(words) == 1) {
			return word
		}
	}
	return strings.Join(words, " ")
}

// findSplit tells whether the cells of a level without a label join both.
func (l *level) findSplit() {
	c := l.column
	unknown := int64(0)
	for _, v := range c.Values {
		if v.Unknown {
			unknown += v.Rows
		}
	}
	if l.label == nil && l.time == noTime && c.Joined > 0 && c.Joined*100 >= (c.Cells-unknown)*repair.JoinedShare {
		l.split = true
		l.labelWhy = say("joins", "Joined", c.Joined, "Cells", c.Cells)
		if unknown > 0 {
			l.labelWhy = say("not-informed", "Evidence", l.labelWhy, "Cells", unknown)
		}
	}
}
