package chart

import (
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"
)

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

// contrast is that of WCAG 2, of relative luminances.
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		r, g, b := linear(c)
		return 0.2126*r + 0.7152*g + 0.0722*b + 0.05
	}
	return max(luminance(a), luminance(b)) / min(luminance(a), luminance(b))
}

func divisionColours() (list []colour) {
	for name := range light {
		if strings.HasPrefix(string(name), string(divisionColour)) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

var _, dark = schemes()

var schemesByName = map[string]map[colour]color.NRGBA{"light": light, "dark": dark}

// Texts are legible on what they are printed on, those on all ten divisions more so; and what has a meaning and is no text is seen on the paper (WCAG 2, 1.4.11).
func TestPalette_Contrasts(t *testing.T) {
	divisions := divisionColours()
	of, _ := Part{Division: "07"}.fill()
	if ofOthers, _ := (Part{Division: "07", Kind: Others}).fill(); len(divisions) != 10 || len(light) != len(dark) || of != divisions[6] || ofOthers != fillOthers {
		t.Errorf("the divisions are %v", divisions)
	}
	for _, tt := range []struct {
		colours []colour
		on      colour
		least   float64
	}{
		{append([]colour{inkText, inkSoft}, series...), paper, 4.5}, {[]colour{onMember}, fillMember, 4.5}, {[]colour{onOthers}, fillOthers, 4.5},
		{[]colour{inkText}, fillMissing, 4.5}, {[]colour{onNotice}, fillNotice, 4.5},
		{divisions, onDivision, 4.8}, {append([]colour{fillMember, fillOthers, fillUp, fillDown, fillTotal, axis}, divisions...), paper, 3},
	} {
		for _, c := range tt.colours {
			for name, scheme := range schemesByName {
				if got := contrast(scheme[c], scheme[tt.on]); got < tt.least {
					t.Errorf("%s: %s and %s have a contrast of %.2f", name, c, tt.on, got)
				}
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
	for name, scheme := range schemesByName {
		for _, group := range groups {
			for i, a := range group {
				for _, b := range group[:i] {
					for who, m := range seen {
						p, q := lab(scheme[a], m), lab(scheme[b], m)
						if d := math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2]); d < 12 {
							t.Errorf("%s: %s and %s are %.1f apart for %s", name, a, b, d, who)
						}
					}
				}
			}
		}
	}
}
