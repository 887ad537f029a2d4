package labels

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fiscube/cube"
)

func TestIsRenumbered(t *testing.T) {
	for _, tt := range []struct {
		reused, of int64
		want       bool
	}{{2, 2, false}, {3, 12, true}, {3, 13, false}, {20, 21, true}, {36, 613, false}} {
		if got := isRenumbered(tt.reused, tt.of); got != tt.want {
			t.Errorf("%d of %d: %v", tt.reused, tt.of, got)
		}
	}
}

// The history is kept in memory for each version.
func TestLabelBreaks_KeepsReusedCodesFirst(t *testing.T) {
	b := Breaks{list: make([]cube.LabelBreak, mostBreaks+5)}
	b.list[mostBreaks+3].Reused = true
	history := &cube.LabelHistory{}
	b.AddTo(history)
	if len(history.Breaks) != mostBreaks || !history.Breaks[0].Reused {
		t.Errorf("%d breaks are kept, %v the first", len(history.Breaks), history.Breaks[0].Reused)
	}
}

// A level may have very many members, most of which keep their names.
func TestLabelBreaks_OfManyMembersAreFoundFast(t *testing.T) {
	list := make([]cube.Member, 100_000)
	for i := range list {
		m := cube.Member{Path: []cube.Value{cube.Integer(int64(i))}, Labels: make([]cube.Label, 15)}
		for j := range m.Labels {
			text := fmt.Sprintf("Servicios de la oficina regional %d", i)
			if i%10 == 0 && j < 5 {
				text = fmt.Sprintf("Dirección de asuntos %d", i)
			}
			m.Labels[j] = cube.Label{Year: cube.Integer(int64(2020 - j)), Text: text, Rows: 1, Shown: true}
		}
		list[i] = m
	}
	began := time.Now()
	found := FindBreaks(cube.Level{Ref: "code"}, list, Breaks{})
	if took := time.Since(began); len(found.list) != 10_000 || took > 20*time.Second {
		t.Errorf("%d breaks in %v", len(found.list), took)
	}
}

// A member may have as many years as rows.
func TestLabelBreaks_OfManyYearsAreFoundFast(t *testing.T) {
	m := cube.Member{Path: []cube.Value{cube.Text("1")}, Labels: make([]cube.Label, 100_000)}
	for i := range m.Labels {
		m.Labels[i] = cube.Label{Year: cube.Integer(int64(-i)), Text: "Oficina " + strings.Repeat(string(rune('a'+i%26)), 7+i%5), Rows: 1, Shown: true}
	}
	began := time.Now()
	found := FindBreaks(cube.Level{Ref: "code"}, []cube.Member{m}, Breaks{})
	if took := time.Since(began); len(found.list) != len(m.Labels)-1 || took > 20*time.Second {
		t.Errorf("%d breaks in %v", len(found.list), took)
	}
}

func TestLabelBreaks_AreBounded(t *testing.T) {
	var b Breaks
	for i := range mostBreaks + 2 {
		b.list = append(b.list, cube.LabelBreak{Level: "code", Path: []string{fmt.Sprint(i)}, Before: "a", After: "b", Reused: i == mostBreaks+1})
	}
	kept := b.kept()
	if len(kept) != mostBreaks || !kept[0].Reused {
		t.Errorf("%d are kept, the first is %v", len(kept), kept[0])
	}
	model, err := cube.NewModel(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := b.findings(model, cube.Level{Ref: "code", Path: []string{"code"}})
	if last := said[len(said)-1]; last.Code != CodeLabelsCut || last.Count != 2 {
		t.Errorf("it is said as %v", last)
	}
	long := Breaks{list: []cube.LabelBreak{{Path: []string{"1"}, Before: strings.Repeat("é", 1000), After: "b"}}}
	if kept := long.kept(); kept[0].Before != strings.Repeat("é", longestLabel)+"…" {
		t.Errorf("a label of %d bytes is kept", len(kept[0].Before))
	}
	many := Breaks{}
	for range 100 {
		many.list = append(many.list, cube.LabelBreak{Path: []string{strings.Repeat("1", mostBreakBytes/50)}})
	}
	if kept := many.kept(); len(kept) != 50 {
		t.Errorf("%d long paths are kept", len(kept))
	}
}
