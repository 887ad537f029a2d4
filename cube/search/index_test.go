package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

func TestRefresh_DropsVersionsThatAreNoLongerServed(t *testing.T) {
	m := newMade()
	first, second, other := budget(t, 1, "a", "A"), budget(t, 2, "a", "A"), budget(t, 3, "b", "B")
	second.Version = 2
	m.put(first, "area", row(1, []string{"1"}, "Old harbour"))
	m.put(second, "area", row(1, []string{"1"}, "New harbour"))
	m.put(other, "area", row(1, []string{"1"}, "Harbour masters"))
	x := m.index()
	for _, tt := range []struct {
		name   string
		serve  []*cube.Cube
		before []string // until the index is refreshed
		after  []string
	}{
		{"at first", []*cube.Cube{first, other}, []string{}, []string{"1 Harbour masters", "1 Old harbour"}},
		{"a new version", []*cube.Cube{second, other}, []string{"1 Harbour masters"}, []string{"1 Harbour masters", "1 New harbour"}},
		{"rolled back", []*cube.Cube{first, other}, []string{"1 Harbour masters"}, []string{"1 Harbour masters", "1 Old harbour"}},
		{"removed", []*cube.Cube{first}, []string{"1 Old harbour"}, []string{"1 Old harbour"}},
		{"nothing is left", nil, []string{}, []string{}},
	} {
		m.serve(tt.serve...)
		if got := find(t, x, "harbour"); !slices.Equal(got, tt.before) {
			t.Errorf("%s: at once %q, want %q", tt.name, got, tt.before)
		}
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := find(t, x, "harbour"); !slices.Equal(got, tt.after) {
			t.Errorf("%s: then %q, want %q", tt.name, got, tt.after)
		}
		if parts := len(*x.parts.Load()); parts != len(tt.serve) {
			t.Errorf("%s: %d parts are kept, %d cubes served", tt.name, parts, len(tt.serve))
		}
	}
}

func TestFind_ListsCubesThatAreNotReadYet(t *testing.T) {
	m := newMade()
	good, bad := budget(t, 1, "good", "Good"), budget(t, 2, "bad", "Bad")
	m.serve(bad, good)
	m.failing[bad.ID] = errors.New("the disk is gone")
	m.put(good, "area", row(1, []string{"1"}, "Harbour"))
	x := m.index()
	if a := ask(t, x, "harbour", query.FirstPage); len(a.Pending) != 2 || a.Total != 0 {
		t.Errorf("before anything is read: %+v", a)
	}
	err := x.Refresh(t.Context())
	if err == nil || !strings.Contains(err.Error(), "bad, version 1: the disk is gone") {
		t.Errorf("got %v", err)
	}
	if a := ask(t, x, "harbour", query.FirstPage); len(a.Pending) != 1 || a.Pending[0] != bad || a.Total != 1 {
		t.Errorf("with one that cannot be read: %+v", a)
	}
	delete(m.failing, bad.ID)
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := ask(t, x, "harbour", query.FirstPage); len(a.Pending) != 0 {
		t.Errorf("after all is read: %+v", a)
	}
}

func TestRefresh_LeavesOutTheMembersOfTheFewestRows(t *testing.T) {
	m := newMade()
	a, b := budget(t, 1, "a", "A"), budget(t, 2, "b", "B")
	m.serve(a, b)
	for _, cb := range m.cubes {
		m.put(cb, "area", row(5, []string{"1"}, "Harbour"), row(9, []string{"2"}, "Harbour"))
		m.put(cb, "unit", row(1, []string{"1", "1"}, "Harbour"), row(3, []string{"1", "2"}, "Harbour"))
	}
	x := m.index()
	x.limit = 5
	check := func(want []string, left ...int64) {
		t.Helper()
		if err := x.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		answer := ask(t, x, "harbour", query.FirstPage)
		var got []string
		for _, h := range answer.Hits {
			got = append(got, h.Cube.Name+" "+query.PathText(h.Cube.Model.PathOf(h.Level), h.Path))
		}
		var partial []int64
		for _, p := range answer.Partial {
			partial = append(partial, p.Count)
		}
		if !slices.Equal(got, want) || !slices.Equal(partial, left) {
			t.Errorf("got %q without %v, want %q without %v", got, partial, want, left)
		}
	}
	check([]string{"a 2", "b 2", "a 1", "a 1/2", "a 1/1"}, 3)
	check([]string{"a 2", "b 2", "a 1", "a 1/2", "a 1/1"}, 3)
	m.serve(b)
	check([]string{"b 2", "b 1", "b 1/2", "b 1/1"})
}

func TestRefresh_LongLabelsCountForMany(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "A")
	m.serve(c)
	long := strings.Repeat("x ", 10_000)
	var labels []string
	for i := range 1000 {
		labels = append(labels, fmt.Sprint(i, " ", long))
	}
	m.put(c, "area", row(9, []string{"1"}, labels...), row(5, []string{"2"}, "Harbour"))
	x := m.index()
	x.limit = 50
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := (*x.parts.Load())[c.ID]
	if p.left != 1 || len(p.texts) > mostTexts*mostText {
		t.Errorf("%d members are left out of an index of %d words", p.left, len(p.texts))
	}
	if hit := ask(t, x, "x", query.FirstPage).Hits[0]; len(hit.Label) != mostLabel {
		t.Errorf("a label of %d bytes is shown", len(hit.Label))
	}
}

// Searches go on while versions come and go, and see each as a whole.
func TestFind_WhileVersionsChange(t *testing.T) {
	m := newMade()
	var versions []*cube.Cube
	for id := range int64(4) {
		cb := budget(t, id+1, "a", "A")
		cb.Version = int(id + 1)
		var rows []plan.MemberRow
		for i := range 200 {
			rows = append(rows, row(int64(i+1), []string{fmt.Sprint(i)}, fmt.Sprintf("Harbour v%d", id)))
		}
		m.put(cb, "area", rows...)
		versions = append(versions, cb)
	}
	m.serve(versions[0])
	x := m.index()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	var group sync.WaitGroup
	group.Go(func() { x.Follow(ctx) })
	group.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			m.serve(versions[i%4])
			_ = x.Refresh(ctx)
		}
	})
	for range 4 {
		group.Go(func() { searchWhile(t, ctx, x) })
	}
	group.Wait()
}

func searchWhile(t *testing.T, ctx context.Context, x *Index) {
	q, _ := Parse("harbour")
	for ctx.Err() == nil {
		catalog, _ := x.store.Catalog(ctx)
		answer, err := x.Find(ctx, q, catalog.Served(), query.Page{Number: 1, Size: 100})
		if err != nil {
			continue // the time is over
		}
		cb := catalog.Served()[0]
		if len(answer.Pending) == 0 && answer.Total != 200 {
			t.Errorf("%d hits of 200", answer.Total)
		}
		for _, h := range answer.Hits {
			if h.Cube != cb || h.Label != fmt.Sprintf("Harbour v%d", cb.ID-1) {
				t.Errorf("version %d has a hit %q", cb.Version, h.Label)
			}
		}
	}
}

// A change is found soon. It takes a quarter of a second and what the machine has else to do.
func TestFollow_FindsAChangeSoon(t *testing.T) {
	m := newMade()
	c := budget(t, 1, "a", "A")
	m.put(c, "area", row(1, []string{"1"}, "Harbour"))
	x := m.index()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		x.Follow(ctx)
	}()
	m.serve(c)
	for deadline := time.Now().Add(time.Minute); len(find(t, x, "harbour")) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a new cube is never found")
		}
	}
	cancel()
	<-ended
}
