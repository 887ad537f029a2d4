package query_test

import (
	"errors"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/query"
)

// parsers read a text of each parameter.
var parsers = map[string]func(string) (any, error){
	"drilldown": reads(query.ParseDrilldown), "cut": reads(query.ParseCut), "aggregates": reads(query.ParseAggregates),
	"having": reads(query.ParseHaving), "order": reads(query.ParseOrder), "compare": reads(query.ParseCompare), "path": reads(query.ParsePath),
}

func reads[T any](parse func(string) (T, error)) func(string) (any, error) {
	return func(text string) (any, error) { return parse(text) }
}

func TestParseDrilldown_LimitsTheList(t *testing.T) {
	list := func(n int) string { return strings.Repeat("a|", n-1) + "a" }
	if _, err := query.ParseDrilldown(list(1500)); err != nil {
		t.Errorf("1500 levels: %v", err)
	}
	_, err := query.ParseDrilldown(list(1501))
	cubetest.WantError(t, err, cube.CodeTooLarge, "drilldown at 3000: drilldown has more than 1500 parts (ask several questions)")
}

func TestParse_MistakesHaveAPositionInTheText(t *testing.T) {
	const signs = `|:;,.~!<>=()/"\ aé1`
	for parameter, parse := range parsers {
		for _, a := range signs {
			for _, b := range signs {
				for _, c := range signs {
					text := string([]rune{a, b, c})
					_, err := parse(text)
					checkPosition(t, parameter, text, err)
				}
			}
		}
	}
}

func checkPosition(t *testing.T, parameter, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *cube.Error
	if !errors.As(err, &e) || e.Code != cube.CodeBadSyntax && e.Code != cube.CodeTooLarge || e.Message == "" || e.Position == nil ||
		e.Hint == "" {
		t.Fatalf("%s=%q: %#v", parameter, text, err)
	}
	if e.Position.Parameter != parameter || e.Position.Offset < 0 || e.Position.Offset > len([]rune(text)) {
		t.Errorf("%s=%q: place %+v", parameter, text, *e.Position)
	}
}
