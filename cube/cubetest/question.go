package cubetest

import (
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Read parses a question written like plan.Plan.String: parameters joined by &, without any escaping of URLs.
func Read(question string) (query.Query, error) {
	given := clauses(question)
	delete(given, "_default") // the rest brings it about again
	return query.Parse(given)
}

// clauses splits a question at each & outside of quotes that begins a parameter: names may hold a bare &, but
// none holds a bare =.
func clauses(question string) map[string]string {
	found := map[string]string{}
	quoted, start := false, 0
	for i := 0; i <= len(question); i++ {
		switch {
		case i == len(question) || question[i] == '&' && !quoted && beginsClause(question[i+1:]):
			if name, text, ok := strings.Cut(question[start:i], "="); ok {
				found[name] = text
			}
			start = i + 1
		case question[i] == '\\' && quoted:
			i++
		case question[i] == '"':
			quoted = !quoted
		}
	}
	return found
}

func beginsClause(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return slices.Contains([]string{"page", "pagesize", "_default"}, name) ||
		slices.ContainsFunc(query.Clauses(), func(c query.Clause) bool { return c.Name == name })
}

// Ask binds a question of the test model.
func Ask(t testing.TB, question string) (*plan.Plan, error) {
	t.Helper()
	q, err := Read(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return plan.Bind(Cube(t), q)
}

// MustAsk binds a question of the test model that is right.
func MustAsk(t testing.TB, question string) *plan.Plan {
	t.Helper()
	p, err := Ask(t, question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return p
}

// WantError checks the code of err, and its text: place, message and hint.
func WantError(t testing.TB, err error, code cube.Code, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want %s: %s", code, text)
	}
	if got := cube.CodeOf(err); got != code {
		t.Errorf("code %q, want %q", got, code)
	}
	if err.Error() != text {
		t.Errorf("error\n got %s\nwant %s", err, text)
	}
}

// Bind binds a question of a cube that is right.
func Bind(t testing.TB, c *cube.Cube, question string) *plan.Plan {
	t.Helper()
	q, err := Read(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	p, err := plan.Bind(c, q)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return p
}

// BindTree binds a question for a tree of Places in 2017, which is right.
func BindTree(t testing.TB, c *cube.Cube, question string) *plan.Plan {
	t.Helper()
	tree := query.Tree{Ref: query.Ref{Name: "place"}, Depth: 1}
	rest := []string{"cut=year:2017"}
	for clause := range strings.SplitSeq(question, "&") {
		name, text, _ := strings.Cut(clause, "=")
		var err error
		switch name {
		case "depth":
			tree.Depth, err = query.ParseDepth(text)
		case "path":
			tree.Path, err = query.ParsePath(text)
		default:
			rest = append(rest, clause)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(question, "aggregates=") {
		rest = append(rest, "aggregates=plan.sum")
	}
	q, err := Read(strings.Join(rest, "&"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.BindTree(c, q, tree)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// HardTexts are values that a careless printer or parser would trip over.
var HardTexts = []string{
	"", "0", "1", "01", "2016", "-5", "9223372036854775807", "a", "ž", "💩", "a b", "a/b", "a|b", "a;b", "a..b", "~a",
	"!a", `a"b`, `a\b`, "a&b", "&cut=Year:1", "%41", "+", "<>", "\u2028", "\x01\n\t", "a:b", ".", "日本", "\ufffd",
}
