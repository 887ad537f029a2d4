package chart

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

var update = flag.Bool("update", false, "write what the code draws into testdata; look at the pictures")

// The parts of tests are made up.
func number64(v int64) decimal.Decimal { return decimal.NewFromInt(v) }

func member(label string, value int64) Part {
	v := number64(value)
	return Part{Value: v, Label: label, Amount: v.String(), Share: v.String() + " %", Title: label + ": " + v.String(), Href: "?cut=office:" + label}
}

func others(kind Kind, members int, value decimal.Decimal) Part {
	word := map[Kind]string{Others: "Others", New: "New", Gone: "Gone"}[kind]
	return Part{Label: fmt.Sprintf("%s (%d)", word, members), Amount: value.String(), Title: fmt.Sprintf("%s (%d): %s", word, members, value), Href: "?rest"}
}

func frame(width int) Frame {
	return Frame{Width: width, Title: "Approved expenditure by office, 2019", Desc: "Education has the largest share.", Others: others}
}

var offices = []Part{
	member("Education", 310), member("Health", 240), member("Social security and employment of the young", 130), member("Defence", 90),
	{Kind: Missing, Value: number64(60), Label: "Not stated", Amount: "60", Share: "6 %", Title: "Not stated: 60"},
	member("Roads & bridges", 55), member("Justice", 40), member("Culture", 30), member("Environment", 25), member("Parliament", 20),
}

func manyOffices(n int) []Part {
	var list []Part
	for i := range n {
		list = append(list, member(fmt.Sprintf("Office %02d", i+1), int64(1000/(i+1))))
	}
	return list
}

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

// drawings are one figure of each kind.
func drawings(t *testing.T, width int) map[string]Figure {
	t.Helper()
	few := frame(width)
	few.Most = 5
	from, to := member("2018", 990), member("2019", 996)
	list := map[string]Figure{}
	for name, draw := range map[string]func() (Figure, *Refusal){
		"bars":    func() (Figure, *Refusal) { return Bars(few, append([]Part{member("Refunds", -45)}, offices...)) },
		"treemap": func() (Figure, *Refusal) { return Treemap(frame(width), offices) },
		"line": func() (Figure, *Refusal) {
			return Lines(frame(width), sixYears, []Series{{"Total", points(210, 220, nil, 260, 255, 120)}}, axisText)
		},
		"lines": func() (Figure, *Refusal) {
			return Lines(frame(width), sixYears, []Series{{"Education", points(110, 120, 126, 131, 140, 70)}, {"Health", points(100, 100, nil, 129, 115, 50)},
				{"Refunds", points(-10, -12, -9, nil, nil, nil)}}, axisText)
		},
		"change": func() (Figure, *Refusal) { return Change(few, from, to, changes) },
		"sankey": func() (Figure, *Refusal) { return Sankey(frame(width), twoLevels()) },
	} {
		figure, refusal := draw()
		if refusal != nil {
			t.Fatalf("%s is refused: %+v", name, *refusal)
		}
		list[name] = figure
	}
	return list
}

