package site_test

import (
	"errors"
	"strings"
	"testing"

	"fiscube/api/explorer/site"
)

// What asks side by side asks all, and gives a mistake; a panic is one, and no end of the program.
func TestTogether(t *testing.T) {
	asked, mistake := false, errors.New("away")
	if err := site.Together(func() error { return mistake }, func() error { asked = true; return nil }); !errors.Is(err, mistake) || !asked {
		t.Errorf("%v, and the other was asked: %v", err, asked)
	}
	if err := site.Together(func() error { panic("no such index") }); err == nil || !strings.Contains(err.Error(), "panic: no such index") {
		t.Error(err)
	}
}
