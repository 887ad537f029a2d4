package chart

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	r, g, b := linear(c)
	return 0.2126*r + 0.7152*g + 0.0722*b
}

func linear(c color.NRGBA) (r, g, b float64) {
	one := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return one(c.R), one(c.G), one(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	light, dark := luminance(a), luminance(b)
	return (max(light, dark) + 0.05) / (min(light, dark) + 0.05)
}

func TestPalette_TextsAreLegibleOnWhatTheyArePrintedOn(t *testing.T) {
	pairs := [][2]colour{{inkText, paper}, {inkSoft, paper}, {onMember, fillMember}, {onOthers, fillOthers}, {inkText, fillMissing}, {onNotice, fillNotice}}
	for _, s := range series {
		pairs = append(pairs, [2]colour{s, paper})
	}
	for _, dark := range []bool{false, true} {
		for _, pair := range pairs {
			if c := contrast(pair[0].in(dark), pair[1].in(dark)); c < 4.5 {
				t.Errorf("dark %v: %s on %s has a contrast of %.2f", dark, pair[0], pair[1], c)
			}
		}
	}
}

func divisionColours() (list []colour) {
	for _, s := range palette {
		if strings.HasPrefix(string(s.name), string(divisionColour)) {
			list = append(list, s.name)
		}
	}
	return list
}

// The ten divisions are ten colours, with white text at 4.8 : 1.
func TestPalette_Divisions(t *testing.T) {
	list := divisionColours()
	if len(list) != 10 || (Part{Division: "07"}).fill() != list[6] || (Part{Division: "11"}).fill() != fillMember || (Part{Division: "07", Kind: Others}).fill() != fillOthers {
		t.Errorf("the colours are %v", list)
	}
	for _, d := range list {
		for _, dark := range []bool{false, true} {
			if c := contrast(onMember.in(dark), d.in(dark)); c < 4.8 {
				t.Errorf("dark %v: white on %s has a contrast of %.2f", dark, d, c)
			}
			if c := contrast(paper.in(dark), d.in(dark)); c < 2 {
				t.Errorf("dark %v: %s on the paper has a contrast of %.2f", dark, d, c)
			}
		}
	}
	figure, refusal := Treemap(Frame{Width: 600, Title: "t"}, []Part{
		{Value: decimal.NewFromInt(3), Label: "a", Division: "07"}, {Value: decimal.NewFromInt(2), Label: "b", Division: "09"}, {Value: decimal.NewFromInt(1), Label: "c"}})
	if refusal != nil {
		t.Fatal(refusal.Reason)
	}
	svg := string(figure.HTML())
	for _, class := range []string{"fill-division-07", "fill-division-09", "fill-member"} {
		if strings.Count(svg, class) != 1 {
			t.Errorf("%s is not there once: %s", class, svg)
		}
	}
}

// What has a meaning and is no text has a contrast of 3 : 1 at least (WCAG 2, 1.4.11).
func TestPalette_MarksAreSeenOnThePaper(t *testing.T) {
	for _, dark := range []bool{false, true} {
		for _, mark := range []colour{fillMember, fillOthers, fillUp, fillDown, fillTotal, axis} {
			if c := contrast(mark.in(dark), paper.in(dark)); c < 3 {
				t.Errorf("dark %v: %s on the paper has a contrast of %.2f", dark, mark, c)
			}
		}
	}
}

// seen is a colour as colour-blind readers see it, linear (Machado, Oliveira and Fernandes 2009, severity 1).
var seen = map[string][9]float64{
	"everybody":    {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// lab is a colour in CIELAB, as those with a matrix see it.
func lab(c color.NRGBA, m [9]float64) [3]float64 {
	lr, lg, lb := linear(c)
	one := func(i int) float64 { return min(max(m[i]*lr+m[i+1]*lg+m[i+2]*lb, 0), 1) }
	r, g, b := one(0), one(3), one(6)
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x, y, z := f((0.4124*r+0.3576*g+0.1805*b)/0.9505), f(0.2126*r+0.7152*g+0.0722*b), f((0.0193*r+0.1192*g+0.9505*b)/1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func TestPalette_ColoursAreToldApartByTheColourBlind(t *testing.T) {
	groups := [][]colour{series, {fillUp, fillDown, fillTotal}, divisionColours()}
	for _, dark := range []bool{false, true} {
		for _, group := range groups {
			for i, a := range group {
				for _, b := range group[:i] {
					for who, m := range seen {
						p, q := lab(a.in(dark), m), lab(b.in(dark), m)
						if d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]); d < 12 {
							t.Errorf("dark %v: %s and %s are %.1f apart for %s", dark, a, b, d, who)
						}
					}
				}
			}
		}
	}
}

func TestCSS_HasEveryColourThatFiguresUse(t *testing.T) {
	css := CSS()
	for _, width := range []int{320, 1200} {
		for name, figure := range drawings(t, width) {
			for _, part := range strings.Split(string(figure.HTML()), `class="`)[2:] {
				classes, _, _ := strings.Cut(part, `"`)
				for class := range strings.FieldsSeq(classes) {
					if !strings.Contains(css, ".chart ."+class+" {") {
						t.Errorf("%s has the class %s, which the style sheet lacks", name, class)
					}
				}
			}
		}
	}
}
