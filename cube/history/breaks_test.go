package history

import (
	"fmt"
	"strings"
	"testing"

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
func manyMembers(n int) []cube.Member {
	list := make([]cube.Member, n)
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
	return list
}

// A member may have as many years as rows.
func manyYears(n int) []cube.Member {
	m := cube.Member{Path: []cube.Value{cube.Text("1")}, Labels: make([]cube.Label, n)}
	for i := range m.Labels {
		m.Labels[i] = cube.Label{Year: cube.Integer(int64(-i)), Text: "Oficina " + strings.Repeat(string(rune('a'+i%26)), 7+i%5), Rows: 1, Shown: true}
	}
	return []cube.Member{m}
}

func TestLabelBreaks_OfManyMembersAndYears(t *testing.T) {
	if found := FindBreaks(cube.Level{Ref: "code"}, manyMembers(5_000), Breaks{}, nil); len(found.list) != 500 {
		t.Errorf("%d breaks of many members", len(found.list))
	}
	if found := FindBreaks(cube.Level{Ref: "code"}, manyYears(5_000), Breaks{}, nil); len(found.list) != 4_999 {
		t.Errorf("%d breaks of many years", len(found.list))
	}
}

// BenchmarkFindBreaks shows that ten times the members or years take about ten times as long.
func BenchmarkFindBreaks(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		for name, list := range map[string][]cube.Member{"members": manyMembers(n), "years": manyYears(n)} {
			b.Run(fmt.Sprintf("%s=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					FindBreaks(cube.Level{Ref: "code"}, list, Breaks{}, nil)
				}
			})
		}
	}
}

func TestLabelBreaks_AreBounded(t *testing.T) {
	var b Breaks
	for i := range mostBreaks + 2 {
		b.list = append(b.list, cube.LabelBreak{Level: "code", Path: []string{fmt.Sprint(i)}, Before: "a", After: "b", Reused: i == mostBreaks+1})
	}
	kept := b.Kept()
	if len(kept) != mostBreaks || !kept[0].Reused {
		t.Errorf("%d are kept, the first is %v", len(kept), kept[0])
	}
	long := Breaks{list: []cube.LabelBreak{{Path: []string{"1"}, Before: strings.Repeat("é", 1000), After: "b"}}}
	if kept := long.Kept(); kept[0].Before != strings.Repeat("é", longestLabel)+"…" {
		t.Errorf("a label of %d bytes is kept", len(kept[0].Before))
	}
	many := Breaks{}
	for range 100 {
		many.list = append(many.list, cube.LabelBreak{Path: []string{strings.Repeat("1", mostBreakBytes/50)}})
	}
	if kept := many.Kept(); len(kept) != 50 {
		t.Errorf("%d long paths are kept", len(kept))
	}
}
