package describe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"fiscube/cube"
	"fiscube/internal/tidy"
	"fiscube/store/evidence"
)

// beginning is a level above another that is made of the beginnings of its codes.
type beginning struct {
	level *level
	code  *level // the level whose codes begin so
	why   cube.Titles
}

// Bounds of codes whose beginnings may be levels.
const (
	mostBeginnings = 8 // levels above one code
	longestPart    = 8 // characters between two separators
	shortestCode   = 3 // characters of a code whose digits are levels
	longestCode    = 12
)

// addBeginnings makes levels of the beginnings of codes, where that is certain:
//   - of 01.02.003, whose parts stand between one separator in nearly all cells, if several codes share the beginnings;
//   - of 61200, if all codes have one length and a column beside has the labels of the beginnings: each has one, and one alone.
//
// Columns with labels of a level become its labels. Numbers of documents, telephones and posts are none of these codes, nor are those
// of which a column has the beginnings: the file has their levels.
func addBeginnings(ctx context.Context, p *profile, r *roles, levels []*level) ([]*level, error) {
	published := len(p.Columns)
	found := p.findBeginnings(levels)
	in := p.Count(r.year.column)
	for _, b := range found {
		for _, other := range levels {
			if b.mayHaveLabel(other) {
				in.Ask(other.column, b.level.column)
				in.Ask(b.level.column, other.column)
			}
		}
	}
	if err := in.Run(ctx); err != nil {
		return nil, err
	}
	p.Columns = p.Columns[:published]
	var taken []*level
	for _, b := range found {
		for _, other := range levels {
			if b.mayHaveLabel(other) && !slices.Contains(taken, other) && b.takeLabel(in, other) {
				taken = append(taken, other)
				break
			}
		}
	}
	levels = slices.DeleteFunc(levels, func(l *level) bool { return slices.Contains(taken, l) })
	return r.keepBeginnings(p, levels, found), nil
}

// findBeginnings makes the columns that may be levels.
func (p *profile) findBeginnings(levels []*level) (found []*beginning) {
	var served []*level // those of which columns have the beginnings, and these columns
	for _, l := range levels {
		var own []*beginning
		if !l.mayHaveParts() {
			continue
		}
		if separator, why := l.separator(); separator != "" {
			own = p.beginningsOf(l, separator, why)
		} else if length := l.lengthOfCodes(); length > 0 {
			own = p.beginningsOfDigits(l, length, levels)
		}
		for _, b := range own {
			for _, other := range levels {
				if b.isCodeOf(other) {
					served = append(served, l, other)
				}
			}
		}
		found = append(found, own...)
	}
	found = slices.DeleteFunc(found, func(b *beginning) bool { return slices.Contains(served, b.code) })
	for _, b := range found {
		b.level.column.At = len(p.Columns)
		p.Columns = append(p.Columns, b.level.column)
	}
	return found
}

// keepBeginnings puts the levels that were made above those they are made of. Digits are levels only with a label.
func (r *roles) keepBeginnings(p *profile, levels []*level, found []*beginning) []*level {
	for _, b := range found {
		c := b.level.column
		if b.level.label == nil && c.Made.Rule.Between == "" {
			continue
		}
		c.At = len(p.Columns)
		p.Columns = append(p.Columns, c)
		r.of, r.why = append(r.of, isLevel), append(r.why, nil)
		if b.level.label != nil {
			r.pair(c, b.level.label, nil)
		}
		b.level.parent, b.level.parentWhy = b.code.parent, b.code.parentWhy
		b.code.parent, b.code.parentWhy = b.level, b.why
		levels = slices.Insert(levels, slices.Index(levels, b.code), b.level)
	}
	return levels
}

// mayHaveParts tells whether the codes of a level may be made of others.
func (l *level) mayHaveParts() bool {
	c := l.column
	return !c.Many && l.time == noTime && l.concept != fact && c.Different() >= 4 && c.Dates*2 < c.Cells && c.Named*2 < c.Cells &&
		has(c.Words, vocabulary.Document) == "" && has(c.Words, vocabulary.Contact) == ""
}

// separator gives the sign that stands between the parts of nearly all codes.
func (l *level) separator() (separator string, why cube.Titles) {
	c := l.column
	for _, sign := range []string{".", "-", "/"} {
		var parted, rows int64
		for i, v := range c.Values {
			if i > 0 && !v.Unknown {
				rows += v.Rows
				parted += evidence.RowsIf(hasParts(l.bareCode(v.Text), sign), v.Rows)
			}
		}
		if rows > 0 && parted*100 >= rows*95 {
			return sign, say("parts-between", "Parts", parted, "Cells", c.Cells, "Sign", sign)
		}
	}
	return "", nil
}

// bareCode gives the code of a cell that may join it and a label.
func (l *level) bareCode(cell string) string {
	if code, _, ok := tidy.Split(cell); ok && l.split {
		return code
	}
	return tidy.Key(cell)
}

