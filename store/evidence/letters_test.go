package evidence

import (
	"strings"
	"testing"

	"fiscube/cube/fdp"
)

// What descriptors may say is what is read.
func TestLettersOfDates(t *testing.T) {
	if got, want := len(strptimeLetters), len(fdp.DateLetters); got != want {
		t.Errorf("%d letters are read, and %d may be said", got, want)
	}
	for letter := range strptimeLetters {
		if !strings.ContainsRune(fdp.DateLetters, letter) {
			t.Errorf("%%%c is read and may not be said", letter)
		}
	}
}
