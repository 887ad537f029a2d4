package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/internal/fold"
	"fiscube/store/evidence"
	"fiscube/store/load"
	"fiscube/store/load/numeric"
)

// statements says whether rows state the same money again: the months or reports of a year, each with all that came before.
type statements struct {
	by      string   // the column that names them, or the name of the one that is made of the names of the files
	pattern string   // of the names of the files; "" where a column names them
	order   []string // earliest first; nil where all are whole numbers
	why     string
	open    bool   // it is not known yet
	asked   *level // a column of months or reports of which the cells do not say whether they state money again; nil for none
}

// settleStatements finds whether rows state the same money again. The survey finds it in columns of few whole numbers; months and
// reports that are written as words, in cells or in the names of the files, are put in order here first.
func (d *Description) settleStatements(ctx context.Context, progress load.Progress) error {
	if d.roles.year.column == nil {
		if ranks, _ := d.monthsOfFiles(); ranks != nil {
			d.doubt("statements", "Column", "file")
		}
		return nil
	}
	if err := d.findInFileNames(ctx); err != nil || d.statements.by != "" {
		return err
	}
	if err := d.findInWords(ctx); err != nil || d.statements.by != "" {
		return err
	}
	d.statements.open = true
	report, err := d.survey(ctx, progress, func(*load.Survey) error { return nil })
	d.statements.open = false
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		if f.Code == fdp.SnapshotDetected {
			d.statements = statements{by: f.Field, why: shown(f.Message)}
			if why, ok := figuresOf(f); ok {
				d.statements.why = why
			}
			return d.doubtLittleGrowth(ctx)
		}
	}
	d.ask()
	return nil
}

// doubtLittleGrowth tells of statements over which no amount doubles: what is equal or grows a little each month may be money of its own.
func (d *Description) doubtLittleGrowth(ctx context.Context) error {
	i := slices.IndexFunc(d.profile.Columns, func(c *column) bool { return c.Name == d.statements.by })
	if i < 0 || d.profile.Columns[i].Many || d.profile.Columns[i].Different() < 3 {
		return nil
	}
	c := d.profile.Columns[i]
	order := make([]uint32, len(c.Values)-1)
	for n := range order {
		order[n] = uint32(n + 1)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		one, other := c.Values[a].Text, c.Values[b].Text
		return cmp.Or(cmp.Compare(len(one), len(other)), cmp.Compare(one, other))
	})
	rise, err := d.rise(ctx, func(_ int, codes []uint32) (int, bool) {
		at := slices.Index(order, codes[c.At])
		return at, at >= 0
	})
	if err == nil {
		d.doubtRise(rise)
	}
	return err
}

// doubtRise tells of statements that may be money of their own, unless what is in the last ones is twice as much as in the first at least.
func (d *Description) doubtRise(r rise) {
	for n := range r.first {
		if r.last[n].Abs().GreaterThanOrEqual(r.first[n].Abs().Mul(decimal.NewFromInt(2))) && !r.last[n].IsZero() {
			return
		}
	}
	d.doubt("since", "Column", shown(d.statements.by))
}

// figuresOf gives the figures of the finding that a column seems to name snapshots.
func figuresOf(f findings.Finding) (string, bool) {
	amounts, ok := f.Params["amounts"].([]findings.Params)
	if !ok || len(amounts) == 0 {
		return "", false
	}
	var texts []string
	for _, a := range amounts {
		texts = append(texts, fmt.Sprintf("%v in %v of %v keys", shown(fmt.Sprint(a["measure"])), a["rising"], a["keys"]))
	}
	return fmt.Sprintf("amounts stay or grow from one %s to the next: %s", shown(f.Field), strings.Join(texts, ", ")), true
}

// ask notes a column of months or reports that does not rise: the rows of each may be money of their own.
func (d *Description) ask() {
	i := slices.IndexFunc(d.levels, func(l *level) bool { return l.time == statement })
	if i < 0 || d.levels[i].column.Different() < 2 {
		return
	}
	d.statements.asked = d.levels[i]
	d.statements.why = fmt.Sprintf("Nothing shows that amounts grow from one %s to the next, so each row is taken for money of its own", shown(d.levels[i].column.Name))
	d.doubt("statements", "Column", shown(d.levels[i].column.Name))
}

