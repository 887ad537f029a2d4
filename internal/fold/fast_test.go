package fold_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"fiscube/internal/fold"
)

// slowly folds a text without the fast path, by transformers that no other text uses.
func slowly(text string) string {
	unaccent := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	plain, _, err := transform.String(unaccent, text)
	if err != nil {
		panic(err)
	}
	strokes := strings.NewReplacer("đ", "d", "ð", "d", "ħ", "h", "ı", "i", "ł", "l", "ø", "o", "ŧ", "t", "æ", "ae", "œ", "oe", "þ", "th")
	return strokes.Replace(cases.Fold().String(plain))
}

// Each letter is folded alone and between letters that it may combine with.
func TestText_FoldsEveryLetterAsSlowly(t *testing.T) {
	for r := range rune(0x3001) {
		for _, text := range []string{string(r), "A" + string(r) + "B", "é" + string(r) + "Ž"} {
			if got, want := fold.Text(text), slowly(text); got != want {
				t.Errorf("fold.Text(%q) = %q, want %q", text, got, want)
			}
		}
	}
}

func TestText_FoldsAnyTextAsSlowly(t *testing.T) {
	same := func(text string) bool { return fold.Text(text) == slowly(text) }
	for name, of := range map[string]any{
		"any text":  same,
		"any bytes": func(text []byte) bool { return same(string(text)) },
		"budgets":   func(seed uint64) bool { return same(randomLabel(rand.New(rand.NewPCG(seed, 0)))) },
	} {
		if err := quick.Check(of, &quick.Config{MaxCount: 5000}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// randomLabel makes a text of up to 300 letters that occur in budgets; most of them are ASCII.
func randomLabel(r *rand.Rand) string {
	letters := []rune("ABCXYZabcxyz0189 .-/%ÁÉÍÓÚÑÜáéíóúñüŽŠĆĐžšćđŁłİıß\u0301\u0303\u0327\u00a0\ufffd")
	var text strings.Builder
	for range r.IntN(300) {
		among := letters
		if r.IntN(4) > 0 {
			among = letters[:21]
		}
		text.WriteRune(among[r.IntN(len(among))])
	}
	return text.String()
}

func TestText_FoldsInSeveralGoroutines(t *testing.T) {
	var group sync.WaitGroup
	for of := range uint64(8) {
		group.Go(func() {
			r := rand.New(rand.NewPCG(of, 1))
			for range 2000 {
				if text := randomLabel(r); fold.Text(text) != slowly(text) {
					t.Errorf("fold.Text(%q) = %q, want %q", text, fold.Text(text), slowly(text))
					return
				}
			}
		})
	}
	group.Wait()
}

func BenchmarkText(b *testing.B) {
	for name, text := range map[string]string{
		"ascii":    "Servicios de apoyo a la gestion administrativa",
		"accented": "Servicios de apoyo a la gestión administrativa",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				fold.Text(text)
			}
		})
	}
}
