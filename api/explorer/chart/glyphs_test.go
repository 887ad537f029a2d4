package chart

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
)

// The ministry of health in the scripts whose fonts are part of the program.
var ministries = []string{"Sănătății, Y tế, Səhiyyə, Zdrowia", "Υπουργείο Υγείας", "Денсаулық сақтау министрлігі", "وزارة الصحة ۱۲٪", "משרד הבריאות", "ჯანდაცვის სამინისტრო ᲯᲐᲜ",
	"Առողջապահության նախարարություն", "กระทรวงสาธารณสุข", "स्वास्थ्य मंत्रालय"}

func TestGlyphs_OfScripts(t *testing.T) {
	for _, isBold := range []bool{false, true} {
		for _, s := range ministries {
			for _, mixed := range []string{s, s + " 2019 (A/1) – 12,5 %", "A " + s} {
				line := glyphsOf(mixed, isBold)
				if line.width < 3 || slices.ContainsFunc(line.list, func(g glyph) bool { return g.id == 0 }) {
					t.Errorf("%q has a box among %v", mixed, line)
				}
			}
		}
	}
	// A text that no font has: boxes as wide as high.
	if line := glyphsOf("\u0378\u0379", false); line.width != 2 || len(line.list) != 2 || line.list[0].id != 0 || line.list[1].x != 1 {
		t.Errorf("%v", line)
	}
}

func TestGlyphs_LettersThatBelongTogether(t *testing.T) {
	ids := func(s string) (list []font.GID) {
		for _, g := range glyphsOf(s, false).list {
			list = append(list, g.id)
		}
		return list
	}
	alone := ids("ب")[0]
	joined := ids("ببب")
	if slices.Contains(joined, alone) || joined[0] == joined[1] || joined[1] == joined[2] {
		t.Errorf("the forms %v are of letters beside each other, and %v of one alone", joined, alone)
	}
	if base, marked := glyphsOf("ป", false), glyphsOf("ปู่", false); base.width != marked.width || len(marked.list) != 3 {
		t.Errorf("marks on and below a letter make %v as wide as %v", base, marked)
	}
	if joined := ids("क्ष"); len(joined) != 1 {
		t.Errorf("two consonants that share a sign are %v", joined)
	}
}

// Texts as they are seen, from left to right.
func TestGlyphs_Order(t *testing.T) {
	for logical, want := range map[string]string{
		"ab 12":            "ab 12",
		"אבג":              "גבא",
		"אב 12 ab":         "ab 12 בא",
		"ab אב 12,5% cd":   "ab 12,5% בא cd",
		"ab אב cd אב":      "ab בא cd בא",
		"אב (ab) 12":       "12 (ab) בא",
		"אב (גד)":          "(דג) בא",
		"ab (אב גד) 12 cd": "ab (דג בא) 12 cd",
	} {
		seen := ""
		for _, g := range glyphsOf(logical, false).list {
			for _, r := range "abcd12,5%() אבגד" {
				if one := glyphsOf(string(r), false).list[0]; one.id == g.id && one.face == g.face || r == ' ' && isBlank(g) {
					seen += string(r)
					break
				}
			}
		}
		if seen != want {
			t.Errorf("%q is seen as %q, want %q", logical, seen, want)
		}
	}
}

func isBlank(g glyph) bool {
	data, _ := g.face.GlyphDataOutline(g.id)
	return len(data.Segments) == 0
}

func TestSVG_SaysWhatGoesFromRight(t *testing.T) {
	for label, want := range map[string]bool{"משרד (A)": true, "A (משרד)": false, "Health": false} {
		figure, _ := Bars(frame(560), []Part{{Label: label, Value: number64(5)}})
		if got := strings.Contains(string(figure.HTML()), `unicode-bidi="plaintext">`+label); got != want {
			t.Errorf("%q: %v in %s", label, got, figure.HTML())
		}
	}
}

func TestGlyphs_KeepsNotTooMany(t *testing.T) {
	for i := range 20_000 {
		glyphsOf(fmt.Sprint("office ", i), false)
	}
	glyphsOf(strings.Repeat("w", longestKept), false)
	texts.Lock()
	defer texts.Unlock()
	size := 0
	for key, line := range texts.kept {
		size += max(len(key.s), len(line.list))
	}
	if size != texts.size || size > mostKept || size == 0 || texts.kept[styled{strings.Repeat("w", longestKept), false}].width > 0 {
		t.Errorf("%d are kept, said to be %d", size, texts.size)
	}
}

func TestPNG_SideBySide(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			figure, _ := Treemap(frame(400+i), []Part{member(ministries[3], 3), member(ministries[7], 2), member(ministries[8], 2)})
			if err := figure.PNG(io.Discard, 1); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

func TestMachine_Face(t *testing.T) {
	m := machine{fontscan.NewFontMap(silent{})}
	if m.face('ก', false) != nil {
		t.Error("a machine without fonts has a letter")
	}
	for _, weight := range []string{"Regular", "Bold"} {
		thai, err := files.ReadFile("fonts/NotoSansThai-" + weight + ".ttf")
		if err != nil {
			t.Fatal(err)
		}
		if err := m.AddFont(bytes.NewReader(thai), weight, ""); err != nil {
			t.Fatal(err)
		}
	}
	regular, bold := m.face('ก', false), m.face('ก', true)
	if regular == nil || m.FontLocation(regular.Font).File != "Regular" || m.FontLocation(bold.Font).File != "Bold" || m.face('省', true) != nil {
		t.Errorf("regular %v, bold %v", regular, bold)
	}
}

// What is cut ends with a whole word, or where that is the first, with a whole letter.
func TestCut_KeepsWidthWordsAndLetters(t *testing.T) {
	for _, s := range append([]string{"Departamento de infraestructura, transporte y co-operación", "W", "e\u0301\u0301\u0301e\u0301e\u0301e\u0301", "保健省と地方自治体の予算"}, ministries...) {
		p := paragraphOf(s, 14, false)
		words, letters := p.words, p.letters
		for width := 0.0; width < 300; width += 3 {
			whole := cut(s, 14, false, width)
			if widthOf(whole, 14, false) > width {
				t.Errorf("%q in %v pixels is %q", s, width, whole)
			}
			short, isCut := strings.CutSuffix(whole, ellipsis)
			if !isCut {
				continue
			}
			last := len([]rune(short))
			at := last
			for at < len(p.text) && strings.ContainsRune(" ,;:.-–(", p.text[at]) {
				at++
			}
			if !slices.Contains(words, at) && (at > words[0] || !slices.Contains(letters, last)) {
				t.Errorf("%q in %v pixels ends with %q", s, width, short)
			}
		}
	}
	if words := paragraphOf("เปิด", 14, false).words; !slices.Equal(words, []int{3, 4}) {
		t.Errorf("a line ends after a vowel that is read after its consonant: %v", words)
	}
}

func TestTreemap_DividesOnlyVeryLongWords(t *testing.T) {
	for _, tt := range []struct {
		label, want string
		width       float64
	}{{"Environment", "", 70}, {"Landwirtschaftsministerium", "Landwirtschaftsministerium", 140}} {
		got := ""
		for _, one := range textsOf(cellTexts(Part{Label: tt.label}, rect{w: tt.width, h: 200}, inkText)) {
			got += one.s
		}
		if got != tt.want {
			t.Errorf("%q is %q", tt.label, got)
		}
	}
}
