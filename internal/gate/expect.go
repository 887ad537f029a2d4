package gate

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/internal/suggest"
	"fiscube/store/load"
)

// Expected are printed totals: a table of CSV with columns of levels, which say what a total is of, and columns of measures. It has the shape of an
// answer in CSV: .sum may stand behind the name of a measure, and labels and _count say nothing. Nor does a cell without an amount.
type Expected struct {
	file string // from the working folder
	rows [][]string
	line []int64 // of each row
}

// Met counts the totals that were held against those of the files.
type Met struct {
	File   string `json:"file"`
	Met    int    `json:"met"`
	Differ int    `json:"differ"`
}

// mostExpected is how many bytes a table of totals has at most.
const mostExpected = 1 << 20

// ReadExpected reads the totals in a file.
func ReadExpected(name string) (*Expected, error) {
	text, err := os.ReadFile(name)
	if err == nil && len(text) > mostExpected {
		err = fmt.Errorf("%s has more than %d bytes, which no table of totals has", name, mostExpected)
	}
	e, r := &Expected{file: fromHere(name)}, csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	for r.TrimLeadingSpace = true; err == nil; {
		var row []string
		if row, err = r.Read(); err == nil {
			line, _ := r.FieldPos(0)
			e.rows, e.line = append(e.rows, each.Text(row, strings.TrimSpace)), append(e.line, int64(line))
		}
	}
	switch {
	case !errors.Is(err, io.EOF):
		return nil, err
	case len(e.rows) < 2:
		return nil, fmt.Errorf("%s has no totals: write the names of levels and measures into its first line, such as Year,approved_value, and the totals below", name)
	}
	return e, nil
}

// plainNumber is how a total is written.
var plainNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// Hold holds totals against those that sums finds in the files by some levels. The error is one of the table.
func (p *Package) Hold(e *Expected, m *cube.Model, sums func(by ...string) (load.Sums, error)) error {
	var by, known []string
	measures, levels := map[int]string{}, map[int]string{} // by the number of the column
	known = append(known, each.Text(m.Measures(), func(measure cube.Measure) string { return measure.Ref })...)
	labels := []string{"_count"}
	for _, level := range m.Levels() {
		known, labels = append(known, level.Ref), append(labels, level.LabelRef)
	}
	for i, name := range e.rows[0] {
		measure := strings.TrimSuffix(name, ".sum")
		switch _, isMeasure := m.Measure(measure); {
		case isMeasure:
			measures[i] = measure
		case slices.Contains(known, name):
			levels[i], by = name, append(by, name)
		case name == "" || !slices.Contains(labels, name):
			text := fmt.Sprintf("%s:%d: %q is no level and no measure of the package; ", e.file, e.line[0], name)
			return errors.New(strings.TrimSuffix(text+suggest.DidYouMean(name, known), "; "))
		}
	}
	found, err := sums(by...)
	if err != nil {
		return err
	}
	p.Expected = &Met{File: e.file}
	for i, row := range e.rows[1:] {
		var key []string
		of := ""
		for j, cell := range row {
			if level := levels[j]; level != "" {
				key, of = append(key, cell), of+level+" "+cell+", "
			}
		}
		for j, cell := range row {
			sum, isThere := found[load.SumKey(key...)][measures[j]]
			switch {
			case measures[j] == "" || cell == "":
				continue
			case !plainNumber.MatchString(cell):
				return fmt.Errorf("%s:%d: %q is no plain number: write digits with a point before decimals, such as 258923027190.50", e.file, e.line[i+1], cell)
			}
			expected := decimal.RequireFromString(cell)
			if isThere && sum.Equal(expected) {
				p.Expected.Met++
				continue
			}
			p.Expected.Differ++
			text := "none"
			if isThere {
				text = fmt.Sprintf("%s, difference %s", sum, sum.Sub(expected))
			}
			p.put(Finding{Code: CodeTotalDiffers, Severity: findings.SeverityError, File: e.file, Line: e.line[i+1], Field: measures[j],
				Message: of + "expected " + cell + ", found " + text})
		}
	}
	if p.Expected.Met+p.Expected.Differ == 0 {
		return errors.New(e.file + " has no amount below the name of a measure")
	}
	return nil
}
