package cube_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"fiscube/cube"
)

func TestError_Text(t *testing.T) {
	place := &cube.Position{Parameter: "cut", Offset: 3}
	for _, tt := range []struct {
		name string
		err  *cube.Error
		want string
	}{
		{"the message alone", &cube.Error{Message: "no cube"}, "no cube"},
		{"with its place", &cube.Error{Message: "no field", Position: place}, "cut at 3: no field"},
		{"with a hint", &cube.Error{Message: "no field", Hint: "did you mean a?"}, "no field (did you mean a?)"},
		{"with both", &cube.Error{Message: "no field", Position: place, Hint: "did you mean a?"},
			"cut at 3: no field (did you mean a?)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.err.Error(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestErrorf_KeepsTheCause(t *testing.T) {
	wrapped := cube.Errorf(cube.CodeBadPackage, "%s: %w", "a.csv", io.ErrUnexpectedEOF)
	if !errors.Is(wrapped, io.ErrUnexpectedEOF) || wrapped.Error() != "a.csv: unexpected EOF" {
		t.Errorf("got %v", wrapped)
	}
	hidden := cube.Wrap(cube.CodeUnavailable, "the store cannot be reached", io.ErrClosedPipe)
	if !errors.Is(hidden, io.ErrClosedPipe) || hidden.Error() != "the store cannot be reached" {
		t.Errorf("got %v", hidden)
	}
	if plain := cube.Errorf(cube.CodeBadValue, "100%%"); errors.Unwrap(plain) != nil || plain.Error() != "100%" {
		t.Errorf("got %v", plain)
	}
}

// The formats stay with an error, so that it can be told in other languages.
func TestErrorf_KeepsItsFormats(t *testing.T) {
	err := cube.Errorf(cube.CodeUnknownRef, "no field %q", "yeer").Listing("fields", []string{"year", "month"})
	if err.Hint != "the fields are year, month" || err.Said.Format != "no field %q" || err.Said.Args[0] != "yeer" || err.Advised.Format != "the fields are %s" {
		t.Errorf("got %+v", err)
	}
	if err = err.Meaning("yeer", []string{"year", "month"}); err.Hint != "did you mean year?" || err.Meant != "year" || err.Advised.Args[0] != "year" {
		t.Errorf("got %+v", err)
	}
	if err = err.Meaning("xxxxxx", []string{"year"}).WithHint("ask less"); err.Advised.Format != "ask less" || len(err.Advised.Args) > 0 {
		t.Errorf("got %+v", err)
	}
}

func TestCodeOf(t *testing.T) {
	inner := cube.Errorf(cube.CodeGone, "removed")
	for _, tt := range []struct {
		name string
		err  error
		want cube.Code
	}{
		{"an error", inner, cube.CodeGone},
		{"an error in a chain", fmt.Errorf("load: %w", inner), cube.CodeGone},
		{"an error of another kind", io.EOF, ""},
		{"no error", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := cube.CodeOf(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