// hasParts tells whether a code is of short parts with a digit or of few letters.
func hasParts(code, separator string) bool {
	parts := strings.Split(code, separator)
	for _, part := range parts {
		digits := strings.TrimLeftFunc(part, unicode.IsLetter)
		if part == "" || len(part) > longestPart || len(part)-len(digits) > 3 || digits != "" && !evidence.IsDigits(digits) {
			return false
		}
	}
	return len(parts) > 1 && evidence.IsDigits(parts[len(parts)-1])
}

// lengthOfCodes gives the length of all codes of a level, 0 where they have several, or are no digits, or days.
func (l *level) lengthOfCodes() int {
	length, days := 0, true
	for i, v := range l.column.Values {
		code := v.Text // derive counts the characters of the cell as it is published
		if i == 0 || v.Unknown {
			continue
		}
		if !evidence.IsDigits(code) || len(code) < shortestCode || len(code) > longestCode || length > 0 && len(code) != length {
			return 0
		}
		length, days = len(code), days && isDay(code)
	}
	if days || l.split || l.column.Years == l.column.Cells {
		return 0
	}
	return length
}

// isDay tells whether digits are a day or a month of a year, as 20230131.
func isDay(code string) bool {
	return slices.ContainsFunc([]string{"20060102", "02012006", "01022006", "200601"}, func(form string) bool {
		_, err := time.Parse(form, code)
		return err == nil
	})
}

// beginningsOf makes a column of each number of parts, from the bottom up, that tells fewer codes apart than the one below: each has
// one and a half of those on the average.
func (p *profile) beginningsOf(l *level, separator string, why cube.Titles) (found []*beginning) {
	most := 0
	for _, v := range l.column.Values[1:] {
		most = max(most, strings.Count(l.bareCode(v.Text), separator))
	}
	below := l.column.Different()
	for parts := min(most, mostBeginnings); parts >= 1; parts-- {
		b := p.beginningOf(l, parts, cube.Derivation{Rule: cube.RulePrefix, Between: separator, Parts: parts})
		kinds := b.level.column.Different()
		if kinds < 2 || kinds*3 > below*2 {
			continue
		}
		b.why = say("beginnings", "Evidence", why, "Below", int64(below), "Beginnings", int64(kinds))
		below = kinds
		found = append(found, b)
	}
	slices.Reverse(found)
	return found
}

// beginningsOfDigits makes a column of each number of digits for which a column may have labels.
func (p *profile) beginningsOfDigits(l *level, length int, levels []*level) (found []*beginning) {
	last := 1
	for digits := 1; digits < length; digits++ {
		b := p.beginningOf(l, digits, cube.Derivation{Rule: cube.RulePrefix, Length: length, Digits: digits})
		kinds := b.level.column.Different()
		if kinds > last && kinds*3 <= l.column.Different()*2 && slices.ContainsFunc(levels, b.mayHaveLabel) && len(found) < mostBeginnings {
			last = kinds
			b.why = say("digits", "Length", length, "Digits", digits)
			found = append(found, b)
		}
	}
	return found
}

// beginningOf makes the column of one beginning of the codes of a level.
func (p *profile) beginningOf(l *level, depth int, rule cube.Derivation) *beginning {
	name := fmt.Sprintf("%s_%d", l.column.Name, depth)
	for slices.ContainsFunc(p.Columns, func(c *column) bool { return strings.EqualFold(c.Name, name) }) {
		name += "_"
	}
	c := evidence.Derived(name, l.column, rule, func(cell string) string { return rule.Beginning(l.bareCode(cell)) })
	c.Words = wordsOf(name)
	made := &level{column: c, concept: l.concept, conceptWhy: l.conceptWhy, group: l.group, members: int64(c.Different())}
	return &beginning{level: made, code: l}
}

// isCodeOf tells whether a published column has all the beginnings as its codes, so that no other is made.
func (b *beginning) isCodeOf(other *level) bool {
	if other == b.code || other.column.Many {
		return false
	}
	known := map[string]bool{}
	for _, v := range other.column.Values[1:] {
		known[other.bareCode(v.Text)] = true
	}
	return !slices.ContainsFunc(b.level.column.Values[1:], func(v evidence.Value) bool { return !known[v.Text] })
}

// mayHaveLabel tells whether a column of words has about as many cells as there are beginnings.
func (b *beginning) mayHaveLabel(other *level) bool {
	labels, kinds := other.column.Different(), b.level.column.Different()
	return other != b.code && other.label == nil && !other.split && other.time == noTime && !other.column.Many && other.column.HoldsWords() &&
		labels >= 2 && max(labels, kinds)-min(labels, kinds) <= kinds/10
}

// takeLabel makes a column the label of the beginnings if each has one, and one alone.
func (b *beginning) takeLabel(in *evidence.Count, other *level) bool {
	there, back := in.Ask(other.column, b.level.column).Of(), in.Ask(b.level.column, other.column).Of()
	if b.level.label != nil || !there.Share(99) || !back.Share(99) || !there.Convinces() {
		return false
	}
	b.level.label = other.column
	b.level.labelWhy = say("one-alone", "Evidence", figures(there), "Other", shown(other.column.Name))
	return true
}
