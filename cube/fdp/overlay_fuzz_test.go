package fdp_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fiscube/cube/fdp"
	"fiscube/cube/repair"
)

// FuzzReadOverlay: whatever the bytes, ReadOverlay gives Problems or an overlay, and that gives Problems with
// their places or a package that goes through JSON unchanged; the package it is applied to stays as it is.
func FuzzReadOverlay(f *testing.F) {
	for _, test := range overlayKeys {
		f.Add([]byte(test.overlay))
	}
	shipped, _ := filepath.Glob("../../seeds/overlays/*.yaml")
	for _, path := range shipped {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte("a: &a [*a]\n? [x]\n: !!map {<<: 1}\n---\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := fdp.ReadOverlay(data)
		if err != nil {
			var problems fdp.Problems
			if !errors.As(err, &problems) || len(problems) == 0 || o != nil {
				t.Fatalf("ReadOverlay gave %v and %#v", o, err)
			}
			return
		}
		checkApply(t, o)
	})
}

func checkApply(t *testing.T, o *fdp.Overlay) {
	p := read(t, budget)
	o.Applies(p)
	for _, code := range repair.Codes {
		o.Off(code, "mes")
	}
	applied, err := o.Apply(p)
	if !reflect.DeepEqual(p, read(t, budget)) {
		t.Fatal("Apply changed the package it was given")
	}
	if err == nil {
		checkJSON(t, applied)
		return
	}
	var problems fdp.Problems
	if !errors.As(err, &problems) || applied != nil {
		t.Fatalf("Apply gave %v", err)
	}
	for _, problem := range problems {
		if problem.Place == "" {
			t.Fatalf("found by cube.Draft alone, so without its place: %v", problem)
		}
	}
}

// TestOverlaySwitchesOffEveryRepair keeps the codes that an overlay knows and those of the repairs together.
func TestOverlaySwitchesOffEveryRepair(t *testing.T) {
	for _, code := range repair.Codes {
		o := readOverlay(t, "repairs: {"+code+": off}")
		equal(t, code, o.Off(code, ""), true)
	}
}