// findInWords looks at a column of months or reports that are written as words.
func (d *Description) findInWords(ctx context.Context) error {
	i := slices.IndexFunc(d.levels, func(l *level) bool { return l.time == statement })
	if i < 0 || d.levels[i].column.Letters == 0 || d.levels[i].column.Different() < 2 {
		return nil
	}
	c := d.levels[i].column
	var order []string
	spans := 0
	ranks := map[uint32]int{}
	for code, v := range c.Values[1:] {
		rank, ok := rankOfStatement(v.Text)
		if !ok {
			return nil
		}
		ranks[uint32(code+1)] = rank
		order = append(order, strings.TrimSpace(v.Text))
		spans += int(evidence.RowsIf(isSpan(v.Text), 1))
	}
	slices.SortFunc(order, func(a, b string) int {
		first, _ := rankOfStatement(a)
		second, _ := rankOfStatement(b)
		return first - second
	})
	if len(slices.Compact(slices.Sorted(maps.Values(ranks)))) < len(order) {
		return nil // two of one rank
	}
	rise, err := d.rise(ctx, func(_ int, codes []uint32) (int, bool) {
		rank, ok := ranks[codes[c.At]]
		return rank, ok
	})
	switch {
	case err != nil:
		return err
	case rise.best() >= 0:
		best := rise.best()
		d.statements = statements{by: c.Name, order: order, why: fmt.Sprintf("from one to the next %s never falls in %s of %s keys", shown(d.roles.amounts[best].Name),
			count(rise.amounts[best].Rising), count(rise.amounts[best].Keys))}
		d.doubtRise(rise)
	case spans >= 2 && rise.shared*2 >= rise.keys:
		d.statements = statements{by: c.Name, order: order, why: fmt.Sprintf("%d of its %d cells name the months from January on, and %s of %s keys of a year stand in several",
			spans, len(order), count(rise.shared), count(rise.keys))}
	}
	return nil
}

// findInFileNames looks at files of one year whose names have different months: reports of that year.
func (d *Description) findInFileNames(ctx context.Context) error {
	ranks, words := d.monthsOfFiles()
	if ranks == nil {
		return nil
	}
	rise, err := d.rise(ctx, func(file int, _ []uint32) (int, bool) { return ranks[file], true })
	if err != nil || rise.shared*2 < rise.keys || rise.keys == 0 {
		return err
	}
	order := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return words[a] - words[b] })
	d.statements = statements{by: d.freeName("statement"), pattern: "(" + strings.Join(order, "|") + ")", order: order,
		why: fmt.Sprintf("%s of %s keys of a year stand in the files of several months", count(rise.shared), count(rise.keys))}
	d.doubtRise(rise)
	return nil
}

// monthsOfFiles gives the number of the month that each file is named for, and those of the words; nil where one has none or all have the same.
func (d *Description) monthsOfFiles() (ranks map[int]int, words map[string]int) {
	ranks, words = map[int]int{}, map[string]int{}
	for i, f := range d.profile.forms {
		word := monthOf(wordsOf(path.Base(f.path)))
		if word == "" || !strings.Contains(path.Base(f.path), word) { // a pattern finds it as it is written
			return nil, nil
		}
		ranks[i], words[word] = monthNumber(word), monthNumber(word)
	}
	if len(words) < 2 || len(slices.Compact(slices.Sorted(maps.Values(words)))) < len(words) {
		return nil, nil
	}
	return ranks, words
}

// freeName gives a name that no column has.
func (d *Description) freeName(name string) string {
	for slices.ContainsFunc(d.profile.Columns, func(c *column) bool { return strings.EqualFold(c.Name, name) }) {
		name += "_"
	}
	return name
}

// rise is how amounts go from one statement to the next.
type rise struct {
	keys    int64             // of a year
	shared  int64             // of these, those that stand in several statements
	amounts []evidence.Rise   // of the keys that stand in several
	first   []decimal.Decimal // by amount: the sums of the first statements of all keys
	last    []decimal.Decimal // and of the last
}

// Bounds of what is remembered to see whether amounts rise.
const (
	mostRisingRows    = 50_000 // of a file
	mostRisingKeys    = 5_000
	mostRisingAmounts = 8
)

// best gives the amount that rises for most keys of those that convince, or -1 where none does.
func (r rise) best() int {
	best := -1
	for i, a := range r.amounts {
		if a.Convinces(false) && (best < 0 || a.Rising > r.amounts[best].Rising) {
			best = i
		}
	}
	return best
}

