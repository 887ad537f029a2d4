package babbage_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"fiscube/api/babbage"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/query"
)

// Each parameter means what the clause of our own grammar means.
func TestQuery(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	for _, tt := range []struct{ name, parameter, text, want string }{
		{"a dimension", "drilldown", "admin1_code", "drilldown=admin1_code"},
		{"its key and label", "drilldown", "admin1_code.admin1_code|admin1_code.admin1_label", "drilldown=administrative-classification.admin1_code|administrative-classification.admin1_label"},
		{"by the hierarchy", "drilldown", "administrative_classification.admin1_label", "drilldown=administrative-classification.admin1_label"},
		{"a hierarchy alone", "drilldown", "administrative_classification", "drilldown=administrative-classification"},
		{"our own name of it", "drilldown", "administrative-classification.admin1_code", "drilldown=administrative-classification.admin1_code"},
		{"a name that no id can have", "drilldown", "A_o__fiscal.A_o__fiscal", `drilldown=date."Año: fiscal"`},
		{"that name itself", "drilldown", `"Año: fiscal"`, `drilldown="Año: fiscal"`},
		{"the name of two fields", "drilldown", "right_hand|right_hand_2", `drilldown=right_hand|"right.hand"`}, {"a level in its hierarchy", "drilldown", "admin1_code@administrative_classification|Year", "drilldown=admin1_code|Year"},
		{"the label in it", "drilldown", "admin1_code.admin1_label@administrative_classification", "drilldown=administrative-classification.admin1_label"},
		{"a hierarchy down to a level", "drilldown", "Year|administrative_classification@administrative_classification:admin2_code|top",
			"drilldown=Year|admin2_code|top"},
		{"down to a label", "drilldown", "administrative-classification@administrative-classification:admin1_code.admin1_label",
			"drilldown=administrative-classification.admin1_label"},
		{"a hierarchy of its own", "drilldown", "administrative_classification@administrative_classification",
			"drilldown=administrative-classification"},
		{"a level that is named twice", "drilldown", "admin1_code@administrative_classification:admin1_code", "drilldown=admin1_code"},
		{"the second way down", "drilldown", "ways@ways_2:right_hand_2|top@ways_2|ways@ways_2:top",
			`drilldown="right.hand"|top|top`},
		{"white space of hierarchies", "drilldown", "Year| admin1_code @ administrative_classification : admin1_code",
			"drilldown=Year|admin1_code"},

		{"white space", "drilldown", " admin1_code |\tYear.Year", "drilldown=admin1_code|date.Year"},

		{"a number", "cut", "Year.Year:2016", `cut=Year:"2016"`},
		{"a quoted number", "cut", `Year.Year:"2016";2017`, `cut=Year:"2016";"2017"`},
		{"digits of a text", "cut", "admin1_code:020", `cut=admin1_code:"020"`},
		{"a quoted text", "cut", `admin1_code.admin1_code:"a|b;\"c\"\u0041"`, `cut=admin1_code:"a|b;\"c\"A"`},
		{"a label", "cut", `admin1_code.admin1_label:"Vlada, ured: x"`, `cut=admin1_label:"Vlada, ured: x"`},
		{"a label without quotes", "cut", "admin1_code.admin1_label: Vlada, ured: x ", `cut=admin1_label:"Vlada, ured: x "`},
		{"several", "cut", "Year:2016|admin1_code:01;02", `cut=Year:"2016"|admin1_code:"01";"02"`},
		{"white space of cuts", "cut", "Year.Year: 2016; 2017| admin1_code : \" 01\"", `cut=Year:"2016";"2017"|admin1_code:" 01"`},
		{"missing", "cut", `admin1_code:""`, `cut=admin1_code:""`},
		{"what the dialect leaves open", "cut", "!Year.Year:2014..2016|administrative_classification:01/02|admin1_code.admin1_label:~x",
			`cut=!Year:"2014".."2016"|administrative-classification:"01"/"02"|admin1_label:~"x"`},
		{"a text to look for", "cut", `admin1_code.admin1_label:~"x| y:z"`, `cut=admin1_label:~"x| y:z"`},

		{"aggregates", "aggregates", "approved.sum|_count|executed__cash.max", `aggregates=approved.sum|_count|"executed: cash".max`},
		{"a formula", "aggregates", "ratio(executed__cash.sum, approved.sum)", `aggregates=ratio("executed: cash".sum,approved.sum)`},

		{"an aggregate", "order", "approved.sum:desc", "order=approved.sum:desc"},
		{"an aggregate of an odd name", "order", "executed__cash.sum:desc", `order="executed: cash".sum:desc`},
		{"an attribute", "order", "admin1_code.admin1_label:asc,Year.Year", "order=admin1_label:asc,Year:asc"},
		{"a line chart's", "order", "Year.Year::asc", "order=Year:asc"},
		{"nobody's", "order", "undefined:undefined", ""},
		{"a level's in its hierarchy", "order", "ways@ways_2:right_hand_2:desc,top@ways:asc,left@ways,admin1_code@administrative_classification:admin1_code",
			`order="right.hand":desc,top:asc,left:asc,admin1_code:asc`},
		{"a formula's", "order", "diff(approved.sum,executed__cash.sum):desc", `aggregates=_count|approved.sum|"executed: cash".sum|diff(approved.sum,"executed: cash".sum)&order=diff(approved.sum,"executed: cash".sum):desc`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			question, err := names.Query(map[string]string{tt.parameter: tt.text})
			if err != nil {
				t.Fatal(err)
			}
			want := "page=1&pagesize=100"
			if tt.want != "" {
				want = tt.want + "&" + want
			}
			if got := question.String(); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// Refs as the models of OpenSpending have them are accepted, and their columns are called as they were asked.
func TestQuery_GeneratedRefs(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	for _, tt := range []struct {
		ref, want string   // the drilldown
		aliases   []string // of the columns that are not called as in our model
	}{
		{"date_2.Year", "date.Year", []string{"date_2.Year"}},
		{"date.Year", "date.Year", []string{"date.Year"}},
		{"date_Year.Year", "date.Year", []string{"date_Year.Year"}},
		{"administrative_classification_2.admin1_code", "administrative-classification.admin1_code",
			[]string{"administrative_classification_2.admin1_code"}},
		{"administrative_classification_admin1_code.admin1_label", "administrative-classification.admin1_label",
			[]string{"administrative_classification_admin1_code.admin1_label"}},
		{"administrative_classification_admin1_code", "admin1_code",
			[]string{"administrative_classification_admin1_code.admin1_code", "administrative_classification_admin1_code.admin1_label"}},
		{"unknown_admin1_code.admin1_code", "administrative-classification.admin1_code", []string{"unknown_admin1_code.admin1_code"}},
		{"activity_admin1_label.admin1_label", "administrative-classification.admin1_label", []string{"activity_admin1_label.admin1_label"}},
		{"right_hand_2.right_hand_2", `ways."right.hand"`, nil},
		{"ways_right_hand_2", `"right.hand"`, []string{"ways_right_hand_2.right_hand_2"}},
		{"budget_line_id_2.line", "budget-line-id.line", []string{"budget_line_id_2.line"}},
		{"budget_line_id_2", "line", []string{"budget_line_id_2.line", "budget_line_id_2.line_text"}},
		{"administrative_classification.admin1_label", "administrative-classification.admin1_label",
			[]string{"administrative_classification.admin1_label"}},
	} {
		q, err := names.Query(map[string]string{"drilldown": tt.ref, "order": tt.ref + ":desc"})
		if err != nil {
			t.Errorf("%s: %v", tt.ref, err)
			continue
		}
		aliases := slices.Sorted(maps.Values(q.Aliases))
		if got, _, _ := strings.Cut(q.String(), "&"); got != "drilldown="+tt.want || !slices.Equal(aliases, tt.aliases) {
			t.Errorf("%s: %s as %v", tt.ref, got, aliases)
		}
	}
	for _, ref := range []string{"admin2_code.Year", "top.left", "dates.Year", "administrative.admin1_code", "admin1_code_2", "date_2", "_2.Year"} {
		if q, err := names.Query(map[string]string{"drilldown": ref}); cube.CodeOf(err) != cube.CodeUnknownRef {
			t.Errorf("%s is taken for %s: %v", ref, q, err)
		}
	}
}

// An order may be by an aggregate that is no column.
func TestQuery_OrderByWhatIsNotAsked(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	for _, tt := range []struct {
		aggregates, order, want string
		unasked                 int
	}{
		{"", "approved.sum:desc", "order=approved.sum:desc", 0},
		{"", "_count", "order=_count:asc", 0},
		{"", "approved.max", `aggregates=_count|approved.sum|"executed: cash".sum|approved.max&order=approved.max:asc`, 1},
		{"_count", "executed__cash.sum:desc,_count", `aggregates=_count|"executed: cash".sum&order="executed: cash".sum:desc,_count:asc`, 1},
		{"approved.sum", "_count:desc,_count", "aggregates=approved.sum|_count&order=_count:desc,_count:asc", 1},
		{"approved.sum", "diff(approved.sum,approved.max)", "aggregates=approved.sum|diff(approved.sum,approved.max)&order=diff(approved.sum,approved.max):asc", 1},
		{"approved.sum", "Year.Year", "aggregates=approved.sum&order=Year:asc", 0},
	} {
		given := map[string]string{"order": tt.order}
		if tt.aggregates != "" {
			given["aggregates"] = tt.aggregates
		}
		q, err := names.Query(given)
		if err != nil || q.String() != tt.want+"&page=1&pagesize=100" || q.Unasked != tt.unasked {
			t.Errorf("%s by %s: %s, %d not asked, %v", tt.aggregates, tt.order, q, q.Unasked, err)
		}
	}
}

func TestQuery_Mistakes(t *testing.T) {
	const (
		some       = " (name one of them: Year.Year, A_o__fiscal.A_o__fiscal, admin1_code.admin1_code and 8 more)"
		ways       = " (name one of them: Year@date, A_o__fiscal@date_2, admin1_code@administrative_classification and 7 more)"
		aggregates = " (name one of them: _count, approved.sum, executed__cash.sum)"
	)
	cb := budget(t)
	names := babbage.NewNames(cb.Model)
	for _, tt := range []struct {
		parameter, text, want string
		allowed               string // one of the names there are; "" where none are listed
	}{
		{"drilldown", "adm", `drilldown at 0: no dimension or attribute "adm" (did you mean admin1_code.admin1_code?)`, "admin1_code.admin1_code"},
		{"drilldown", "Year|admin1_code.Year", `drilldown at 5: no dimension or attribute "admin1_code.Year"` + some, "Year.Year"},
		{"drilldown", "", "drilldown at 0: it is empty (leave the parameter out to ask without it)", ""},
		{"cut", "", "cut at 0: it is empty (leave the parameter out to ask without it)", ""},
		{"cut", "nope:1", `cut at 0: no dimension or attribute "nope"` + some, "line.line_text"},
		{"drilldown", "Year|top@way", `drilldown at 5: no dimension or attribute "top@way" (did you mean top@ways?)`, "left@ways"},
		{"drilldown", "left@ways_2", `drilldown at 0: no dimension or attribute "left@ways_2" (did you mean left@ways?)`, "right_hand_2@ways_2"},
		{"drilldown", "top@ways:left", `drilldown at 0: no dimension or attribute "top@ways:left"` + ways, "top@ways_2"},
		{"drilldown", "ways@date:Year", `drilldown at 0: no dimension or attribute "ways@date:Year"` + ways, "Year@date"},
		{"drilldown", "a@ways:b@ways", `drilldown at 0: no dimension or attribute "a@ways@b@ways"` + ways, "Year@date"},
		{"cut", "ways@ways:nope:1", `cut at 0: no dimension or attribute "ways@ways:nope"` + ways, "left@ways"},
		{"cut", "Year:2016|ways@ways_2:left:1", `cut at 10: no dimension or attribute "ways@ways_2:left"` + ways, "left@ways"},
		{"order", "ways@ways:nope:asc", `order at 0: no dimension or attribute "ways@ways:nope"` + ways, "left@ways"},
		{"order", "top@ways:DESC", `order at 0: no dimension or attribute "top@ways:DESC"` + ways, "left@ways"},
		{"cut", "Year.Year", "cut at 9: expected : and the values after Year.Year (write Year.Year:VALUE)", ""},
		{"aggregates", "aproved.sum", `aggregates at 0: no aggregate "aproved.sum" (did you mean approved.sum?)`, "executed__cash.sum"},
		{"aggregates", "foo.sum", `aggregates at 0: no aggregate "foo.sum"` + aggregates, "_count"},
		{"aggregates", "diff(approved.sum,x.sum)", `aggregates at 18: no aggregate "x.sum"` + aggregates, "_count"},
		{"order", "Year.Year:DESC", "order at 10: expected asc or desc after Year.Year (write Year.Year:desc)", ""},
		{"order", "", "order at 0: it is empty (leave the parameter out to ask without it)", ""},
	} {
		_, err := names.Query(map[string]string{tt.parameter: tt.text})
		var refused *reply.Refused
		var known *cube.Error
		if !errors.As(err, &known) || known.Error() != tt.want {
			t.Errorf("%s=%s: %v, want %s", tt.parameter, tt.text, err, tt.want)
		}
		if errors.As(err, &refused) != (tt.allowed != "") || refused != nil && !slices.Contains(refused.Allowed, tt.allowed) {
			t.Errorf("%s=%s: allowed are %v", tt.parameter, tt.text, refused)
		}
	}
}

func TestPage(t *testing.T) {
	for _, tt := range []struct {
		page, size string
		want       query.Page
	}{
		{"", "", query.Page{Number: 1, Size: 100}},
		{"3", "30", query.Page{Number: 3, Size: 30}},
		{"0", "0", query.Page{Number: 1, Size: 0}},
		{"-7", "-1", query.Page{Number: 1, Size: 0}},
		{"x", "x", query.Page{Number: 1, Size: 100}},
		{"2.5", "10001", query.Page{Number: 1, Size: 10000}},
		{"99999999999", "", query.Page{Number: 1 << 30, Size: 100}},
	} {
		if got := babbage.Page(tt.page, tt.size); got != tt.want {
			t.Errorf("page %q of %q: %v, want %v", tt.page, tt.size, got, tt.want)
		}
	}
}

func TestFactQuery(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	all := []string{
		"Year.Year", "A_o__fiscal.A_o__fiscal", "admin1_code.admin1_code", "admin1_code.admin1_label", "admin2_code.admin2_code",
		"top.top", "left.left", "right_hand_2.right_hand_2", "right_hand.right_hand", "line.line", "line.line_text",
		"approved", "executed__cash",
	}
	for _, tt := range []struct {
		fields        map[string]string
		want, columns []string
	}{
		{nil, all, all},
		{map[string]string{"fields": "Year.Year, admin1_code,approved"},
			[]string{"Year.Year", "admin1_code.admin1_code", "admin1_code.admin1_label", "approved"},
			[]string{"Year.Year", "admin1_code.admin1_code", "admin1_code.admin1_label", "approved"}},
		{map[string]string{"fields": "administrative_classification@administrative_classification:admin1_code,approved"},
			[]string{"admin1_code.admin1_code", "admin1_code.admin1_label", "approved"},
			[]string{"admin1_code.admin1_code", "admin1_code.admin1_label", "approved"}},
		{map[string]string{"fields": "administrative_classification.admin1_code"}, []string{"admin1_code.admin1_code"},
			[]string{"administrative_classification.admin1_code"}},
	} {
		q, err := names.Facts(tt.fields)
		if err != nil || !slices.Equal(q.Fields, tt.want) || !slices.Equal(q.Columns, tt.columns) {
			t.Errorf("%v: %v\nfields  %v\ncolumns %v", tt.fields, err, q.Fields, q.Columns)
		}
	}
	if _, err := names.Facts(map[string]string{"fields": "Year.Year,approved.sum"}); cube.CodeOf(err) != cube.CodeUnknownRef {
		t.Errorf("an aggregate: %v", err)
	}
}

// Members are the cells of a drilldown by the attributes of the path.
func TestMemberQuery(t *testing.T) {
	names := babbage.NewNames(budget(t).Model)
	const whole, key = "admin1_code", "administrative-classification.admin1_code"
	for _, tt := range []struct {
		attribute, order string
		want             string // the drilldown
		ordered          string
		code             cube.Code
	}{
		{attribute: "admin1_code", want: whole},
		{attribute: "admin1_code.admin1_label", want: "administrative-classification.admin1_label"},
		{attribute: "administrative_classification.admin1_code", want: key},
		{attribute: "administrative_classification_admin1_code", want: whole},
		{attribute: "admin1_code.admin1_code,admin1_code.admin1_label", want: whole},
		{attribute: "admin1_code@administrative_classification", want: whole},
		{attribute: "ways@ways_2:right_hand_2", want: `"right.hand"`},
		{attribute: "ways@ways:admin1_code", code: cube.CodeUnknownRef},
		{attribute: "A_o__fiscal", want: `"Año: fiscal"`},
		{attribute: "admin1_code", order: "admin1_code:desc", want: whole, ordered: "admin1_code:desc"},
		{attribute: "admin1_code", order: "admin1_code.admin1_label", want: whole, ordered: "admin1_label:asc"},
		{attribute: "admin1_code", order: "undefined:undefined", want: whole},
		{attribute: "admin1_code,Year", code: cube.CodeBadValue},
		{attribute: "approved", code: cube.CodeUnknownRef},
		{attribute: "nothing.at.all", code: cube.CodeUnknownRef},
	} {
		given := map[string]string{"cut": "Year.Year:2016"}
		if tt.order != "" {
			given["order"] = tt.order
		}
		q, err := names.Members(tt.attribute, given)
		want := "drilldown=" + tt.want + `&cut=Year:"2016"&aggregates=_count`
		if tt.ordered != "" {
			want += "&order=" + tt.ordered
		}
		if cube.CodeOf(err) != tt.code || err == nil && (!q.Flat || q.String() != want+"&page=1&pagesize=100") {
			t.Errorf("%s, %s: %v, %v\nwant %s", tt.attribute, tt.order, q, err, want)
		}
	}
}

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
func TestCuts_OddModels(t *testing.T) {
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
		if got := (query.Query{Cuts: list, Page: query.Every}).String(); got != "cut="+want {
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
		printed := (query.Query{Cuts: list, Page: query.Every}).String()
		again, err := query.ParseCut(strings.TrimPrefix(printed, "cut="))
		if err != nil || (query.Query{Cuts: again, Page: query.Every}).String() != printed {
			t.Errorf("%q: %s, %v", text, printed, err)
		}
	})
}
