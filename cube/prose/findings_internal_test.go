package prose

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// Every sentence of a finding exists in each language, with the same parameters in the same order. What is quoted in English is so in the marks
// of the language.
func TestFindingTexts_SayTheSameInEveryLanguage(t *testing.T) {
	forms := regexp.MustCompile(`\{[^{}]*\}`)
	for name, s := range findingTexts {
		for _, language := range cube.Languages {
			text := s.texts[language]
			if language != cube.English {
				text = strings.NewReplacer("«%s»", "%q", "„%s“", "%q").Replace(text)
			}
			if got := verb.FindAllString(text, -1); !slices.Equal(got, verb.FindAllString(s.texts[cube.English], -1)) || len(got) != len(strings.Fields(s.params)) {
				t.Errorf("%s in %s has %q for %q", name, language, got, s.params)
			}
			if text == "" || text == s.texts[cube.English] && language != cube.English && strings.Trim(text, "%s ") != "" {
				t.Errorf("%s in %s: %q", name, language, text)
			}
			want := 2
			if language == cube.Croatian {
				want = 3
			}
			for _, found := range forms.FindAllString(text, -1) {
				before, _, _ := strings.Cut(text, found)
				if got := strings.Count(found, "|") + 1; got != want || !strings.Contains(before, "%d") {
					t.Errorf("%s in %s: %s", name, language, found)
				}
			}
		}
		if len(s.texts) != len(cube.Languages) {
			t.Errorf("%s has %d languages", name, len(s.texts))
		}
	}
	for name, s := range plainTexts {
		for _, language := range cube.Languages {
			text := s.texts[language]
			if got := verb.FindAllString(text, -1); text == "" || len(got) != len(strings.Fields(s.params)) || strings.Contains(text, "columnType") || strings.Contains(text, "overlay") {
				t.Errorf("%s in %s: %q", name, language, text)
			}
		}
		if _, known := findingTexts[name]; !known {
			t.Errorf("%s is no sentence", name)
		}
	}
	for _, language := range cube.Languages {
		if listTexts[language].more == "" {
			t.Errorf("%s lacks words", language)
		}
	}
}
