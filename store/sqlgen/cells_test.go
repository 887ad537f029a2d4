package sqlgen_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
)

func rows(list ...[]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, row := range list {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func amount(s string) decimal.Decimal { return decimal.RequireFromString(s) }

// cellText writes a cell as count | keys | labels | values.
func cellText(count int64, c answer.Cell) string {
	text := func(v cube.Value) string {
		if v.IsMissing() {
			return "missing"
		}
		if n, ok := v.Int(); ok {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%q", v.String())
	}
	var keys, labels, values []string
	for _, k := range c.Keys {
		keys = append(keys, text(k))
	}
	for _, l := range c.Labels {
		labels = append(labels, text(l))
	}
	for _, v := range c.Values {
		if v.Valid {
			values = append(values, v.Decimal.String())
		} else {
			values = append(values, "null")
		}
	}
	return fmt.Sprintf("%d | %s | %s | %s", count, strings.Join(keys, " "), strings.Join(labels, " "), strings.Join(values, " "))
}

func TestReader_Cells(t *testing.T) {
	const page = int32(1)
	for _, tt := range []struct {
		name, question string
		rows           iter.Seq2[[]any, error]
		want           []string
	}{
		{"nothing drilled is a summary and one cell", "aggregates=_count|approved_value.sum",
			rows([]any{int64(1), int64(5), amount("1.50"), page, int64(5), amount("1.50")}),
			[]string{"1 |  |  | 5 1.5", "0 |  |  | 5 1.5"}},
		{"the summary comes once, then the cells", "drilldown=Year&aggregates=_count",
			rows([]any{int64(2), int64(7), page, int64(2016), int64(3)}, []any{int64(2), int64(7), page, int64(2017), int64(4)}),
			[]string{"2 |  |  | 7", "0 | 2016 | missing | 3", "0 | 2017 | missing | 4"}},
		{"a missing number is null", "drilldown=quarter&aggregates=_count",
			rows([]any{int64(1), int64(7), page, int64(2016), nil, "", int64(7)}),
			[]string{"1 |  |  | 7", "0 | 2016 missing | missing missing | 7"}},
		{"a missing text is empty", "drilldown=func1_code&aggregates=_count", rows([]any{int64(1), int64(7), page, "", int64(7)}),
			[]string{"1 |  |  | 7", "0 | missing | missing | 7"}},
		{"labels stand by their levels", "drilldown=func1_code|admin2_code&aggregates=_count",
			rows([]any{int64(1), int64(7), page, "9", "01", "02", "Parliament", "Office", int64(7)}),
			[]string{"1 |  |  | 7", `0 | "9" "01" "02" | missing "Parliament" "Office" | 7`}},
		{"a member without a label is shown by its key", "drilldown=admin2_code&aggregates=_count",
			rows([]any{int64(1), int64(7), page, "01", "02", nil, "", int64(7)}),
			[]string{"1 |  |  | 7", `0 | "01" "02" | "01" "02" | 7`}},
		{"a number without a label is shown by its digits", "drilldown=quarter&aggregates=_count",
			rows([]any{int64(1), int64(7), page, int64(2016), int64(4), nil, int64(7)}),
			[]string{"1 |  |  | 7", `0 | 2016 4 | missing "4" | 7`}},
		{"the missing member may have a label", "drilldown=admin1_code&aggregates=_count",
			rows([]any{int64(1), int64(7), page, "", "None", int64(7)}),
			[]string{"1 |  |  | 7", `0 | missing | "None" | 7`}},
		{"averages are made from sum and count", "drilldown=Year&aggregates=approved_value.avg",
			rows([]any{int64(2), amount("10"), int64(3), page, int64(2016), amount("10"), int64(3)},
				[]any{int64(2), amount("10"), int64(3), page, int64(2017), nil, int64(0)}),
			[]string{"2 |  |  | 3.333333", "0 | 2016 | missing | 3.333333", "0 | 2017 | missing | null"}},
		{"a page past the end is the summary alone", "drilldown=Year&aggregates=_count&page=9",
			rows([]any{int64(2), int64(7), nil, nil, nil}), []string{"2 |  |  | 7"}},
		{"no facts have no cells and null sums", "drilldown=admin1_code&aggregates=_count|approved_value.sum",
			rows([]any{int64(0), int64(0), nil, nil, nil, nil, nil, nil}), []string{"0 |  |  | 0 null"}},
		{"no rows at all are no answer", "aggregates=_count", rows(), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			if a, err := answer.Run(t.Context(), answering(tt.rows), ask(t, tt.question), cube.English); err == nil {
				got = append(got, cellText(a.Summary.Count, answer.Cell{Values: a.Summary.Values}))
				for _, cell := range a.Cells {
					got = append(got, cellText(0, cell))
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestReader_Cells_EndEarly(t *testing.T) {
	p := ask(t, "drilldown=Year&aggregates=_count")
	for _, tt := range []struct {
		name        string
		taken, read int // cells taken, summary included, and rows read for them
	}{
		{"after the summary", 1, 1}, {"after the first cell", 2, 1}, {"after the second cell", 3, 2}, {"never", 9, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			read, freed := 0, false
			source := func(yield func([]any, error) bool) {
				defer func() { freed = true }()
				for range 5 {
					read++
					if !yield([]any{int64(5), int64(5), int32(1), int64(2016), int64(1)}, nil) {
						return
					}
				}
			}
			result, err := answering(source).Cells(t.Context(), p.Main())
			if err != nil {
				t.Fatal(err)
			}
			if taken := 1; taken < tt.taken {
				for range result.Groups {
					if taken++; taken == tt.taken {
						break
					}
				}
			}
			result.Close()
			if read != tt.read || !freed {
				t.Errorf("read %d rows, want %d; freed %v", read, tt.read, freed)
			}
		})
	}
}

func TestReader_Cells_PassErrorsOn(t *testing.T) {
	away := errors.New("away")
	p := ask(t, "drilldown=Year&aggregates=_count")
	for _, good := range []int{0, 1, 3} {
		source := func(yield func([]any, error) bool) {
			for range good {
				if !yield([]any{int64(5), int64(5), int32(1), int64(2016), int64(1)}, nil) {
					return
				}
			}
			_ = yield(nil, away) && yield([]any{}, nil)
		}
		cells, failed := 0, 0
		count := func(err error) {
			if err == nil {
				cells++
			} else if failed++; !errors.Is(err, away) {
				t.Errorf("after %d rows: %v", good, err)
			}
		}
		result, err := answering(source).Cells(t.Context(), p.Main())
		if count(err); err == nil {
			for _, err := range result.Groups {
				count(err)
			}
			result.Close()
		}
		if want := min(good, 1) + good; cells != want || failed != 1 {
			t.Errorf("after %d rows: %d cells and %d errors, want %d and 1", good, cells, failed, want)
		}
	}
}

func TestReader_Cells_RefuseFloats(t *testing.T) {
	for _, tt := range []struct {
		name string
		row  []any
		want string
	}{
		{"an amount", []any{int64(1), 1.5, int32(1), int64(2016), 1.5}, "an amount of type float64"},
		{"a key", []any{int64(1), int64(1), int32(1), 2016.0, int64(1)}, "a key of type float64"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("got %v, want %s", got, tt.want)
				}
			}()
			result, err := answering(rows(tt.row)).Cells(t.Context(), ask(t, "drilldown=Year&aggregates=_count").Main())
			if err != nil {
				t.Fatal(err)
			}
			defer result.Close()
			for range result.Groups {
				continue
			}
		})
	}
}
