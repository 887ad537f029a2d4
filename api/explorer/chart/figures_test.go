package chart

import (
	"bytes"
	"fmt"
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

var offices = []Part{
	member("Education", 310), member("Health", 240), member("Social security and employment of the young", 130), member("Defence", 90),
	{Kind: Missing, Value: number64(60), Label: "Not stated", Amount: "60", Share: "6 %", Title: "Not stated: 60"},
	member("Roads & bridges", 55), member("Justice", 40), member("Culture", 30), member("Environment", 25), member("Parliament", 20),
}

// called are members with labels, each with a little less than the one before.
func called(labels ...string) (list []Part) {
	for i, label := range labels {
		list = append(list, member(label, 26558840330000-int64(i)))
	}
	return list
}

func manyOffices(n int) []Part {
	var list []Part
	for i := range n {
		list = append(list, member(fmt.Sprintf("Office %02d", i+1), int64(1000/(i+1))))
	}
	return list
}

// points are those of a line; what is no number is no amount.
func points(values ...any) []Point {
	var list []Point
	for _, v := range values {
		if n, ok := v.(int); ok {
			list = append(list, Point{Part: member("amount", int64(n))})
		} else {
			list = append(list, Point{None: true})
		}
	}
	return list
}

var sixYears = []Year{{Label: "2014"}, {Label: "2015"}, {Label: "2016"}, {Label: "2017"}, {Label: "2018"}, {Label: "2019", Incomplete: "until June"}}

func axisText(v decimal.Decimal) string { return v.String() + " m" }

func twoLevels() Flows {
	return Flows{
		From: []Part{member("Education", 50), member("Health", 30), member("Defence", 20)},
		To:   []Part{member("Salaries", 60), member("Goods", 25), member("Investment", 15)},
		Flows: []Flow{{0, 0, number64(40)}, {0, 2, number64(10)}, {1, 0, number64(15)}, {1, 1, number64(15)}, {2, 0, number64(5)}, {2, 1, number64(10)},
			{2, 2, number64(5)}},
		Between: func(from, to Part, value decimal.Decimal) Part {
			return Part{Label: from.Label + " → " + to.Label, Amount: value.String(), Href: "?flow"}
		},
	}
}

func difference(kind Kind, label string, value int64, rate string) Part {
	v := number64(value)
	return Part{Kind: kind, Value: v, Label: label, Amount: v.String(), Share: rate, Title: label + ": " + v.String()}
}

var changes = []Part{
	difference(Member, "Education", 40, "15 %"), difference(Member, "Health", -25, "−9 %"), difference(New, "Digital affairs", 18, "new"),
	difference(Gone, "Reconstruction", -30, "gone"), difference(Member, "Justice", 3, "8 %"), difference(Member, "Culture", -2, "−6 %"),
	difference(New, "Sports", 1, "new"), difference(New, "Space", 1, "new"), difference(Member, "Parliament", 0, "0 %"),
}

// printing is parts that print an amount as a text.
func printing(amount string, parts ...Part) []Part {
	for i := range parts {
		parts[i].Amount = amount
	}
	return parts
}

// long is an amount that many a figure has no room for: it is printed whole or not at all, and in rows always.
const long = "−175,132,659,815,004,321,987.25"

// ministries begin alike, and are whole in two lines where one is too short.
var ministries = []string{
	"MINISTARSTVO MORA, PROMETA I INFRASTRUKTURE", "MINISTARSTVO RADA I MIROVINSKOGA SUSTAVA", "MINISTARSTVO ZAŠTITE OKOLIŠA I ENERGETIKE", "MINISTARSTVO OBRANE",
}

// drawing is a figure of testdata.
type drawing struct {
	name   string
	widths []int
	draw   func(Frame) (Figure, *Refusal)
}

var usual = []int{320, 1200}

// drawings are figures of each kind, and of what is odd.
var drawings = []drawing{
	{"bars", usual, func(f Frame) (Figure, *Refusal) {
		return Bars(f, append([]Part{member("Refunds", -45)}, offices...))
	}},
	{"bars-many", []int{300}, func(f Frame) (Figure, *Refusal) { return Bars(f, manyOffices(43)) }},
	{"bars-names", []int{280, 760}, func(f Frame) (Figure, *Refusal) { return Bars(f, called(ministries...)) }},
	{"bars-alike", []int{280, 760}, func(f Frame) (Figure, *Refusal) { // labels that differ in their last words alone
		const begin = "Provision of services of health and of education and of the care of the family "
		return Bars(f, printing("30", called(begin+"to the community", begin+"to the person", "Provision of services of the armed forces")...))
	}},
	{"bars-room", []int{760}, func(f Frame) (Figure, *Refusal) {
		return Bars(f, printing("30", called("Department of the environment and of roads")...))
	}},
	{"bars-no-room", []int{760}, func(f Frame) (Figure, *Refusal) {
		return Bars(f, printing(long, called("Department of the environment and of roads")...))
	}},
	{"bars-scripts", []int{560}, func(f Frame) (Figure, *Refusal) {
		return Bars(f, printing("12,5 %", called(slices.Concat(scripts, directions)...)...))
	}},
	{"bars-amounts", []int{240, 700}, func(f Frame) (Figure, *Refusal) { return Bars(f, printing(long, manyOffices(3)...)) }},
	{"treemap", usual, func(f Frame) (Figure, *Refusal) { return Treemap(f, offices) }},
	{"treemap-amounts", []int{240}, func(f Frame) (Figure, *Refusal) { return Treemap(f, printing(long, manyOffices(3)...)) }},
	{"treemap-divisions", []int{600}, func(f Frame) (Figure, *Refusal) {
		parts := manyOffices(5)
		parts[0].Division, parts[1].Division, parts[2].Division = "07", "09", "11"
		return Treemap(f, append(parts, Part{Kind: Others, Members: 7, Value: number64(40), Label: "Others (7)", Amount: "40"}))
	}},
	{"line", usual, func(f Frame) (Figure, *Refusal) {
		return Lines(f, sixYears, []Series{{"Total", points(210, 220, nil, 260, 255, 120)}}, axisText)
	}},
	{"line-gap", []int{240, 1200}, func(f Frame) (Figure, *Refusal) { // in which no line has an amount
		return Lines(f, []Year{{Label: "2008"}, {Label: "2009", Gap: "no data"}, {Label: "2010"}}, []Series{{"Total", points(210, nil, 260)}}, axisText)
	}},
	{"line-other", []int{600}, func(f Frame) (Figure, *Refusal) { // no line leads to another thing
		all := points(210, 220, 260, 255, 250, 120)
		all[2].Other, all[5].Other = true, true
		return Lines(f, sixYears, []Series{{"Total", all}}, axisText)
	}},
	{"line-amounts", []int{240, 700}, func(f Frame) (Figure, *Refusal) {
		parts := printing(long, manyOffices(2)...)
		return Lines(f, sixYears[:2], []Series{{"Total", []Point{{Part: parts[0]}, {Part: parts[1]}}}}, axisText)
	}},
	{"lines", usual, func(f Frame) (Figure, *Refusal) {
		return Lines(f, sixYears, []Series{{"Education", points(110, 120, 126, 131, 140, 70)}, {"Health", points(100, 100, nil, 129, 115, 50)},
			{"Refunds", points(-10, -12, -9, nil, nil, nil)}}, axisText)
	}},
	{"lines-names", []int{280, 760}, func(f Frame) (Figure, *Refusal) {
		var lines []Series
		for i, name := range ministries {
			lines = append(lines, Series{name, points(210, 220, 230+i, 240, 250, 260-10*i)})
		}
		return Lines(f, sixYears, lines, axisText)
	}},
	{"change", usual, func(f Frame) (Figure, *Refusal) {
		return Change(f, member("2018", 990), member("2019", 996), changes)
	}},
	{"change-many", []int{320}, func(f Frame) (Figure, *Refusal) {
		parts := manyOffices(4)
		for i := range 12 {
			parts = append(parts, difference([]Kind{New, Gone, Member}[i%3], fmt.Sprint(i), int64(12-i), "new"))
		}
		return Change(f, member("2018", 0), Part{Label: "2019", Value: sumOf(parts)}, parts)
	}},
	{"change-amounts", []int{240, 700}, func(f Frame) (Figure, *Refusal) {
		return Change(f, member("2018", 0), member("2019", 1833), printing(long, manyOffices(3)...))
	}},
	{"sankey", usual, func(f Frame) (Figure, *Refusal) { return Sankey(f, twoLevels()) }},
	{"sentence", []int{280}, func(f Frame) (Figure, *Refusal) {
		return Sentence(f, "No picture shows amounts of which one is not above zero."), nil
	}},
	{"caption", []int{320}, func(f Frame) (Figure, *Refusal) { // prints the first link that fits
		figure, refusal := Bars(f, offices[:1])
		return figure.WithCaption(Caption{Source: "the ministry", Links: []string{tooLong, "example.com/explore/budget?cut=a:1", "example.com"}}), refusal
	}},
}

var tooLong = "example.com/explore/budget?" + strings.Repeat("cut=office:1|", 20)

// eachDrawing draws the figures in their widths, or in others.
func eachDrawing(t *testing.T, widths []int, look func(name string, width int, figure Figure)) {
	t.Helper()
	for _, d := range drawings {
		for _, width := range slices.Concat(d.widths, widths) {
			figure, refusal := d.draw(frame(width))
			if refusal != nil {
				t.Fatalf("%s is refused: %+v", d.name, *refusal)
			}
			look(fmt.Sprintf("%s-%d", d.name, width), width, figure)
		}
	}
}

// Within pages, and as files with captions, figures are drawn as before; as pictures, those that are narrow.
func TestFigures_AreDrawnAsBefore(t *testing.T) {
	caption := Caption{Subtitle: "In millions of kuna", Source: "Source: Ministry of Finance; example, version 1", Links: []string{tooLong},
		Notices: []string{"Made-up figures, for trying fiscube out."}}
	css := CSS()
	eachDrawing(t, nil, func(name string, width int, figure Figure) {
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
			if err := figure.PNG(&picture, 1); err != nil {
				t.Fatal(err)
			}
			golden.Picture(t, "testdata/"+name+".png", picture.Bytes())
		}
	})
	var twice bytes.Buffer
	figure, _ := Bars(frame(240), offices[:2])
	if err := figure.PNG(&twice, 2); err != nil {
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
	eachDrawing(t, []int{240, 320, 560, 1200, 2400}, func(name string, width int, figure Figure) {
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
