package prose

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

var verbOfText = regexp.MustCompile(`%.`)

// verbs lists the formats in a value by where they stand, with their verbs.
func verbs(v reflect.Value, at string) []string {
	switch v.Kind() {
	case reflect.String:
		return []string{at + ": " + strings.Join(verbOfText.FindAllString(v.String(), -1), " ")}
	case reflect.Struct:
		var list []string
		for i := range v.NumField() {
			list = append(list, verbs(v.Field(i), at+"."+v.Type().Field(i).Name)...)
		}
		return list
	case reflect.Map:
		var list []string
		for _, key := range v.MapKeys() {
			list = append(list, verbs(v.MapIndex(key), fmt.Sprintf("%s[%v]", at, key))...)
		}
		slices.Sort(list)
		return list
	case reflect.Array:
		var list []string
		for i := range v.Len() {
			list = append(list, verbs(v.Index(i), fmt.Sprintf("%s[%d]", at, i))...)
		}
		return list
	}
	return nil
}

// allTexts has every table of templates.
var allTexts = map[string]any{
	"break": breakTexts, "compared": comparedTexts, "doubt": doubtTexts, "mixed": mixedTexts,
	"remainders of nodes": remaindersOfNodes, "same": sameTexts, "sums of cells": sumsOfCells, "sums of kept": sumsOfKept,
	"telling": tellingTexts, "warning": warningTexts,
}

// Every text says the same in each language: what stands for something stands in each, in the same order.
func TestWords_OfEveryLanguageSayTheSame(t *testing.T) {
	for name, texts := range allTexts {
		table := reflect.ValueOf(texts)
		english := verbs(table.MapIndex(reflect.ValueOf(cube.English)), name)
		for _, language := range []cube.Language{cube.English, cube.Spanish, cube.Croatian} {
			own := table.MapIndex(reflect.ValueOf(language))
			if !own.IsValid() {
				t.Errorf("%s has nothing in %s", name, language)
			} else if got := verbs(own, name); !slices.Equal(english, got) || len(english) == 0 {
				t.Errorf("in en %q\nin %s %q", english, language, got)
			}
			for _, text := range written(own) {
				if text == "" {
					t.Errorf("%s has an empty text in %s", name, language)
				}
			}
		}
		if table.Len() != len([]cube.Language{cube.English, cube.Spanish, cube.Croatian}) {
			t.Errorf("%s has %d languages", name, table.Len())
		}
	}
}

// written lists the texts in a value.
func written(v reflect.Value) []string {
	var list []string
	switch {
	case v.Kind() == reflect.String:
		list = append(list, v.String())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			list = append(list, written(v.Field(i))...)
		}
	case v.Kind() == reflect.Map:
		for _, key := range v.MapKeys() {
			list = append(list, written(v.MapIndex(key))...)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			list = append(list, written(v.Index(i))...)
		}
	}
	return list
}

// People are told nothing in the words of programs and of those who write overlays.
func TestWords_ToPeopleAreTheirs(t *testing.T) {
	others := regexp.MustCompile(`(?i)\bcell|celda|ćelij|overlay|crosswalk|snapshot|\bnull|nulo|having|statement|declaraci|\bmember|miembro|[ (]član|dimensi`)
	for name, texts := range map[string]any{"telling": tellingTexts} {
		for _, language := range []cube.Language{cube.English, cube.Spanish, cube.Croatian} {
			for _, text := range written(reflect.ValueOf(texts).MapIndex(reflect.ValueOf(language))) {
				if found := others.FindString(text); found != "" {
					t.Errorf("%s in %s says %q: %s", name, language, found, text)
				}
			}
		}
	}
}

// A word after a number has as many forms as its language.
func TestWords_FormsAfterNumbers(t *testing.T) {
	forms := regexp.MustCompile(`\{[^{}]*\}`)
	for name, texts := range allTexts {
		for _, language := range []cube.Language{cube.English, cube.Spanish, cube.Croatian} {
			for _, text := range written(reflect.ValueOf(texts).MapIndex(reflect.ValueOf(language))) {
				want := 2
				if language == cube.Croatian {
					want = 3
				}
				for _, found := range forms.FindAllString(text, -1) {
					if got := strings.Count(found, "|") + 1; got != want || !strings.Contains(text, "%d "+found) {
						t.Errorf("%s in %s: %s", name, language, text)
					}
				}
			}
		}
	}
}

func TestWords_SpansOfYearsInCroatian(t *testing.T) {
	if got, want := strings.Join(Citation{locale: Locale{Language: cube.Croatian}}.yearSpans([]int64{2008, 2009, 2010, 2013}), "|"), "od 2008. do 2010.|2013."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := warningTexts[cube.Croatian].years([]int64{2008, 2009, 2010, 2012, 2013}), "2008. – 2010., 2012., 2013."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWords_SpansOfYears(t *testing.T) {
	for want, years := range map[string][]int64{
		"": nil, "2016": {2016}, "2016 a 2017": {2016, 2017}, "2008 a 2010|2013": {2008, 2009, 2010, 2013},
		"2008|2010|2012": {2008, 2010, 2012},
	} {
		if got := strings.Join(Citation{locale: Locale{Language: cube.Spanish}}.yearSpans(years), "|"); got != want {
			t.Errorf("%v: %q, want %q", years, got, want)
		}
	}
}

func TestTitles_OfMeasuresAndLabels(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{MeasureTitle(cube.Measure{Ref: "m", Title: "Approved", Currency: "HRK"}, cube.English), "Approved (HRK)"},
		{MeasureTitle(cube.Measure{Ref: "m", Titles: cube.Titles{"es": "Aprobado"}, Currency: "CRC", Unit: 1000}, cube.Spanish), "Aprobado (× 1000 CRC)"},
		{MeasureTitle(cube.Measure{Ref: "m"}, cube.Spanish), "m"},
		{labelTitle("Programa", cube.Spanish), "Programa: nombre"},
		{labelTitle("Programme", cube.English), "Programme: name"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// Sentences have the form of a level that its overlay gives, else its title in small letters, but for what is no word.
func TestByLevel(t *testing.T) {
	section := cube.Level{Ref: "admin1", Titles: cube.Titles{"en": "Section", "es": "Unidad de la UE", "hr": "Razdjel", "de": "Abschnitt"}, By: cube.Titles{"hr": "po razdjelima"}}
	for _, tt := range []struct {
		level cube.Level
		in    cube.Language
		want  string
	}{
		{section, "en", "by section"}, {section, "es", "por unidad de la UE"}, {section, "hr", "po razdjelima"}, {section, "fr", "par section"}, {section, "de", "by Abschnitt"},
		{cube.Level{Ref: "ID_RAMO"}, "es", "por ID_RAMO"}, {cube.Level{Ref: "Ramo"}, "es", "por Ramo"}, {cube.Level{Ref: "x", Titles: cube.Titles{"hr": "Šifra"}}, "hr", "po razini „šifra“"},
	} {
		if got := ByLevel(tt.level, Locale{Language: tt.in}); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
