package api

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm" // takes letters and their accents apart

	"fiscube/cube"
)

// mostFileName bounds what a file name says of a question, in characters.
const mostFileName = 80

// fileName names the file of an answer: package, question and version.
func fileName(one *cube.Cube, question ...string) string {
	name := slug(strings.Join(question, "-"))
	if len(name) > mostFileName {
		name = strings.TrimRight(name[:mostFileName], "-._")
	}
	if name != "" {
		name = "-" + name
	}
	return one.Name + name + "-v" + strconv.Itoa(one.Version)
}

// subject says in a few words what a plan is of: its drilldown, the values of its cuts, and the statement it counts.
func subject(plan *cube.Plan) []string {
	var parts []string
	for _, clause := range plan.Question() {
		if clause[0] == "drilldown" {
			parts = append(parts, clause[1])
		}
	}
	return append(parts, admitted(plan)...)
}

// admitted says what the filters of a plan admit.
func admitted(plan *cube.Plan) []string {
	var parts []string
	for _, f := range plan.AllFilters() {
		switch {
		case f.Default:
			parts = append(parts, counted(f)...)
			continue
		case f.Not:
			parts = append(parts, "not")
		}
		for _, item := range f.Echo {
			separator := "-"
			if item.Op == cube.OpRange {
				separator = "-to-"
			}
			parts = append(parts, strings.Join(texts(item.Values), separator))
		}
	}
	return parts
}

// counted says which statements a default filter counts, each once: its last field tells them apart.
func counted(f cube.Filter) []string {
	fields := strings.Split(f.Ref, "/")
	parts, seen := []string{fields[len(fields)-1]}, map[string]bool{}
	for _, item := range f.Echo {
		list := texts(item.Values)
		if last := list[len(list)-1]; !seen[last] {
			parts, seen[last] = append(parts, last), true
		}
	}
	return parts
}

func texts(values []cube.Value) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = v.String()
	}
	return list
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
