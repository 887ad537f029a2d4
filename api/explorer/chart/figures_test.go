package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/each"
	"fiscube/internal/golden"
)

// The parts of tests are made up.
func number64(v int64) decimal.Decimal { return decimal.NewFromInt(v) }

func member(label string, value int64) Part {
	v := number64(value)
	return Part{Value: v, Label: label, Amount: v.String(), Share: v.String() + " %", Title: label + ": " + v.String(), Href: "?cut=office:" + label}
}

func others(kind Kind, members int, value decimal.Decimal) Part {
	label := fmt.Sprintf("%s (%d)", map[Kind]string{Others: "Others", New: "New", Gone: "Gone"}[kind], members)
	return Part{Label: label, Amount: value.String(), Title: label + ": " + value.String(), Href: "?rest"}
}

func frame(width int) Frame {
	return Frame{Width: width, Title: "Approved expenditure by office, 2019", Desc: "Education has the largest share.", Others: others}
}

func axisText(v decimal.Decimal) string { return v.String() + " m" }

// drawing is a figure of testdata/drawings.json: of each kind, of what is odd, and of what is refused. The kinds of its parts are numbers.
type drawing struct {
	Name        string
	Widths      []int
	Kind        string
	From, Until Part   // of a change
	Parts, To   []Part // To is the other side of flows
	Flows       []Flow
	Years       []Year
	Lines       []Series
	Text        string
	Links       []string // of a caption, if it has one
	NotOneWhole Reason
	Alone       bool // nothing is added up as others
	Refused     *Refusal
}

func (d drawing) draw(width, height int) (figure Figure, refusal *Refusal) {
	f := frame(width)
	f.Height = height
	f.NotOneWhole = d.NotOneWhole
	if d.Alone {
		f.Others = nil
	}
	switch d.Kind {
	case "bars":
		figure, refusal = Bars(f, d.Parts)
	case "treemap":
		figure, refusal = Treemap(f, d.Parts)
	case "lines":
		figure, refusal = Lines(f, d.Years, d.Lines, axisText)
	case "change":
		figure, refusal = Change(f, d.From, d.Until, d.Parts)
	case "sankey":
		figure, refusal = Sankey(f, Flows{From: d.Parts, To: d.To, Flows: d.Flows, Between: func(from, to Part, value decimal.Decimal) Part {
			return Part{Label: from.Label + " → " + to.Label, Amount: value.String(), Href: "?flow"}
		}})
	case "sentence":
		figure = Sentence(f, d.Text)
	}
	if d.Links != nil {
		figure = figure.WithCaption(Caption{Source: "the ministry", Links: d.Links})
	}
	return figure, refusal
}

// eachDrawing draws the figures in their widths and in others, and of a height if that is not 0.
func eachDrawing(t *testing.T, widths []int, height int, look func(name string, width int, figure Figure)) {
	t.Helper()
	text, err := os.ReadFile("testdata/drawings.json")
	if err != nil {
		t.Fatal(err)
	}
	var drawings []drawing
	if err := json.Unmarshal(text, &drawings); err != nil {
		t.Fatal(err)
	}
	for _, d := range drawings {
		if d.Refused != nil {
			if _, refusal := d.draw(700, 0); refusal == nil || *refusal != *d.Refused {
				t.Errorf("%s: %+v, want %+v", d.Name, refusal, d.Refused)
			}
			continue
		}
		for _, width := range slices.Concat(d.Widths, widths) {
			figure, refusal := d.draw(width, height)
			if refusal != nil {
				t.Fatalf("%s is refused: %+v", d.Name, *refusal)
			}
			look(fmt.Sprintf("%s-%d", d.Name, width), width, figure)
		}
	}
}

