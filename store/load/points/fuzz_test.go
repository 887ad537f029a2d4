package points_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/store/load/points"
)

// Whatever the cells are, each row gives its data points, with a cell for each field.
func FuzzEach(f *testing.F) {
	for _, seed := range [][2]string{{"x|($1,200.50)|31.12.2023|FY21-22", "%d.%m.%Y"}, {"|-|2023-05|2566 B.E.", "any"}, {"y|٤٫٥|12/31/99|'23", "%m/%d/%y"}, {"z|1-|t|-", "default"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, line, format string) {
		column := func(i int) cube.PointCell { return cube.PointCell{From: cube.OriginColumn, Column: i} }
		file := []cube.Field{{Name: "code", Type: "string"}, {Name: "paid", Type: "number", Decorated: true, GroupChar: ","}, {Name: "day", Type: "date", Format: format}, {Name: "fy", Type: "string"}}
		year := cube.Field{Name: "year", Type: "year", YearStart: 10}
		r := &cube.Resource{Schema: cube.Schema{Fields: append(file[:len(file):len(file)], year, cube.Field{Name: "number", Type: "year"})}, Points: &cube.Points{File: file, PerRow: []cube.Point{
			{Cells: []cube.PointCell{column(0), column(1), column(2), column(3), column(2), column(3)}},
			{Cells: []cube.PointCell{column(0), {}, {From: cube.OriginConstant, Text: line}, column(3), {From: cube.OriginConstant, Text: line}, column(3)}}}}}
		m, err := points.New(r, nil, func(points.Mistake) {})
		if err != nil {
			return // the constant is no date
		}
		row, made := append(strings.Split(line, "|"), "", "", "")[:4], 0
		if err := m.Each(row, func(cells []string) error {
			if made++; len(cells) != len(r.Schema.Fields) || cells[0] != row[0] {
				t.Errorf("%q becomes %q", row, cells)
			}
			return nil
		}); err != nil || made != 2 {
			t.Errorf("%d data points: %v", made, err)
		}
	})
}
