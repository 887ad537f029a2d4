package plan

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"fiscube/cube"

	"github.com/shopspring/decimal"
)

// bookmark is the place between two pages of facts: what the last fact read is sorted by. It travels through the
// hands of callers, so it says which question it belongs to, and what it holds is checked like a cut.
type bookmark struct {
	Version  int       `json:"v"`
	Question string    `json:"q"` // of which facts, in which order
	Total    int64     `json:"n"` // of the facts on all pages, or unknownTotal
	After    []*string `json:"a"` // one for each of FactPlan.Order; null is missing
}

// mostBookmark bounds a token: longer ones would not pass through a URL.
const mostBookmark = 64 << 10

// Next gives the token of the page that follows a fact; total is how many facts there are on all pages.
func (p *FactPlan) Next(last Fact, total int64) string {
	next := p.From(last, p.size)
	next.total = total
	return next.bookmark()
}

// bookmark writes the place that the facts of the plan come after.
func (p *FactPlan) bookmark() string {
	mark := bookmark{Version: p.Cube().Version, Question: p.digest(), Total: p.total}
	for i, v := range p.after {
		var text *string
		if !v.IsMissing() {
			cell := v.Text(p.scale(p.order[i]))
			text = &cell
		}
		mark.After = append(mark.After, text)
	}
	data, _ := json.Marshal(mark) // texts and numbers always encode
	return base64.RawURLEncoding.EncodeToString(data)
}

func (p *FactPlan) scale(s FactSort) int32 {
	if s.Column < 0 {
		return 0
	}
	return int32(p.columns[s.Column].Scale)
}

// digest stands for the version, the filters and the order. Fields and page size may change from page to page.
func (p *FactPlan) digest() string {
	question := p.Cube().Name + "\n" + p.Cube().Fingerprint + "\n" + strings.Join(p.rowClauses(), "&")
	sum := sha256.Sum256([]byte(question))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// readBookmark goes to the place that a token says.
func (p *FactPlan) readBookmark(token string) error {
	mark, ok := decodeBookmark(token)
	switch {
	case !ok || mark.Version < 1 || mark.Total < unknownTotal:
		return badBookmark("after is no token of this service").WithHint("take it from next of the page before, as it is")
	case mark.Version != p.Cube().Version:
		return badBookmark("after is of version %d, and this is version %d", mark.Version, p.Cube().Version).
			WithHint("add version=" + cube.Integer(int64(mark.Version)).String() + " to go on, or leave after out to begin again")
	case mark.Question != p.digest() || len(mark.After) != len(p.order):
		return badBookmark("after belongs to another question").
			WithHint("ask with the same cut, order and snapshots, or leave after out to begin again")
	}
	p.total = mark.Total
	p.after = make([]FactValue, len(p.order))
	for i, s := range p.order {
		if p.after[i], ok = p.bookmarked(s, mark.After[i]); !ok {
			return badBookmark("after holds a value that %s cannot have", p.SortName(s)).
				WithHint("take it from next of the page before, as it is")
		}
	}
	return nil
}

func badBookmark(format string, args ...any) *cube.Error {
	return cube.Errorf(cube.CodeBadValue, format, args...).At(cube.Position{Parameter: "after"})
}

func decodeBookmark(token string) (mark bookmark, ok bool) {
	if len(token) > mostBookmark {
		return mark, false
	}
	data, err := base64.RawURLEncoding.Strict().DecodeString(token)
	return mark, err == nil && json.Unmarshal(data, &mark) == nil
}

// bookmarked types the text that a sort goes on from.
func (p *FactPlan) bookmarked(s FactSort, text *string) (FactValue, bool) {
	switch {
	case s.Column < 0:
		return p.bookmarkedPlace(s, text)
	case text == nil:
		return FactValue{}, true
	case *text == "" || strings.ContainsRune(*text, 0) || !utf8.ValidString(*text):
		return FactValue{}, false
	}
	column := p.columns[s.Column]
	if column.Type == cube.TypeDecimal {
		amount, ok := storedAmount(column, *text)
		return FactValue{Amount: decimal.NewNullDecimal(amount)}, ok
	}
	value, err := typed(column, *text, cube.Position{})
	return FactValue{Value: value}, err == nil
}

// bookmarkedPlace reads where a fact stands: the place of a resource, or a line of its file.
func (p *FactPlan) bookmarkedPlace(s FactSort, text *string) (FactValue, bool) {
	if text == nil {
		return FactValue{}, false
	}
	value, err := typed(cube.Column{Type: cube.TypeInteger}, *text, cube.Position{})
	n, whole := value.Int()
	ok := err == nil && whole && n >= 0 && (s.Column == ByLine || n < int64(len(p.Cube().Resources)))
	return FactValue{Value: value}, ok
}

// storedAmount reads an amount as the column may hold it: digits with a point at most. An exponent would make a few
// characters into a number of gigabytes.
func storedAmount(column cube.Column, text string) (decimal.Decimal, bool) {
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	switch {
	case whole == "" || pointed && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "":
		return decimal.Decimal{}, false
	case len(fraction) > column.Scale || len(whole) > mostDigits-column.Scale:
		return decimal.Decimal{}, false
	}
	amount, err := decimal.NewFromString(text)
	return amount, err == nil
}
