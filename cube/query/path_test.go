package query_test

import (
	"reflect"
	"testing"

	"fiscube/cube"
	"fiscube/cube/query"
)

func TestParsePath_Editions(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []query.Key
	}{
		{"2/3@2012", []query.Key{{Text: "2"}, {Text: "3", Edition: "@2012"}}},
		{"2/3@2012/1", []query.Key{{Text: "2"}, {Text: "3", Edition: "@2012"}, {Text: "1"}}},
		{`"2"/"3"@2012`, []query.Key{{Text: "2"}, {Text: "3", Edition: "@2012"}}},
		{`"3@2012"`, []query.Key{{Text: "3@2012"}}},
		{`"a@1"@2012`, []query.Key{{Text: "a@1", Edition: "@2012"}}},
		{"a@1@2012", []query.Key{{Text: "a@1", Edition: "@2012"}}},
		{"@2012", []query.Key{{Edition: "@2012"}}},
		{"3@", []query.Key{{Text: "3", Edition: "@"}}},
		{"info@example", []query.Key{{Text: "info@example"}}},
		{"3@20x", []query.Key{{Text: "3@20x"}}},
	} {
		got, err := query.ParsePath(tt.text)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, %v; want %+v", tt.text, got, err, tt.want)
		}
		printed := query.Item{Path: got}.String()
		again, err := query.ParsePath(printed)
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s is printed as %s, which is %+v, %v", tt.text, printed, again, err)
		}
	}
	if _, err := query.ParsePath(`"3"@x`); err == nil {
		t.Error(`"3"@x is read, though x is no year`)
	}
}

func TestJoinKeys(t *testing.T) {
	path, _ := query.ParsePath("a@1/b/3@2012")
	if got, want := query.JoinKeys(path), (query.Key{Text: "a@1/b/3", Edition: "@2012"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPathText_Editions(t *testing.T) {
	edition := cube.Column{Name: "function_edition", Type: cube.TypeInteger, From: &cube.Derivation{Rule: cube.RuleEdition}}
	path := []cube.Column{{Name: "group"}, edition, {Name: "function"}, {Name: "subfunction"}}
	keys := []cube.Value{cube.Text("2"), cube.Integer(2012), cube.Text("3"), cube.Text("a@1")}
	if got, want := query.PathText(path, keys), `2/3@2012/"a@1"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := query.KeysText(path, keys[:3]), `"2"/"3"@2012`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := query.PathText(path[1:2], keys[1:2]), "2012"; got != want {
		t.Errorf("the path of an edition: got %s, want %s", got, want)
	}
}
