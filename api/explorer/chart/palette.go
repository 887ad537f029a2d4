package chart

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// colour is a colour by its meaning, which is also the end of the names of its classes and of its custom property.
type colour string

const (
	paper       colour = "paper"
	inkText     colour = "text"
	inkSoft     colour = "soft"
	grid        colour = "grid"
	axis        colour = "axis"
	fillMember  colour = "member"
	onMember    colour = "on-member"
	fillOthers  colour = "others"
	onOthers    colour = "on-others"
	fillMissing colour = "missing"
	fillUp      colour = "up"
	fillDown    colour = "down"
	fillTotal   colour = "total"
	fillFlow    colour = "flow"
	fillNotice  colour = "notice"
	onNotice    colour = "on-notice"
)

// series are the colours of lines, in their order.
var series = []colour{"series-1", "series-2", "series-3", "series-4", "series-5", "series-6"}

// shade is a colour in a light and in a dark scheme.
type shade struct {
	name        colour
	light, dark uint32
}

// palette is every colour. The tests check the contrast of texts with what they are printed on, of marks with the paper, and
// that colour-blind readers tell apart what only a colour tells apart.
var palette = []shade{
	{paper, 0xfbfaf7, 0x14181b},
	{inkText, 0x1d2327, 0xeceae4},
	{inkSoft, 0x4d5860, 0xb3bcc2},
	{grid, 0xe2dfd6, 0x2c3439},
	{axis, 0x79838a, 0x7d888f},
	{fillMember, 0x2f6690, 0x3573a3},
	{onMember, 0xffffff, 0xffffff},
	{fillOthers, 0x646d73, 0x626c73},
	{onOthers, 0xffffff, 0xffffff},
	{fillMissing, 0xefece3, 0x242b30},
	{fillUp, 0x1f6fa8, 0x63aee6},
	{fillDown, 0xb8500f, 0xf09a52},
	{fillTotal, 0x4d5860, 0xb3bcc2},
	{fillFlow, 0x7fa5c2, 0x4b7ea6},
	{fillNotice, 0xfff1d6, 0x3b2a0c},
	{onNotice, 0x7a4100, 0xffd591},
	{"series-1", 0x1f6fa8, 0x63aee6},
	{"series-2", 0xb8500f, 0xf09a52},
	{"series-3", 0x0a4834, 0x4fe8a8},
	{"series-4", 0x7a2a70, 0xe055ad},
	{"series-5", 0x717173, 0xcacfd4},
	{"series-6", 0x4d3c06, 0xf0d53a},

	{divisionColour + "01", 0x69746e, 0x414d46},
	{divisionColour + "02", 0x493b1e, 0x594729},
	{divisionColour + "03", 0x946a00, 0x8f6c00},
	{divisionColour + "04", 0xa4234c, 0xa9325e},
	{divisionColour + "05", 0x4b7c39, 0x527c43},
	{divisionColour + "06", 0x8162aa, 0x7666b3},
	{divisionColour + "07", 0x207c8c, 0x027b93},
	{divisionColour + "08", 0x77285c, 0xa53c7f},
	{divisionColour + "09", 0x833600, 0x763d05},
	{divisionColour + "10", 0x1c417f, 0x22488c},
}

// divisionColour begins the names of the colours of the ten divisions of COFOG, which are the same in all budgets. White is printed on them.
const divisionColour colour = "division-"

// fill is the colour of a part: that of its division, if it has one.
func (p Part) fill() colour {
	of := divisionColour + colour(p.Division)
	switch {
	case p.Kind == Others:
		return fillOthers
	case slices.ContainsFunc(palette, func(s shade) bool { return s.name == of }):
		return of
	}
	return fillMember
}

// in is the colour of a name in a scheme.
func (c colour) in(dark bool) color.NRGBA {
	for _, s := range palette {
		if s.name == c {
			value := s.light
			if dark {
				value = s.dark
			}
			return color.NRGBA{uint8(value >> 16), uint8(value >> 8), uint8(value), 255}
		}
	}
	panic("no colour " + string(c))
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// CSS is the part of a page's style sheet that the figures in it need: their colours, light and dark, as custom properties
// which the page may set otherwise.
func CSS() string {
	var light, dark, classes strings.Builder
	for _, s := range palette {
		fmt.Fprintf(&light, "  --chart-%s: %s;\n", s.name, hex(s.name.in(false)))
		fmt.Fprintf(&dark, "    --chart-%s: %s;\n", s.name, hex(s.name.in(true)))
		fmt.Fprintf(&classes, ".chart .fill-%[1]s { fill: var(--chart-%[1]s); }\n.chart .line-%[1]s { stroke: var(--chart-%[1]s); }\n", s.name)
	}
	return ":root {\n" + light.String() + "}\n@media (prefers-color-scheme: dark) {\n  :root {\n" + dark.String() + "  }\n}\n" +
		".chart { display: block; max-width: 100%; height: auto; font-variant-numeric: tabular-nums; }\n" +
		".chart a:focus-visible { outline: 3px solid var(--chart-text); outline-offset: 1px; }\n" +
		".chart a:hover text { text-decoration: underline; }\n.chart text { fill: var(--chart-text); }\n" + classes.String()
}
