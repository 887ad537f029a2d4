package history

import (
	"cmp"
	"maps"
	"slices"
	"testing"
)

// TestNumberTexts_FollowTheAlphabet: letters decide first, then accents, then case, as in the root of the Unicode collation. So a
// reader of any language finds a label near where it is expected.
func TestNumberTexts_FollowTheAlphabet(t *testing.T) {
	for language, want := range map[string][]string{
		"Croatian": {"Bjelovar", "čaj", "Čakovec", "ćup", "cvijet", "đak", "dvor", "Sisak", "šuma", "Zagreb", "Žepče", "zrak"},
		"Spanish":  {"ano", "año", "anual", "Educación", "EDUCACIÓN", "Ñandú", "ñu", "nube", "organismo", "Órgano"},
		"numbers":  {"- none", "1 one", "10 ten", "2 two", "a"},
	} {
		t.Run(language, func(t *testing.T) {
			ranks := map[string]int64{"": 0}
			for _, text := range want {
				ranks[text] = 0
			}
			numberTexts(ranks)
			got := slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return cmp.Compare(ranks[a], ranks[b]) })
			if !slices.Equal(got, want) {
				t.Errorf("the order is %q, want %q", got, want)
			}
		})
	}
	ranks := map[string]int64{"a\u0301": 0, "á": 0, "a": 0}
	numberTexts(ranks)
	if ranks["á"] != ranks["a\u0301"] || ranks["a"] >= ranks["á"] {
		t.Errorf("one letter in two spellings has the ranks %v", ranks)
	}
}