// rise follows the amounts of each key of a year over its statements. Rank gives that of a row.
func (d *Description) rise(ctx context.Context, rank func(file int, codes []uint32) (int, bool)) (rise, error) {
	followed := d.roles.amounts[:min(len(d.roles.amounts), mostRisingAmounts)]
	byKey := map[uint64][]map[int64]int64{} // for each amount, by rank
	p := d.profile
	codes := make([]uint32, len(p.Columns))
	var key []*column
	for _, l := range d.levels {
		if l.time == noTime && l.concept != fact && !l.column.Many {
			key = append(key, l.column)
		}
	}
	amounts := make([]int64, len(p.Columns))
	for file := range p.forms {
		clear(codes)
		rows := 0
		for row, err := range p.Each(ctx, file, false) {
			if err != nil {
				return rise{}, err
			}
			if rows++; rows > mostRisingRows {
				break
			}
			for i, at := range p.Index[file] {
				codes[at] = row.Codes[i]
				if slices.Contains(followed, p.Columns[at]) {
					digits, _, ok := d.forms.of(file, p.Columns[at]).Read(row.Cells[i])
					if amounts[at] = 0; ok {
						amounts[at] = numeric.Fixed(digits)
					}
				}
			}
			at, ok := rank(file, codes)
			if !ok {
				continue
			}
			hash := keyOf(d.roles.year.column, key, codes)
			known, met := byKey[hash]
			if !met && len(byKey) == mostRisingKeys {
				continue
			}
			if !met {
				known = make([]map[int64]int64, len(followed))
				for i := range known {
					known[i] = map[int64]int64{}
				}
				byKey[hash] = known
			}
			for i, c := range followed {
				known[i][int64(at)] = numeric.PlusFixed(known[i][int64(at)], amounts[c.At])
			}
		}
	}
	r := rise{keys: int64(len(byKey)), amounts: make([]evidence.Rise, len(followed)), first: make([]decimal.Decimal, len(followed)), last: make([]decimal.Decimal, len(followed))}
	decimalOf := func(fixed int64) decimal.Decimal { return decimal.New(fixed, -numeric.FixedDecimals) }
	for _, known := range byKey {
		if len(known[0]) < 2 {
			continue
		}
		r.shared++
		for i, amounts := range known {
			ranks := slices.Sorted(maps.Keys(amounts))
			r.first[i], r.last[i] = r.first[i].Add(decimalOf(amounts[ranks[0]])), r.last[i].Add(decimalOf(amounts[ranks[len(ranks)-1]]))
			if slices.ContainsFunc(ranks, func(rank int64) bool { return amounts[rank] != 0 }) {
				r.amounts[i].Add(amounts)
			}
		}
	}
	return r, nil
}

// keyOf joins the year and the codes of a row, blank ones too.
func keyOf(year *column, key []*column, codes []uint32) uint64 {
	hash := uint64(0)
	if year != nil {
		hash = uint64(codes[year.At])
	}
	for _, c := range key {
		hash = evidence.Mixed(hash, codes[c.At])
	}
	return hash
}

// quarter matches the names of quarters, folded: T1, 1T, Q1, trimestre 1, 1er trimestre, II trimestre.
var quarter = regexp.MustCompile(`^(?:[tq] ?([1-4])|([1-4]) ?[tq]|(?:trimestre|quarter|trim) ?([1-4])|([1-4])[a-z]* (?:trimestre|quarter|trim)|(i|ii|iii|iv) (?:trimestre|quarter|trim))\b`)

// rankOfStatement gives the place of a month, a quarter, a span of months from January or a report in its year.
func rankOfStatement(text string) (int, bool) {
	folded := fold.Text(strings.TrimSpace(text))
	if match := quarter.FindStringSubmatch(folded); match != nil {
		for i, found := range match[1:] {
			if found != "" && i == 4 {
				return 3 * (slices.Index([]string{"i", "ii", "iii", "iv"}, found) + 1), true
			} else if found != "" {
				return 3 * int(found[0]-'0'), true
			}
		}
	}
	last := 0
	words := wordsOf(text)
	for _, word := range words {
		if n := monthNumber(word); n > 0 {
			last = n
		}
	}
	switch {
	case last > 0:
		return last, true
	case has(words, vocabulary.FirstReport) != "":
		return 0, true
	case has(words, vocabulary.LastReport) != "":
		return 13, true
	}
	return 0, false
}

// isSpan tells whether a text names January and another month.
func isSpan(text string) bool {
	january, other := false, false
	for _, word := range wordsOf(text) {
		n := monthNumber(word)
		january, other = january || n == 1, other || n > 1
	}
	return january && other
}

// survey reads the package as it is described so far and gives what is found.
func (d *Description) survey(ctx context.Context, progress load.Progress, look func(*load.Survey) error) (*findings.Report, error) {
	descriptor, err := d.Descriptor()
	if err != nil {
		return nil, err
	}
	o := d.options.Load
	o.Encoding = "" // the descriptor says it
	source, err := load.OpenMade(ctx, d.files, descriptor, d.Overlay(), o)
	if err != nil {
		return nil, fmt.Errorf("what was described is no package: %w", err)
	}
	taken, err := load.Take(ctx, source, progress)
	if err != nil {
		return nil, errors.Join(err, source.Close())
	}
	return taken.Report(), errors.Join(look(taken), source.Close())
}
