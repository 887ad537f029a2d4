package load

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
	"fiscube/store/evidence"
	"fiscube/store/load/numeric"
)

// maker makes the cell of a column from the published cells of a row.
type maker func(row []string) string

// makerBuilder makes the makers of one resource.
type makerBuilder struct {
	resource *cube.Resource
	missing  func(string) bool
	noise    map[string]numeric.NoiseRule // nil while fields are still being read: then noise is not rounded
}

// column gives the maker of a column's untyped cell, by its derivation.
func (b *makerBuilder) column(c cube.Column) maker {
	if c.From == nil {
		return b.cell(c.Name)
	}
	switch c.From.Rule {
	case cube.RuleKey:
		return tidied(b.cell(c.From.Fields[0]))
	case cube.RuleCode, cube.RuleLabel:
		return joinedHalf(b.cell(c.From.Fields[0]), c.From.Rule)
	case cube.RulePrefix:
		return b.prefix(c.From)
	case cube.RuleFirstOf:
		return b.firstOf(c)
	case cube.RuleWhere:
		return b.where(c)
	case cube.RuleResource:
		return constant(b.named(c.From.Pattern))
	case cube.RuleEdition:
		return edition(b.cell(c.From.Fields[0]), c.From)
	}
	return b.cell(c.From.Fields[0])
}

// cell gives the published cell of a field, "" where it is missing or the file has no such field.
func (b *makerBuilder) cell(field string) maker {
	index := b.resource.Field(field)
	if index < 0 {
		return constant("")
	}
	return func(row []string) string {
		if b.missing(row[index]) {
			return ""
		}
		return row[index]
	}
}

func constant(cell string) maker { return func([]string) string { return cell } }

// joinedHalf takes the code or the label of joined cells. Cells repeat, so each is split once.
func joinedHalf(cell maker, half cube.Rule) maker {
	known := map[string]string{}
	return func(row []string) string {
		joined := cell(row)
		part, ok := known[joined]
		if ok {
			return part
		}
		part = tidy.Key(joined)
		if code, label, ok := tidy.Split(joined); ok && half == cube.RuleCode {
			part = code
		} else if ok {
			part = label
		}
		if len(known) < mostRemembered {
			known[strings.Clone(joined)] = strings.Clone(part)
		}
		return part
	}
}

func tidied(cell maker) maker {
	return func(row []string) string { return tidy.Key(cell(row)) }
}

// mostRemembered bounds what a maker remembers of cells it has seen.
const mostRemembered = 100_000

func (b *makerBuilder) prefix(d *cube.Derivation) maker {
	own, from := constant(""), b.cell(d.Fields[len(d.Fields)-1])
	if len(d.Fields) > 1 {
		own = b.cell(d.Fields[0])
	}
	if d.Between != "" {
		from = joinedHalf(from, cube.RuleCode)
	}
	return func(row []string) string {
		if cell := own(row); cell != "" {
			return cell
		}
		return d.Beginning(from(row))
	}
}

func (b *makerBuilder) firstOf(c cube.Column) maker {
	cells := each.Of(c.From.Fields, b.amount)
	return func(row []string) string {
		for _, cell := range cells {
			if s := cell(row); s != "" {
				return s
			}
		}
		return ""
	}
}

// where gives the amounts of the rows whose qualifiers are those of the column.
func (b *makerBuilder) where(c cube.Column) maker {
	amount := b.amount(c.From.Fields[0])
	if c.Type == cube.TypeInteger {
		amount = b.cell(c.From.Fields[0])
	}
	var cells []maker
	var words [][]string
	for i, field := range c.From.Fields[1:] {
		cells, words = append(cells, b.cell(field)), append(words, c.From.CellsOf(i))
	}
	return func(row []string) string {
		for i, cell := range cells {
			if !slices.Contains(words[i], tidy.Key(cell(row))) {
				return ""
			}
		}
		return amount(row)
	}
}

// amount reads the amounts of a field in its own form, float noise rounded.
func (b *makerBuilder) amount(field string) maker {
	index := b.resource.Field(field)
	if index < 0 {
		return constant("")
	}
	form := numeric.FormOf(b.resource.Schema.Fields[index])
	rule, known := b.noise[field]
	return func(row []string) string {
		if b.missing(row[index]) {
			return ""
		}
		digits, _, after, _ := form.ReadAmount(row[index]) // the survey saw that it is a number
		if !known {
			return digits
		}
		return rule.Apply(digits, after)
	}
}

// named is what the pattern's group matches in the name of the resource; the survey saw that it does.
func (b *makerBuilder) named(pattern string) string {
	match := regexp.MustCompile(pattern).FindStringSubmatch(b.resource.Name)
	if len(match) < 2 {
		return ""
	}
	return match[1]
}

// edition gives the edition of the fiscal year of a row.
func edition(year maker, d *cube.Derivation) maker {
	return func(row []string) string {
		number, err := strconv.ParseInt(strings.TrimSpace(year(row)), 10, 64)
		if first, ok := d.Edition(number); ok && err == nil {
			return strconv.FormatInt(first, 10)
		}
		return ""
	}
}

// typed brings the cell into the canonical form of its column's type.
func (b *makerBuilder) typed(c cube.Column, cell maker) maker {
	switch {
	case c.Type == cube.TypeInteger:
		return func(row []string) string { return wholeNumber(strings.TrimSpace(cell(row))) }
	case c.Type == cube.TypeDecimal:
		if c.From != nil {
			return cell // made of amounts, which are canonical
		}
		return b.amount(c.Name)
	case len(c.Markers) > 0:
		return marked(c.Markers, cell)
	}
	return cell
}

// wholeNumber writes a number in its one canonical way: 7, +7 and 007 are one key.
func wholeNumber(cell string) string {
	if cell == "" || !strings.ContainsRune("+-0", rune(cell[0])) {
		return cell
	}
	n, err := strconv.ParseInt(cell, 10, 64)
	if err != nil {
		return cell // the survey lets none pass
	}
	return strconv.FormatInt(n, 10)
}

// marked writes every spelling of a marker as the first marker.
func marked(markers []string, cell maker) maker {
	known := map[string]string{}
	return func(row []string) string {
		text := cell(row)
		canonical, ok := known[text]
		if !ok {
			if canonical = text; evidence.IsMarker(markers, text) {
				canonical = markers[0]
			}
			if len(known) < mostRemembered {
				known[strings.Clone(text)] = strings.Clone(canonical)
			}
		}
		return canonical
	}
}

// isMissing gives the test of a schema for cells that mean missing.
func isMissing(s cube.Schema) func(cell string) bool {
	values := s.MissingValues
	if len(values) == 0 || len(values) == 1 && values[0] == "" {
		return func(cell string) bool { return cell == "" }
	}
	return func(cell string) bool { return cell == "" || slices.Contains(values, cell) }
}

// sourcesOf lists the published fields that a column is made of.
func sourcesOf(c cube.Column) []string {
	if c.From == nil {
		return []string{c.Name}
	}
	if c.From.Rule == cube.RuleWhere {
		return c.From.Fields[:1]
	}
	return c.From.Fields
}
