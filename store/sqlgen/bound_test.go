package sqlgen_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/store/sqlgen"
)

// Texts that would do harm in SQL, each with a mark that no statement holds by itself.
var harmful = []string{"zq", "zq'; DROP TABLE x; --", `zq"`, "zq$1", "zq\\", "zq\n--", "zq/*", "zqž", "'zq'", "zq?", ":zq", "zq%"}

// questions makes random questions, and remembers the values it asked for.
type questions struct {
	*rand.Rand
	values []any
}

func (a *questions) one(of ...string) string { return of[a.IntN(len(of))] }

func (a *questions) text() string {
	s := a.one(harmful...) + strings.Repeat("x", a.IntN(3))
	a.values = append(a.values, s)
	b, _ := json.Marshal(s)
	return string(b)
}

func (a *questions) number() string {
	n := int64(900_000_000 + a.IntN(99_999_999))
	a.values = append(a.values, n)
	return fmt.Sprint(n)
}

func (a *questions) term() string {
	not := a.one("", "!")
	switch a.IntN(6) {
	case 0:
		return not + "Year:" + a.number() + ";" + a.number() + ".."
	case 1:
		return not + "quarter:;" + a.number() + ";.." + a.number()
	case 2:
		return not + "administrative:" + a.text() + "/" + a.text() + ";" + a.text()
	case 3:
		return not + "programme:" + a.number() + "/" + a.text()
	case 4:
		return not + `"a\"; DROP TABLE x; --":` + a.text() + ".."
	}
	return not + a.one("admin1_code", "admin2_code", "line_id") + ":" + a.text() + ";" + a.text()
}

func (a *questions) question() string {
	size := int64(100 + a.IntN(9_000))
	page := int64(1_000_000 + a.IntN(1_000_000))
	a.values = []any{size, (page - 1) * size}
	question := fmt.Sprintf("page=%d&pagesize=%d&cut=%s|%s|%s", page, size, a.term(), a.term(), a.term())
	question += "&drilldown=" + a.one("Year", "admin2_code", "quarter", "prog_code", `"$1 \""`) + "|" + a.one("task_code", "line_id")
	question += "&aggregates=" + a.one("_count", `"spent\"".avg`) + `|approved_value.sum&order=approved_value.sum:desc`
	return question
}

func TestCells_ValuesNeverEnterTheText(t *testing.T) {
	a := &questions{Rand: rand.New(rand.NewPCG(20, 26))}
	for range 1_000 {
		question := a.question()
		statement := sqlgen.Cells(ask(t, question).Main())
		for _, value := range a.values {
			if !slices.Contains(statement.Args, value) {
				t.Fatalf("%s: %v is not among the arguments %v", question, value, statement.Args)
			}
			if strings.Contains(statement.Text, fmt.Sprint(value)) {
				t.Fatalf("%s: %v is in the text\n%s", question, value, statement.Text)
			}
		}
		if strings.Contains(statement.Text, "zq") {
			t.Fatalf("%s: a value is in the text\n%s", question, statement.Text)
		}
		checkWords(t, statement)
	}
}

var (
	quotedNames  = regexp.MustCompile(`"(?:[^"]|"")*"`)
	placeholders = regexp.MustCompile(`\$\d+`)
	// words are all that a statement is made of beside quoted names: the rest of it would be a value.
	words = regexp.MustCompile(`^(?:WITH|AS|SELECT|FROM|LEFT|JOIN|ON|true|WHERE|AND|OR|IN|IS|NOT|TRUE|NULL|DISTINCT|` +
		`GROUP|ORDER|BY|DESC|NULLS|LAST|LIMIT|OFFSET|CAST|bigint|double|precision|count|sum|min|max|coalesce|nullif|length|` +
		`fact|member|label|_rank|_shown|_year|one|g|s|p|f|n|0|1|[katmp]\d+)$`)
	word = regexp.MustCompile(`\w+`)
)

// checkWords checks that the text is made of keywords, our own names, quoted names and placeholders, and that
// the placeholders are $1 to the number of arguments, each once and in order.
func checkWords(t *testing.T, statement sqlgen.SQL) {
	t.Helper()
	text := quotedNames.ReplaceAllString(statement.Text, " ")
	for i, placeholder := range placeholders.FindAllString(text, -1) {
		if placeholder != fmt.Sprintf("$%d", i+1) || i >= len(statement.Args) {
			t.Fatalf("placeholder %s stands in place %d of %d\n%s", placeholder, i+1, len(statement.Args), statement.Text)
		}
	}
	if n := len(placeholders.FindAllString(text, -1)); n != len(statement.Args) {
		t.Fatalf("%d placeholders for %d arguments\n%s", n, len(statement.Args), statement.Text)
	}
	text = strings.ReplaceAll(placeholders.ReplaceAllString(text, " "), "''", " ")
	for _, one := range word.FindAllString(text, -1) {
		if !words.MatchString(one) {
			t.Fatalf("the text holds %q\n%s", one, statement.Text)
		}
	}
	if strings.ContainsAny(text, "'\";\\-#") {
		t.Fatalf("the text holds a sign that belongs into a value\n%s", statement.Text)
	}
}
