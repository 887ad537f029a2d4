package sqlgen

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

func viewComment(c *cube.Cube, rows string) string {
	text := cmp.Or(c.Title, c.Name) + ", version " + strconv.Itoa(c.Version) + ": " + rows
	if c.Synthetic {
		text += "; made-up example data"
	}
	return text
}

// columnComment is what people call a field.
func columnComment(c *cube.Cube, column cube.Column) string {
	if m, ok := c.Model.Measure(column.Name); ok {
		return measureComment(m)
	}
	l, isKey := c.Model.LevelOfKey(column.Name)
	if isKey && len(l.Titles) > 0 {
		return title(l.Titles)
	}
	return publishedTitle(c.Package, column.Name)
}

// measureComment says beside the title what the amounts are: Approved (HRK, × 1000, approved).
func measureComment(m cube.Measure) string {
	details := []string{m.Currency, "", m.Phase, m.Direction}
	if m.Unit > 1 {
		details[1] = "× " + strconv.FormatInt(m.Unit, 10)
	}
	details = slices.DeleteFunc(details, func(s string) bool { return s == "" })
	if len(details) == 0 {
		return cmp.Or(m.Title, m.Ref)
	}
	return cmp.Or(m.Title, m.Ref) + " (" + strings.Join(details, ", ") + ")"
}

// title gives the English text, or where there is none that of the first language.
func title(t cube.Titles) string {
	if text, ok := t["en"]; ok {
		return text
	}
	return t[slices.Min(slices.Collect(maps.Keys(t)))]
}

// publishedTitle is the title of a field in the descriptor or, where it has none, its name.
func publishedTitle(p *cube.Package, name string) string {
	if p.Schema != nil {
		for _, f := range p.Schema.Fields {
			if f.Name == name && f.Title != "" {
				return f.Title
			}
		}
	}
	return name
}
