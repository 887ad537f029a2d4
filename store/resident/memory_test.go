package resident

import (
	"fmt"
	"testing"

	"fiscube/internal/cache"
	"fiscube/store/dictionary"
)

var ofTest = dictionary.Version{ID: 1, Fingerprint: "a"}

// keep keeps a table of so many rows with some levels; 0 stands for too many.
func keep(t *testing.T, m memory, rows int32, levels ...int) {
	t.Helper()
	_, err := m.Get(t.Context(), tableID{ofTest, levelsID(levels), false}, func() (*table, int64, error) {
		if rows == 0 {
			return nil, 0, nil
		}
		made := &table{levels: levels, rows: rows, numbers: map[int]column{}}
		for _, level := range levels {
			made.numbers[level] = make(numbers[uint8], rows)
		}
		return made, made.bytes(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMemory_GivesTheTableWithFewestRows(t *testing.T) {
	m := memory{cache.New[tableID, *table](1000)}
	noRoom := tableID{version: ofTest} // of the base: aggregates of it are made all the same
	if _, err := m.Get(t.Context(), noRoom, func() (*table, int64, error) { return nil, 0, nil }); err != nil || !m.Has(noRoom) {
		t.Fatal(err)
	}
	keep(t, m, 100, 1, 2, 3)
	keep(t, m, 10, 1, 2)
	keep(t, m, 20, 1)
	keep(t, m, 0, 2, 3)
	for _, tt := range []struct {
		levels []int
		want   string
	}{
		{[]int{1, 2}, "10 rows, in vain"}, // there it is
		{[]int{1}, "20 rows, in vain"},
		{[]int{2}, "10 rows"},
		{[]int{1, 3}, "100 rows"},
		{[]int{2, 3}, "100 rows, in vain"}, // it would have too many rows
		{[]int{1, 2, 3}, "100 rows, in vain"},
		{[]int{4}, "nothing"},
		{[]int{2, 3, 4}, "nothing, in vain"},
	} {
		got := "nothing"
		best, inVain := m.best(ofTest, tt.levels, false)
		if best != nil {
			got = fmt.Sprintf("%d rows", best.rows)
		}
		if inVain {
			got += ", in vain"
		}
		if got != tt.want {
			t.Errorf("for %v: %s, want %s", tt.levels, got, tt.want)
		}
	}
	if tables, bases := m.count(); tables != 3 || bases != 0 {
		t.Errorf("%d tables, %d of them bases", tables, bases)
	}
	if best, _ := m.best(ofTest, []int{1}, true); best != nil {
		t.Error("a table without extremes answers a question for them")
	}
	if best, _ := m.best(dictionary.Version{ID: 1, Fingerprint: "b"}, []int{1}, false); best != nil {
		t.Error("a table answers for another content")
	}
}

func TestMemory_DropsWhatWasAskedLeastRecently(t *testing.T) {
	m := memory{cache.New[tableID, *table](250)}
	keep(t, m, 100, 1)
	keep(t, m, 100, 2)
	m.best(ofTest, []int{1}, false)
	keep(t, m, 100, 3)
	for level, want := range map[int]bool{1: true, 2: false, 3: true} {
		if best, _ := m.best(ofTest, []int{level}, false); (best != nil) != want {
			t.Errorf("level %d is kept: %v, want %v", level, best != nil, want)
		}
	}
	if bytes := m.bytesOf(ofTest); bytes != 200 {
		t.Errorf("%d bytes, want 200", bytes)
	}
	m.Keep(func(tableID) bool { return false })
	if tables, _ := m.count(); tables != 0 || m.Bytes() != 0 {
		t.Errorf("%d tables of versions that are gone, %d bytes", tables, m.Bytes())
	}
}
