package chart

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-text/typesetting/fontscan"
)

// The ministry of health in the scripts whose fonts are part of the program, with letters that are joined, marks on and below letters, and a sign
// of two consonants.
var scripts = []string{"Sănătății, Y tế, Səhiyyə, Zdrowia", "Υπουργείο Υγείας", "Денсаулық сақтау министрлігі", "وزارة الصحة ۱۲٪", "משרד הבריאות", "ჯანდაცვის სამინისტრო ᲯᲐᲜ",
	"Առողջապահության նախարարություն", "กระทรวงสาธารณสุข ปู่", "स्वास्थ्य मंत्रालय क्ष"}

func TestGlyphs_OfScripts(t *testing.T) {
	for _, isBold := range []bool{false, true} {
		for _, s := range scripts {
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

func TestPNG_SideBySide(t *testing.T) {
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			figure, _ := Treemap(frame(400+i), []Part{member(scripts[3], 3), member(scripts[7], 2), member(scripts[8], 2)})
			if err := figure.PNG(io.Discard); err != nil {
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

// What is cut ends with a whole word, or where that is the first, with a whole letter; what keeps its last words is no longer.
func TestCut_KeepsWidthWordsAndLetters(t *testing.T) {
	for _, s := range append([]string{"Departamento de infraestructura, transporte y co-operación", "W", "e\u0301\u0301\u0301e\u0301e\u0301e\u0301", "保健省と地方自治体の予算"}, scripts...) {
		p := paragraphOf(s, 14, false)
		words, letters := p.words, p.letters
		for width := 0.0; width < 300; width += 3 {
			whole, last := cut(s, 14, false, width), cutWithin(s, 14, false, width)
			if widthOf(whole, 14, false) > width || widthOf(last, 14, false) > width {
				t.Errorf("%q in %v pixels is %q, and with its last words %q", s, width, whole, last)
			}
			short, isCut := strings.CutSuffix(whole, ellipsis)
			if !isCut {
				continue
			}
			end := len([]rune(short))
			at := end
			for at < len(p.text) && strings.ContainsRune(" ,;:.-–(", p.text[at]) {
				at++
			}
			if !slices.Contains(words, at) && (at > words[0] || !slices.Contains(letters, end)) {
				t.Errorf("%q in %v pixels ends with %q", s, width, short)
			}
		}
	}
	if words := paragraphOf("เปิด", 14, false).words; !slices.Equal(words, []int{3, 4}) {
		t.Errorf("a line ends after a vowel that is read after its consonant: %v", words)
	}
}

func TestWrap(t *testing.T) {
	for s, want := range map[string]string{"Ministry of health": "Ministry of|health", "Telecommunications and post": "Telecomm|unications|and post"} {
		if got := strings.Join(wrap(s, 14, false, 80, 3), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	// A treemap divides only very long words.
	for label, width := range map[string]float64{"Environment": 70, "Landwirtschaftsministerium": 140} {
		if texts, _ := cellTexts(Part{Label: label}, rect{w: width, h: 200}, inkText); len(texts) > 0 != (width == 140) {
			t.Errorf("%s is printed as %v", label, texts)
		}
	}
}