// Within pages, and as files with captions, figures are drawn as before; as pictures, those that are narrow.
func TestFigures_AreDrawnAsBefore(t *testing.T) {
	caption := Caption{Subtitle: "In millions of kuna", Source: "Source: Ministry of Finance; example, version 1",
		Links: []string{"example.com/explore/budget?" + strings.Repeat("cut=office:1|", 20)}, Notices: []string{"Made-up figures, for trying fiscube out."}}
	css := CSS()
	eachDrawing(t, nil, 0, func(name string, width int, figure Figure) {
		html := string(figure.HTML())
		read(t, html)
		for _, part := range strings.Split(html, `class="`)[2:] {
			classes, _, _ := strings.Cut(part, `"`)
			for class := range strings.FieldsSeq(classes) {
				if !strings.Contains(css, ".chart ."+class+" {") {
					t.Errorf("%s has the class %s, which the style sheet lacks", name, class)
				}
			}
		}
		var file, picture bytes.Buffer
		if err := figure.WithCaption(caption).SVG(&file); err != nil {
			t.Fatal(err)
		}
		read(t, file.String())
		if width == 1200 {
			html = file.String()
		}
		golden.File(t, "testdata/"+name+".svg", html)
		if width == 320 || name == "bars-scripts-560" {
			if err := figure.PNG(&picture); err != nil {
				t.Fatal(err)
			}
			golden.Picture(t, "testdata/"+name+".png", picture.Bytes())
		}
	})
	var twice bytes.Buffer
	figure, _ := Bars(frame(240), []Part{member("Education", 310), member("Health", 240)})
	if err := figure.Zoomed(2).PNG(&twice); err != nil {
		t.Fatal(err)
	}
	golden.Picture(t, "testdata/two-dots.png", twice.Bytes())
}

func textsOf(shapes []shape) []text {
	var list []text
	for _, s := range shapes {
		switch s := s.(type) {
		case text:
			list = append(list, s)
		case mark:
			list = append(list, textsOf(s.shapes)...)
		}
	}
	return list
}

func rectsOf(shapes []shape) []rect {
	var list []rect
	for _, s := range shapes {
		switch s := s.(type) {
		case rect:
			list = append(list, s)
		case mark:
			list = append(list, rectsOf(s.shapes)...)
		}
	}
	return list
}

// No text is smaller than 11 pixels, is longer than its figure, or leaves it, and what has a link is as large as a finger. A flow may be as thin as its
// amount is small: its nodes lead on as well.
func TestFigures_AreLegible(t *testing.T) {
	look := func(name string, width int, figure Figure) {
		for _, line := range textsOf(figure.shapes) {
			w := widthOf(line.s, line.size, line.bold)
			from := map[anchor]float64{start: line.x, middle: line.x - w/2, end: line.x - w}[line.anchor]
			if line.size < 11 || from < -1 || from+w > figure.width+1 || line.y < line.size*0.7 || line.y > figure.height {
				t.Errorf("%s: %q of %v pixels is from %v to %v at %v of %v", name, line.s, line.size, from, from+w, line.y, figure.height)
			}
		}
		for _, s := range figure.shapes {
			m, ok := s.(mark)
			if rects := rectsOf([]shape{m}); ok && m.href != "" && len(rects) > 0 && rects[0].w*rects[0].h < finger*finger-1 {
				t.Errorf("%s: %s has %v × %v", name, m.title, rects[0].w, rects[0].h)
			}
		}
	}
	eachDrawing(t, []int{240, 320, 560, 1200, 2400}, 0, look)
	eachDrawing(t, []int{768}, 300, func(name string, width int, figure Figure) {
		if look(name, width, figure); width == 768 && figure.height > 300 {
			t.Errorf("%s is %v high in a frame of 300", name, figure.height)
		}
	})
}

// Ticks are round, and enclose zero and the amounts: of those of testdata/ticks.txt from the first to the second.
func TestTicks(t *testing.T) {
	golden.Answers(t, "testdata/ticks.txt", func(amounts string) string {
		low, high, _ := strings.Cut(amounts, " ")
		list := ticks(decimal.RequireFromString(low), decimal.RequireFromString(high), 5)
		return strings.Join(each.Text(list, decimal.Decimal.String), " ")
	})
}
