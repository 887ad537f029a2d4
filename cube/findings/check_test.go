package findings_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/findings"
)

func TestResourceReport_HoldsDeclaredAgainstFound(t *testing.T) {
	found := cube.Found{Bytes: 5, Hash: strings.Repeat("ab", 32), HashCopy: strings.Repeat("cd", 32)}
	for _, tt := range []struct {
		declared   findings.DeclaredResource
		size, hash findings.Verdict
	}{
		{findings.DeclaredResource{}, findings.NoneDeclared, findings.NoneDeclared},
		{findings.DeclaredResource{Bytes: 5, Hash: "sha256:" + strings.Repeat("AB", 32)}, findings.Verified, findings.Verified},
		{findings.DeclaredResource{Bytes: 6, Hash: found.Hash, HashCopy: strings.Repeat("ab", 32)}, findings.Differs, findings.Differs},
		{findings.DeclaredResource{Hash: "md5:1234"}, findings.NoneDeclared, findings.NotChecked},
		{findings.DeclaredResource{Hash: "md5:1234", HashCopy: found.HashCopy}, findings.NoneDeclared, findings.Verified},
	} {
		r := findings.ResourceReport{Declared: tt.declared, Found: found}
		if r.Size() != tt.size || r.Hash() != tt.hash {
			t.Errorf("%+v: %s, %s", tt.declared, r.Size(), r.Hash())
		}
	}
}

func TestReport_TotalsByYear(t *testing.T) {
	r := findings.Report{
		Resources: []findings.ResourceReport{{Name: "a"}, {Name: "b"}, {Name: "c", Left: "it was not there"}},
		Totals: []findings.ControlTotal{
			{Resource: "a", Year: "2017", Measure: "paid", Sum: "1.50", Rows: 2}, {Resource: "a", Year: "2017", Measure: "due", Rows: 2},
			{Resource: "b", Year: "2016", Measure: "paid", Sum: "-1", Rows: 1}, {Resource: "b", Year: "2017", Measure: "paid", Sum: "0.25", Rows: 4},
			{Resource: "c", Year: "2017", Measure: "paid", Sum: "100", Rows: 9},
		},
	}
	measures, years := r.TotalsByYear()
	got := fmt.Sprint(measures)
	for _, y := range years {
		got += fmt.Sprintf(" %s %d %s %t", y.Year, y.Rows, y.Sums["paid"].Decimal, y.Sums["due"].Valid)
	}
	if want := "[paid due] 2016 1 -1 false 2017 6 1.75 false"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
