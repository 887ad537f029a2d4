package api_test

import (
	"strings"
	"testing"
)

// CSV has no room for a mark in its rows, so its header carries it.
func TestCSVSaysThatFiguresAreMadeUp(t *testing.T) {
	for _, synthetic := range []bool{true, false} {
		f := monthly(t)
		f.cubes[0].Synthetic = synthetic
		r := ask(t, handler(t, f), monthlyQuestion+"&format=csv")
		said := strings.Contains(r.header.Get("Fiscube-Warnings"), `synthetic;message=%"the figures are made up`)
		if said != synthetic {
			t.Errorf("synthetic %t: %q", synthetic, r.header.Get("Fiscube-Warnings"))
		}
	}
}