func TestFigures_AreDrawnAsBefore(t *testing.T) {
	caption := Caption{Subtitle: "In millions of kuna", Source: "Source: Ministry of Finance; example, version 1", Notices: []string{"Made-up figures, for trying fiscube out."}}
	for _, width := range []int{320, 1200} {
		for name, figure := range drawings(t, width) {
			var drawn bytes.Buffer
			if width == 320 {
				drawn.WriteString(string(figure.HTML()))
			} else if err := figure.WithCaption(caption).SVG(&drawn); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", fmt.Sprintf("%s-%d.svg", name, width))
			if *update {
				if err := os.WriteFile(path, drawn.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(drawn.Bytes(), want) {
				t.Errorf("%s differs from what is drawn; look at it with -update", path)
			}
		}
	}
}

// An amount is printed whole or not at all, and in the rows always.
func TestFigures_PrintAmountsWhole(t *testing.T) {
	const long = "−175,132,659,815,004,321,987.25"
	for _, width := range []int{240, 320, 700, 1200} {
		for name, draw := range map[string]func() (Figure, *Refusal){
			"bars": func() (Figure, *Refusal) { return Bars(frame(width), longAmounts(long)) },
			"change": func() (Figure, *Refusal) {
				return Change(frame(width), member("2018", 0), member("2019", 965), longAmounts(long))
			},
			"treemap": func() (Figure, *Refusal) { return Treemap(frame(width), longAmounts(long)) },
			"line": func() (Figure, *Refusal) {
				return Lines(frame(width), sixYears[:2], []Series{{"Total", []Point{{Part: longAmounts(long)[0]}, {Part: longAmounts(long)[1]}}}}, axisText)
			},
		} {
			figure, refusal := draw()
			if refusal != nil {
				t.Fatalf("%s is refused: %+v", name, *refusal)
			}
			printed := 0
			for _, line := range textsOf(figure.shapes) {
				if line.s == long {
					printed++
				} else if strings.HasPrefix(line.s, "−175") {
					t.Errorf("%s of %d pixels prints %q", name, width, line.s)
				}
			}
			if want := map[string]int{"bars": 4, "change": 4, "line": min(width/320, 1), "treemap": 0}[name]; printed < want {
				t.Errorf("%s of %d pixels prints the amount %d times, want %d", name, width, printed, want)
			}
		}
	}
}

func longAmounts(amount string) []Part {
	var list []Part
	for _, p := range []Part{member("Education", 510), member("Health", 240), member("Defence", 130), member("Justice", 85)} {
		p.Amount = amount
		list = append(list, p)
	}
	return list
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

// No text is smaller than 11 pixels, is longer than its figure, or leaves it.
func TestFigures_TextsAreLegible(t *testing.T) {
	for _, width := range []int{240, 320, 560, 1200, 2400} {
		for name, figure := range drawings(t, width) {
			for _, line := range textsOf(figure.shapes) {
				if line.size < 11 {
					t.Errorf("%s: %q has %v pixels", name, line.s, line.size)
				}
				w := widthOf(line.s, line.size, line.bold)
				from := map[anchor]float64{start: line.x, middle: line.x - w/2, end: line.x - w}[line.anchor]
				if from < -1 || from+w > figure.width+1 || line.y < line.size*0.7 || line.y > figure.height {
					t.Errorf("%s of %d pixels: %q is from %v to %v at %v of %v", name, width, line.s, from, from+w, line.y, figure.height)
				}
			}
		}
	}
}

// Long names that begin alike are whole, in two lines where one is too short.
func TestFigures_LongNamesAreWhole(t *testing.T) {
	names := []string{
		"MINISTARSTVO MORA, PROMETA I INFRASTRUKTURE", "MINISTARSTVO RADA I MIROVINSKOGA SUSTAVA", "MINISTARSTVO ZAŠTITE OKOLIŠA I ENERGETIKE", "MINISTARSTVO OBRANE",
	}
	for _, width := range []int{280, 760} {
		var parts []Part
		var lines []Series
		for i, name := range names {
			parts = append(parts, member(name, 26558840330000-int64(i)))
			lines = append(lines, Series{name, points(210, 220, 230+i, 240, 250, 260-10*i)})
		}
		for name, draw := range map[string]func() (Figure, *Refusal){
			"bars":  func() (Figure, *Refusal) { return Bars(frame(width), parts) },
			"lines": func() (Figure, *Refusal) { return Lines(frame(width), sixYears, lines, axisText) },
		} {
			figure, refusal := draw()
			if refusal != nil {
				t.Fatalf("%s: %+v", name, *refusal)
			}
			var texts []string
			for _, line := range textsOf(figure.shapes) {
				texts = append(texts, line.s)
				if line.y > figure.height {
					t.Errorf("%s of %d pixels: %q is below it", name, width, line.s)
				}
			}
			for _, want := range names {
				if !strings.Contains(strings.Join(texts, " "), want) {
					t.Errorf("%s of %d pixels has no %q in %q", name, width, want, texts)
				}
			}
		}
	}
}

// A picture prints the first of its links that fits.
func TestCaption_PrintsALinkThatFits(t *testing.T) {
	figure, _ := Bars(frame(320), offices)
	long := "example.com/explore/budget?" + strings.Repeat("cut=office:1|", 9)
	for want, links := range map[string][]string{"example.com/explore/budget?cut=a:1": {long, "example.com/explore/budget?cut=a:1", "example.com"}, "": {long}} {
		var printed []string
		for _, line := range textsOf(figure.WithCaption(Caption{Source: "the ministry", Links: links}).shapes) {
			if strings.HasPrefix(line.s, "example.com") {
				printed = append(printed, line.s)
			}
		}
		if got := strings.Join(printed, " "); got != want {
			t.Errorf("of %q it prints %q, want %q", links, got, want)
		}
	}
}

func TestFigures_MarksAreAsLargeAsAFinger(t *testing.T) {
	for _, width := range []int{320, 1200} {
		for name, figure := range drawings(t, width) {
			for _, s := range figure.shapes {
				m, ok := s.(mark)
				rects := rectsOf([]shape{m})
				if !ok || m.href == "" || len(rects) == 0 {
					continue // a flow may be as thin as its amount is small: its nodes lead on as well
				}
				if r := rects[0]; r.w*r.h < finger*finger-1 {
					t.Errorf("%s of %d pixels: %s has %v × %v", name, width, m.title, r.w, r.h)
				}
			}
		}
	}
}

func TestFigures_ManyPartsAreAddedUp(t *testing.T) {
	few := frame(1200)
	few.Most = 3
	for name, draw := range map[string]func(Frame, []Part) (Figure, *Refusal){"bars": Bars, "treemap": Treemap} {
		figure, refusal := draw(few, manyOffices(5))
		if refusal != nil {
			t.Fatalf("%s: %+v", name, *refusal)
		}
		if drawn := string(figure.HTML()); !strings.Contains(drawn, "Others (3)") || strings.Contains(drawn, "Office 03") {
			t.Errorf("%s of five parts with at most three: %s", name, drawn)
		}
	}
	figure, _ := Change(few, member("2018", 990), member("2019", 996), changes)
	for _, want := range []string{"Others (3)", "New (3)", "Reconstruction"} {
		if !strings.Contains(string(figure.HTML()), want) {
			t.Errorf("the change has no %q", want)
		}
	}
}

func TestLines_AYearWithoutAnAmountIsAGap(t *testing.T) {
	figure, _ := Lines(frame(1200), sixYears, []Series{{"Total", points(210, 220, nil, 260, 255, 120)}}, axisText)
	var solid, dashed int
	for _, s := range figure.shapes {
		if p, ok := s.(path); ok && p.stroke == series[0] {
			if p.dash > 0 {
				dashed++
			} else {
				solid++
			}
		}
	}
	if solid != 2 || dashed != 1 {
		t.Errorf("%d solid lines and %d dashed ones, want 2 around the gap and 1 to the incomplete year", solid, dashed)
	}
	if !strings.Contains(string(figure.HTML()), ">until June</text>") {
		t.Error("nothing says what the incomplete year lacks")
	}
}

func TestLines_NoLineLeadsToAnotherThing(t *testing.T) {
	all := points(210, 220, 260, 255, 250, 120)
	all[2].Other, all[5].Other = true, true
	figure, _ := Lines(frame(1200), sixYears, []Series{{"Total", all}}, axisText)
	var runs []int
	for _, s := range figure.shapes {
		if p, ok := s.(path); ok && p.stroke == series[0] {
			runs = append(runs, len(p.curves))
		}
	}
	if !slices.Equal(runs, []int{2, 3}) {
		t.Errorf("lines are through %v points, want 2, 3 and none to the last", runs)
	}
}

// A year in which no line has an amount is named as a gap, and no line is drawn through it.
func TestLines_NameGaps(t *testing.T) {
	years := []Year{{Label: "2008"}, {Label: "2009", Gap: "no data"}, {Label: "2010"}}
	for _, width := range []int{240, 1200} {
		figure, refusal := Lines(frame(width), years, []Series{{"Total", points(210, nil, 260)}}, axisText)
		if refusal != nil {
			t.Fatal(*refusal)
		}
		drawn := string(figure.HTML())
		if !strings.Contains(drawn, ">2009</text>") || !strings.Contains(drawn, ">no data</text>") || strings.Contains(drawn, "stroke-dasharray") {
			t.Errorf("%d pixels: %s", width, drawn)
		}
	}
}

func TestTicks_AreRoundAndEncloseZeroAndTheAmounts(t *testing.T) {
	for _, tt := range []struct{ low, high, want string }{
		{"0", "602", "0 200 400 600 800"},
		{"0", "7", "0 2 4 6 8"},
		{"0", "1", "0 0.2 0.4 0.6 0.8 1"},
		{"-12", "140", "-50 0 50 100 150"},
		{"-7", "0", "-8 -6 -4 -2 0"},
		{"0", "0.00003", "0 0.00001 0.00002 0.00003"},
		{"0", "0", "0 0.2 0.4 0.6 0.8 1"},
		{"0", "999999999999999999999", "0 200000000000000000000 400000000000000000000 600000000000000000000 800000000000000000000 1000000000000000000000"},
	} {
		var list []string
		for _, v := range ticks(decimal.RequireFromString(tt.low), decimal.RequireFromString(tt.high), 5) {
			list = append(list, v.String())
		}
		if got := strings.Join(list, " "); got != tt.want {
			t.Errorf("from %s to %s: %s, want %s", tt.low, tt.high, got, tt.want)
		}
	}
}

// Two labels that differ in their last words alone are not cut to the same text.
func TestBars_TellLongLabelsApart(t *testing.T) {
	const begin = "Provision of services of health and of the family to the "
	parts := []Part{
		{Label: begin + "community", Amount: "30", Value: decimal.NewFromInt(30)}, {Label: begin + "person", Amount: "20", Value: decimal.NewFromInt(20)},
		{Label: "Provision of services of health and of the armed forces", Amount: "10", Value: decimal.NewFromInt(10)},
	}
	for _, width := range []int{760, 280} {
		figure, refusal := Bars(Frame{Width: width}, parts)
		if refusal != nil {
			t.Fatal(refusal)
		}
		drawn := figure.HTML()
		for _, end := range []string{" to the community</text>", " to the person</text>"} {
			if !strings.Contains(string(drawn), end) {
				t.Errorf("%d pixels wide, a label does not end with %s:\n%s", width, end, drawn)
			}
		}
	}
	for width := 0.0; width < 300; width += 7 {
		if short := cutWithin(begin+"community", 14, false, width); widthOf(short, 14, false) > width {
			t.Errorf("in %v pixels it is %q", width, short)
		}
	}
}

// A label is cut only where the bars would have no room.
func TestBars_GiveLabelsTheRoom(t *testing.T) {
	const label = "Department of the environment and of roads"
	for amount, whole := range map[string]bool{"30": true, "123,456,789,012,345,678,901.23": false} {
		figure, refusal := Bars(Frame{Width: 760}, []Part{{Label: label, Amount: amount, Value: decimal.NewFromInt(30)}})
		if refusal != nil || strings.Contains(string(figure.HTML()), label+"</text>") != whole {
			t.Errorf("beside %s: %v, %s", amount, refusal, figure.HTML())
		}
	}
}

func TestWrap(t *testing.T) {
	if lines := wrap("Ministry of health", 14, false, 80, 3); strings.Join(lines, "|") != "Ministry of|health" {
		t.Errorf("%q", lines)
	}
	if lines := wrap("Telecommunications and post", 14, false, 80, 3); strings.Join(lines, "|") != "Telecomm|unications|and post" {
		t.Errorf("%q", lines)
	}
}
