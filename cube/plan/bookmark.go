package plan

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/query"

	"github.com/shopspring/decimal"
)

// bookmark says after which fact the next page begins, by the values that this fact is sorted by. Clients hold the token,
// so it names the question that it belongs to, and its values are checked as those of a cut.
type bookmark struct {
	Version  int       `json:"v"`
	Question string    `json:"q"` // digest of the filters and the order
	Total    int64     `json:"n"` // the number of facts on all pages, or unknownTotal
	After    []*string `json:"a"` // one value for each of FactPlan.Order; null is missing
}

// mostBookmark bounds the characters of a token. A longer one would not fit into a URL.
const mostBookmark = 64 << 10

// Next gives the token of the page that follows a fact; total is the number of facts on all pages.
func (p *FactPlan) Next(last Fact, total int64) string {
	next := p.From(last, p.size)
	next.total = total
	return next.bookmark()
}

// bookmark writes the token for the facts after p.after.
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

// digest identifies the version, the filters and the order. Fields and page size may differ from page to page.
func (p *FactPlan) digest() string {
	question := p.Cube().Name + "\n" + p.Cube().Fingerprint + "\n" + query.JoinClauses(p.rowClauses())
	sum := sha256.Sum256([]byte(question))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// readBookmark sets what the facts come after, from a token.
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

// bookmarked types the text of a bookmark for a sort.
func (p *FactPlan) bookmarked(s FactSort, text *string) (FactValue, bool) {
	switch {
	case s.Column < 0:
		return p.bookmarkedSource(s, text)
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

// bookmarkedSource reads the index of a resource, or a line of its file.
func (p *FactPlan) bookmarkedSource(s FactSort, text *string) (FactValue, bool) {
	if text == nil {
		return FactValue{}, false
	}
	value, err := typed(cube.Column{Type: cube.TypeInteger}, *text, cube.Position{})
	n, whole := value.Int()
	ok := err == nil && whole && n >= 0 && (s.Column == ByLine || n < int64(len(p.Cube().Resources)))
	return FactValue{Value: value}, ok
}

// storedAmount reads an amount of a column: digits, with a point at most. It refuses exponents, since a few characters
// could make a number of gigabytes.
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
