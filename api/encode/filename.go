package encode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm" // takes letters and their accents apart

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// maxFileName bounds what a file name says of a package and a question, in characters.
const maxFileName = 80

// FileName names the file of an answer with the characters that every system takes: package, words about the
// question, and version. A digest tells questions apart wherever the words may not: where there is more to the question
// than its drilldown, and where a word is cut or written otherwise.
func FileName(cb *cube.Cube, words []string, asked [][2]string) string {
	name := slug(strings.Join(append([]string{cb.Name}, words...), "-"))
	exact := slug(cb.Name) == cb.Name && !slices.ContainsFunc(words, isInexact) &&
		!slices.ContainsFunc(asked, func(clause [2]string) bool { return clause[0] != "drilldown" })
	if len(name) > maxFileName {
		name, exact = strings.TrimRight(name[:maxFileName], "-._"), false
	}
	if !exact {
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", cb.Name, words, asked))
		name += "-" + hex.EncodeToString(sum[:4])
	}
	if reserved.MatchString(name) {
		name = "_" + name
	}
	return name + "-v" + strconv.Itoa(cb.Version)
}

// isInexact reports whether a file name does not hold a word as it is.
func isInexact(word string) bool { return slug(word) != word || strings.Contains(word, "-") }

// reserved are the names that Windows has for devices, also with anything behind a dot.
var reserved = regexp.MustCompile(`^(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])\.`)

// AskedClauses gives the canonical clauses of a plan that the query asked for.
func AskedClauses(p *plan.Plan, q query.Query) [][2]string {
	return slices.DeleteFunc(p.Question(), func(clause [2]string) bool {
		return clause[0] == "aggregates" && len(q.Aggregates) == 0 || clause[0] == "order" && len(q.Order) == 0
	})
}

// FactClauses gives the canonical question of a plan by clauses, as Plan.Question does.
func FactClauses(p *plan.FactPlan, q query.FactQuery) [][2]string {
	var clauses [][2]string
	add := func(name, separator string, items []string) {
		if len(items) > 0 {
			clauses = append(clauses, [2]string{name, strings.Join(items, separator)})
		}
	}
	if len(q.Fields) > 0 {
		refs := each.Text(p.Fields(), func(field cube.Column) string { return query.Ref{Name: field.Name}.String() })
		add("fields", "|", refs)
	}
	clauses = append(clauses, ClausesOf(p.Counting(), "cut", "snapshots")...)
	order := each.Text(p.OrderAsked(), func(s plan.FactSort) string { return p.SortName(s) + ":" + s.Direction() })
	add("order", ",", order)
	if p.Size() != query.EveryFact {
		add("pagesize", "", []string{strconv.Itoa(p.Size())})
	}
	if q.After != "" {
		add("after", "", []string{q.After})
	}
	return clauses
}

// ClausesOf gives those of the clauses of a plan that are named.
func ClausesOf(p *plan.Plan, names ...string) [][2]string {
	return slices.DeleteFunc(p.Question(), func(clause [2]string) bool { return !slices.Contains(names, clause[0]) })
}

// PlanWords says in a few words what a plan is of: its drilldown and aggregates, the values of its cuts, the statement it
// counts, and the rest as it was asked.
func PlanWords(p *plan.Plan, asked [][2]string) []string {
	var parts []string
	for _, clause := range asked {
		if clause[0] == "drilldown" || clause[0] == "aggregates" {
			parts = append(parts, strings.Split(clause[1], "|")...)
		}
	}
	return append(append(parts, CutWords(p)...), ClauseWords(asked, "drilldown", "aggregates", "cut")...)
}

// ClauseWords says each clause, but for some, by its name and its text.
func ClauseWords(asked [][2]string, but ...string) []string {
	var parts []string
	for _, clause := range asked {
		if !slices.Contains(but, clause[0]) {
			parts = append(parts, clause[0], clause[1])
		}
	}
	return parts
}

// CutWords says what the filters of a plan admit.
func CutWords(p *plan.Plan) []string {
	var parts []string
	for _, f := range p.AllFilters() {
		switch {
		case f.Default:
			parts = append(parts, counted(f)...)
			continue
		case f.Not:
			parts = append(parts, "not")
		}
		for _, item := range f.Echo {
			separator := "-"
			if item.Op == query.OpRange {
				separator = "-to-"
			}
			parts = append(parts, strings.Join(item.Texts(), separator))
		}
	}
	return parts
}

// counted says which statements a default filter counts, each once: its last field tells them apart.
func counted(f plan.Filter) []string {
	fields := strings.Split(f.Ref, "/")
	parts, seen := []string{fields[len(fields)-1]}, map[string]bool{}
	for _, item := range f.Echo {
		list := item.Texts()
		if last := list[len(list)-1]; !seen[last] {
			parts, seen[last] = append(parts, last), true
		}
	}
	return parts
}

// slug writes a text in the characters that every system takes in the name of a file.
func slug(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFD.String(text) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.'):
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			gap = false
		default:
			gap = true
		}
	}
	return strings.TrimLeft(b.String(), ".")
}
