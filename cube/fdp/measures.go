package fdp

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// choices are the names under which a measure, its field or an option of its field may say what its amounts
// are.
var choices = []string{"currency", "factor", "phase", "direction"}

var (
	phases     = []string{"proposed", "approved", "adjusted", "executed"}
	directions = []string{"expenditure", "revenue"}
	currency   = regexp.MustCompile(`^([A-Z]{3})?$`)
)

func readMeasure(v named) declaredMeasure {
	m := declaredMeasure{name: v.name, place: v.place, source: v.name, own: map[string]string{}}
	o := v.object()
	if o == nil {
		return m
	}
	if source := o.take("source").text(); source != "" {
		m.source = source
	}
	m.title = o.take("title").prose()
	for _, name := range choices {
		m.own[name] = o.take(name).text()
	}
	return m
}

// compare reports m where it contradicts what an earlier model says of the same measure.
func (m declaredMeasure) compare(r *report, first declaredMeasure) {
	if m.source != first.source || m.title != first.title || !maps.Equal(m.own, first.own) {
		r.add(m.place, "differs from what %s says", first.place)
	}
}

// measures makes the measures in published order, and notes which fields hold amounts.
func (b *builder) measures(declared []declaredMeasure) []cube.Measure {
	for _, c := range b.columns.list {
		if c.Type == cube.TypeDecimal {
			b.amounts[c.Name] = true
		}
	}
	var measures []cube.Measure
	name := map[string]string{}
	for _, m := range declared {
		c, ok := b.columns.get(m.source)
		if !ok {
			b.report.lacks(at(m.place, "source"), m.source)
			continue
		}
		if other, twice := name[m.source]; twice {
			b.report.add(at(m.place, "source"), "%s is the source of measure %s too", quote(m.source), quote(other))
			continue
		}
		name[m.source] = m.name
		b.amounts[m.source] = true
		measures = append(measures, b.measure(m, c))
	}
	return measures
}

func (b *builder) measure(m declaredMeasure, c column) cube.Measure {
	x := cube.Measure{Ref: m.source, Title: cmp.Or(m.title, c.field.Title, m.source)}
	var place string
	x.Currency, place = b.chosen(m, c, "currency")
	x.Currency = strings.ToUpper(x.Currency)
	if !currency.MatchString(x.Currency) {
		b.report.add(place, "%s is no currency code of ISO 4217", quote(x.Currency))
	}
	x.Phase, place = b.chosen(m, c, "phase")
	x.Phase = strings.ToLower(x.Phase)
	if !oneOf(x.Phase, phases) {
		b.report.add(place, "%s is none of %s", quote(x.Phase), strings.Join(phases, ", "))
	}
	x.Direction, place = b.chosen(m, c, "direction")
	x.Direction = strings.ToLower(x.Direction)
	if !oneOf(x.Direction, directions) {
		b.report.add(place, "%s is none of %s", quote(x.Direction), strings.Join(directions, ", "))
	}
	x.Unit = b.unit(m, c)
	return x
}

// unit reads the factor: how many of the currency an amount of 1 stands for; 0 where nobody says.
func (b *builder) unit(m declaredMeasure, c column) int64 {
	factor, place := b.chosen(m, c, "factor")
	if factor == "" {
		return 0
	}
	n, err := strconv.ParseInt(factor, 10, 64)
	if err != nil || n < 1 {
		b.report.add(place, "the factor %s is no positive whole number", quote(factor))
	}
	return n
}

// chosen gives what was chosen for a measure under a name, and where: by the measure itself, else by its field,
// else by the option of its field. Options normally list what could be chosen and so say nothing.
func (b *builder) chosen(m declaredMeasure, c column, name string) (choice, place string) {
	if own := m.own[name]; own != "" {
		return own, at(m.place, name)
	}
	field := value{c.field.Extra[name], at(c.place, name), b.report}
	if choice := field.text(); choice != "" {
		return choice, field.place
	}
	options := value{c.field.Options, at(c.place, "options"), b.report}
	for _, item := range options.list() {
		option := item.object()
		if option == nil || option.take("name").text() != name {
			continue
		}
		keys := []string{"value", "defaultValue"}
		if name == "factor" {
			keys = keys[:1] // its default of 1 is nobody's statement about the amounts
		}
		for _, key := range keys {
			if choice := option.take(key).text(); choice != "" {
				return choice, option.take(key).place
			}
		}
	}
	return "", ""
}

// oneOf tells whether text is among the allowed ones, or empty.
func oneOf(text string, allowed []string) bool {
	return text == "" || slices.Contains(allowed, text)
}
