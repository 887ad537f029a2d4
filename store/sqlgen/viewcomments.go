package sqlgen

import (
	"cmp"
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

// columnComment gives the title of a field. It is "", which removes an earlier comment, if the title says no more than the
// name. A label field without a title gets one from its level.
func columnComment(c *cube.Cube, column cube.Column) string {
	if m, ok := c.Model.Measure(column.Name); ok {
		return measureComment(m)
	}
	l, _ := c.Model.Level(column.Name)
	own, called := publishedTitle(c.Package, column.Name), cmp.Or(l.Titles.In(cube.English), publishedTitle(c.Package, l.Ref))
	switch {
	case l.Ref == column.Name:
		return called
	case own == "" && called != "":
		return "name of " + called
	}
	return own
}

// measureComment adds the kind of amounts to the title: Approved (HRK, × 1000, approved).
func measureComment(m cube.Measure) string {
	details := []string{m.Currency, "", m.Phase, m.Direction}
	if m.Unit > 1 {
		details[1] = "× " + strconv.FormatInt(m.Unit, 10)
	}
	details = slices.DeleteFunc(details, func(s string) bool { return s == "" })
	switch {
	case len(details) == 0 && m.Title == m.Ref:
		return ""
	case len(details) == 0:
		return m.Title
	}
	return cmp.Or(m.Title, m.Ref) + " (" + strings.Join(details, ", ") + ")"
}

// publishedTitle gives the title of a field in the descriptor, or "" if it repeats the name.
func publishedTitle(p *cube.Package, name string) string {
	if p.Schema == nil {
		return ""
	}
	for _, f := range p.Schema.Fields {
		if f.Name == name && f.Title != name {
			return f.Title
		}
	}
	return ""
}
