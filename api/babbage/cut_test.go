package babbage_test

import (
	"strings"
	"testing"

	"fiscube/api/babbage"
	"fiscube/cube"
)

// Outside quotes a cut says more than the dialect does, and what dashboards send keeps its meaning.
func TestCuts(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a range", "Year.Year:2016-2017", `Year:"2016".."2017"`},
		{"a range among values", "Year:2014;2016-2017;2020", `Year:"2014";"2016".."2017";"2020"`},
		{"a range inverted", "!Year.Year:2016-2017|admin1_code:01", `!Year:"2016".."2017"|admin1_code:"01"`},
		{"a range of an odd name", "A_o__fiscal:2016-2017", `"Año: fiscal":"2016".."2017"`},
		{"a negative number", "Year:-5", `Year:"-5"`},
		{"negative bounds", "Year:-5--3;-5-3", `Year:"-5".."-3";"-5".."3"`},
		{"what is no range", "Year:2016-;-2017;2016-2017-2018;2016 - 2017;a-b;2017-01-01",
			`Year:"2016-";"-2017";"2016-2017-2018";"2016 - 2017";"a-b";"2017-01-01"`},
		{"a quoted hyphen", `Year:"2016-2017"`, `Year:"2016-2017"`},
		{"a hyphen of a code", "admin1_code.admin1_code:11-01;2017-01-01", `admin1_code:"11-01";"2017-01-01"`},
		{"a hyphen of a path", "administrative_classification:1-2/3-4", `administrative-classification:"1-2"/"3-4"`},

		{"missing", "admin1_code.admin1_code:__null__", `admin1_code:""`},
		{"missing or not", "Year:2016;__null__", `Year:"2016";""`},
		{"not missing", "!admin1_code.admin1_label:__null__", `!admin1_label:""`},
		{"missing below a code", `administrative_classification:01/__null__;"\"/01"/__null__`,
			`administrative-classification:"01"/"";"\"/01"/""`},
		{"the word itself", `admin1_code:"__null__";__NULL__;x__null__`, `admin1_code:"__null__";"__NULL__";"x__null__"`},
		{"the word itself in a path", `administrative_classification:"__null__"/"__null__"`,
			`administrative-classification:"__null__"/"__null__"`},
		{"the word in a code", "admin1_code:a/__null__", `admin1_code:"a"/"__null__"`},
		{"the word in a text to look for", "admin1_code:~__null__", `admin1_code:~"__null__"`},

		{"a level in its hierarchy", "admin1_code@administrative_classification:020|Year:2016", `admin1_code:"020"|Year:"2016"`},
		{"its label", `admin1_code.admin1_label@administrative_classification:"a:b"`, `admin1_label:"a:b"`},
		{"a hierarchy down to a level", "!administrative_classification@administrative_classification:admin2_code:01;02|Year:2016",
			`!admin2_code:"01";"02"|Year:"2016"`},
		{"a value in quotes behind it", `ways@ways:left:"a|b:c"`, `left:"a|b:c"`},
		{"a value with a colon", `top@ways:"a:b"`, `top:"a:b"`},
		{"a path", "administrative_classification@administrative_classification:01/02", `administrative-classification:"01"/"02"`},
		{"a range behind it", "Year@date:2016-2017", `Year:"2016".."2017"`},
		{"such signs in values", `admin1_code:top@ways:x:y|admin1_label:"z|top@ways:left:1"`,
			`admin1_code:"top@ways:x:y"|admin1_label:"z|top@ways:left:1"`},
	} {
		cuts(t, budget(t).Model, tt.name, tt.text, tt.want)
	}
}

// A cut on a dimension of one level is a cut on that, a label is text whatever its column holds, and a name is what
// the package says it is.
func TestCutsOfOddModels(t *testing.T) {
	model, err := cube.NewModel([]cube.Column{
		{Name: "book", Type: cube.TypeInteger}, {Name: "book_number", Type: cube.TypeInteger},
		{Name: "part", Type: cube.TypeInteger}, {Name: "e@mail", Type: cube.TypeText}, {Name: "paid", Type: cube.TypeDecimal},
	}, []cube.Dimension{
		{Name: "ledger", Levels: []cube.Level{{Ref: "book", LabelRef: "book_number"}}},
		{Name: "place", Levels: []cube.Level{{Ref: "part", Within: []string{"book"}}}},
		{Name: "sender", Levels: []cube.Level{{Ref: "e@mail"}}},
	}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"a range of a dimension", "ledger:1-2", `ledger:"1".."2"`},
		{"the word in a value of a dimension", "sender:a/__null__", `sender:"a"/"__null__"`},
		{"a path of a dimension", "place:1-2/3", `place:"1-2"/"3"`},
		{"a hyphen of a number's label", "book.book_number:1-2", `book_number:"1-2"`},
		{"a field that looks like a hierarchy", "e@mail:x:y", `e@mail:"x:y"`},
	} {
		cuts(t, model, tt.name, tt.text, tt.want)
	}
}

// cuts checks what a cut means in our own grammar.
func cuts(t *testing.T, model *cube.Model, name, text, want string) {
	t.Run(name, func(t *testing.T) {
		list, err := babbage.NewNames(model).Cuts(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := (cube.Query{Cuts: list, Page: cube.Every}).String(); got != "cut="+want {
			t.Errorf("got  %s\nwant cut=%s", got, want)
		}
	})
}

// What a cut becomes can be asked in our own grammar, whatever was written.
func FuzzCuts(f *testing.F) {
	for _, text := range []string{
		"Year:2016-2017;__null__", `administrative_classification:01/__null__/"x"`, `!ways@ways_2:right_hand_2:"a|b"`,
		"admin1_code.admin1_label@administrative_classification:~x", " top @ ways : left : 1..2", `top:"\\"/"`, "@:@:@",
	} {
		f.Add(text)
	}
	names := babbage.NewNames(budget(f).Model)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := names.Cuts(text)
		if err != nil {
			return
		}
		printed := (cube.Query{Cuts: list, Page: cube.Every}).String()
		again, err := cube.ParseCut(strings.TrimPrefix(printed, "cut="))
		if err != nil || (cube.Query{Cuts: again, Page: cube.Every}).String() != printed {
			t.Errorf("%q: %s, %v", text, printed, err)
		}
	})
}
