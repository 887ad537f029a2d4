package describe

import (
	"fmt"
	"slices"
	"strings"

	"fiscube/cube/qualifier"
	"fiscube/internal/fold"
)

// Files of one package may be of a year each, or of a direction each. Then:
//
//  1. Columns whose names differ in case, accents, and the space between words alone are one field. Each file keeps its own header.
//  2. Where the name of each file, or the title above its table, says a direction, and these differ, each has it as a constant: the amounts are never
//     added.
//  3. Either all files have names of columns or none has.

// joinNames gives such columns the name that the first file has for them.
func joinNames(forms []*form) {
	first := map[string]string{}
	for _, f := range forms {
		own := map[string]int{}
		for _, name := range f.header {
			own[nameKey(name)]++
		}
		for i, name := range f.header {
			key := nameKey(name)
			joined, known := first[key]
			switch {
			case own[key] > 1: // two columns of one file are two fields
			case known && !slices.Contains(f.header, joined):
				f.header[i] = joined
			case !known:
				first[key] = name
			}
		}
	}
}

var withoutSpace = strings.NewReplacer(" ", "", "_", "", "-", "", "\n", "", "\u00a0", "")

// nameKey writes a name without what may differ. Other signs may not: Amount and Amount % are two.
func nameKey(name string) string { return withoutSpace.Replace(fold.Text(name)) }

// checkHeaders refuses a file without names of columns beside files that have some.
func checkHeaders(forms []*form) error {
	named := slices.IndexFunc(forms, func(f *form) bool { return len(f.headerRows) > 0 })
	bare := slices.IndexFunc(forms, func(f *form) bool { return len(f.headerRows) == 0 })
	if named < 0 || bare < 0 {
		return nil
	}
	return refusal(forms[bare].path, 1, "no line has names of columns, as one of %s has: add them, so that no amount gets into a wrong column", shown(forms[named].path))
}

// directionsOf gives the direction of each file, nil where a file has none or all have the same.
func directionsOf(forms []*form) []string {
	var all []string
	for _, f := range forms {
		direction := directionOfName(wordsOf(stemOf(f)))
		if direction == "" {
			direction = directionOfName(wordsOf(strings.Join(f.titles, " ")))
		}
		if direction == "" {
			return nil
		}
		all = append(all, direction)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(all)))) < 2 {
		return nil
	}
	return all
}

// directionOfName gives the one direction that words name; "" for none or both.
func directionOfName(words []string) string {
	found := ""
	for _, word := range words {
		direction := directionOf([]string{word})
		if direction == "" {
			direction = qualifier.MeaningOf("direction", word)
		}
		switch {
		case direction == "":
		case found != "" && found != direction:
			return ""
		default:
			found = direction
		}
	}
	return found
}

// apart says which amounts not all files have.
func (d *Description) apart() (lines []string) {
	for _, c := range d.roles.amounts {
		var without []string
		for i, f := range d.profile.forms {
			if !slices.Contains(d.profile.Index[i], c.At) {
				without = append(without, shown(f.path))
			}
		}
		if _, isWide := d.roles.wide.of(c); len(without) > 0 && !isWide {
			lines = append(lines, fmt.Sprintf("%s is an amount that %s lacks, so that years may not be compared by it", shown(c.Name), listed(clipped(without), "and")))
		}
	}
	return lines
}
