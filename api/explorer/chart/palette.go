package chart

import (
	_ "embed" // the palette
	"fmt"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strconv"
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
	onDivision  colour = "on-division"
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

// palette has every colour in a light and in a dark scheme. The tests check the contrast of texts with what they are printed on, of marks with the paper, and
// that colour-blind readers tell apart what only a colour tells apart.
//
//go:embed palette.css
var palette string

var property = regexp.MustCompile(`--chart-([a-z0-9-]+): #([0-9a-f]{6});`)

// light is the colours of files and pictures.
var light, _ = schemes()

// schemes reads the colours of the two schemes.
func schemes() (light, dark map[colour]color.NRGBA) {
	light, dark = map[colour]color.NRGBA{}, map[colour]color.NRGBA{}
	for _, found := range property.FindAllStringSubmatch(palette, -1) {
		name, scheme := colour(found[1]), light
		if _, known := light[name]; known { // the dark scheme comes after the light one
			scheme = dark
		}
		value, _ := strconv.ParseUint(found[2], 16, 32)
		scheme[name] = color.NRGBA{uint8(value >> 16), uint8(value >> 8), uint8(value), 255}
	}
	return light, dark
}

// divisionColour begins the names of the colours of the ten divisions of COFOG, which are the same in all budgets. Texts on them are white
// on light paper, and dark on dark paper.
const divisionColour colour = "division-"

// fill is the colour of a part, that of its division if it has one, and on the colour of texts that are printed on it.
func (p Part) fill() (fill, on colour) {
	of := divisionColour + colour(p.Division)
	if p.Kind == Others {
		return fillOthers, onOthers
	}
	if _, known := light[of]; known {
		return of, onDivision
	}
	return fillMember, onMember
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// CSS is the part of a page's style sheet that the figures in it need: their colours, light and dark, as custom properties
// which the page may set otherwise.
func CSS() string {
	var classes strings.Builder
	for _, name := range slices.Sorted(maps.Keys(light)) {
		fmt.Fprintf(&classes, ".chart .fill-%[1]s { fill: var(--chart-%[1]s); }\n.chart .line-%[1]s { stroke: var(--chart-%[1]s); }\n", name)
	}
	return palette + classes.String()
}
