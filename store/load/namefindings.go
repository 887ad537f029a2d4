package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/history"
	"fiscube/cube/prose"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// The codes of findings about the names of members.
const (
	CodeAmbiguous       = "label-ambiguous"  // members have several labels in one year
	CodeSameAsUnknown   = "same-as-unknown"  // no row has a member of a crosswalk, though there are rows of its edition
	CodeFunctionUnknown = "function-unknown" // likewise a member that is of a division of COFOG
	CodeCodeReused      = "code-reused"
	CodeLabelChanged    = "label-changed"
	CodeLabelsCut       = "label-history-cut"
	CodeLevelRenumbered = "level-renumbered"
)

// nameFindings reports what the members of a level and the breaks in their labels show.
func nameFindings(model *cube.Model, level cube.Level, list []cube.Member, breaks history.Breaks) []findings.Finding {
	var all []findings.Finding
	for _, report := range []func(*cube.Model, cube.Level, []cube.Member) (findings.Finding, bool){ambiguous, sameAsUnknown} {
		if f, ok := report(model, level, list); ok {
			all = append(all, f)
		}
	}
	return append(all, breakFindings(model, level, breaks)...)
}

// described is a finding of a level, whose code has one sentence.
func described(code string, severity findings.Severity, level cube.Level) findings.Finding {
	return prose.Describe(findings.Finding{Code: code, Severity: severity, Field: level.Ref}, "", nil)
}

// ambiguous reports the members that have labels in one year which differ by more than case, accents or
// space, once for each member and year.
func ambiguous(model *cube.Model, level cube.Level, list []cube.Member) (findings.Finding, bool) {
	f := described(CodeAmbiguous, findings.SeverityWarning, level)
	for _, m := range list {
		for first := 0; first < len(m.Labels); {
			year := m.Labels[first:]
			if end := slices.IndexFunc(year, func(l cube.Label) bool { return l.Year != year[0].Year }); end >= 0 {
				year = year[:end]
			}
			if labels := different(year); len(labels) > 1 {
				sentence, params := "case-no-year", findings.Params{"path": codes(model, level, history.KeysOf(m)), "labels": labels}
				if in := year[0].Year.String(); in != "" {
					sentence, params["year"] = "case", in
				}
				f.Note(prose.Case(CodeAmbiguous, sentence, params))
			}
			first += len(year)
		}
	}
	return f, f.Count > 0
}

// different gives the labels that are not the same as an earlier one but for case and accents.
func different(labels []cube.Label) []string {
	if len(labels) == 1 {
		return nil
	}
	var texts, folds []string
	for _, l := range labels {
		if plain := fold.Text(l.Text); l.Text != "" && !slices.Contains(folds, plain) {
			folds = append(folds, plain)
			texts = append(texts, findings.Clip(l.Text))
		}
	}
	return texts
}

// sameAsUnknown reports the members that the overlay says are the same as others, and that do not exist.
func sameAsUnknown(model *cube.Model, level cube.Level, list []cube.Member) (findings.Finding, bool) {
	var paths [][]string
	for _, same := range level.SameAs {
		paths = append(paths, same.Path, same.SameAs)
	}
	return unknown(described(CodeSameAsUnknown, findings.SeverityWarning, level), model, level, list, paths)
}

// functionsUnknown reports the members that the overlay says are of a division of COFOG, and that do not exist: they may be of a package
// with the same overlay, or misspelled.
func functionsUnknown(p *cube.Package, level cube.Level, list []cube.Member) (findings.Finding, bool) {
	if p.Functions == nil || p.Functions.Level != level.Ref {
		return findings.Finding{}, false
	}
	paths := slices.Concat(each.Of(p.Functions.Divisions, func(d cube.Division) [][]string { return d.Members })...)
	return unknown(described(CodeFunctionUnknown, findings.SeverityInfo, level), p.Model, level, list, paths)
}

// unknown notes in a finding the paths of members that do not exist, each once.
func unknown(f findings.Finding, model *cube.Model, level cube.Level, list []cube.Member, paths [][]string) (findings.Finding, bool) {
	known := map[string]bool{}
	for _, m := range list {
		known[history.ID(level.Ref, history.KeysOf(m))] = true
	}
	for _, path := range paths {
		if id := history.ID(level.Ref, path); !known[id] && hasRowsOfEditions(model, level, path) {
			known[id] = true
			f.Note(findings.Place{Cell: findings.Clip(shownPath(model, level, path))})
		}
	}
	return f, f.Count > 0
}

// hasRowsOfEditions tells whether the package has rows of the editions of a path.
func hasRowsOfEditions(model *cube.Model, level cube.Level, path []string) bool {
	for i, column := range model.PathOf(level) {
		if i == len(path)-1 || !column.IsEdition() {
			continue
		}
		year, _ := strconv.ParseInt(path[i], 10, 64)
		if !slices.Contains(column.From.Years, year) {
			return false
		}
	}
	return true
}

// breakFindings reports the breaks of a level.
func breakFindings(m *cube.Model, level cube.Level, b history.Breaks) []findings.Finding {
	reused := described(CodeCodeReused, findings.SeverityWarning, level)
	changed := described(CodeLabelChanged, findings.SeverityInfo, level)
	renumbered := described(CodeLevelRenumbered, findings.SeverityWarning, level)
	for _, found := range b.All() {
		f := &changed
		if found.Reused {
			f = &reused
		}
		f.Note(findings.Place{Cell: fmt.Sprintf(`%s: "%s" (%d), "%s" (%d)`, codes(m, level, found.Path), findings.Clip(found.Before), found.Last, findings.Clip(found.After), found.First)})
	}
	for _, r := range b.Renumbered() {
		renumbered.Note(prose.Case(CodeLevelRenumbered, "case", findings.Params{"year": r.Year, "members": r.Members, "of": r.Of}))
	}
	cut := described(CodeLabelsCut, findings.SeverityWarning, level)
	cut.Count = int64(len(b.All()) - len(b.Kept()))
	return slices.DeleteFunc([]findings.Finding{renumbered, reused, changed, cut}, func(f findings.Finding) bool { return f.Count == 0 })
}

// codes writes the path of a member as it is published, without its editions: what is said of it has years.
func codes(m *cube.Model, level cube.Level, path []string) string {
	var keys []string
	for i, key := range path {
		if i == len(path)-1 || !m.IsEdition(level.Path[i]) {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, "/")
}

// shownPath writes the path of a member as overlays do: 2/3@2012, if the level of the 3 has editions.
func shownPath(m *cube.Model, level cube.Level, path []string) string {
	var keys []string
	edition := ""
	for i, key := range path {
		if m.IsEdition(level.Path[i]) && i < len(path)-1 {
			edition = "@" + key
			continue
		}
		keys = append(keys, key+edition)
		edition = ""
	}
	return strings.Join(keys, "/")
}
