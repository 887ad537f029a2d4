package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// printReport prints the report of a load: files, control totals and findings; of those, unless all are asked
// for, the ones that look wrong.
func (p *program) printReport(report *findings.Report, all bool) {
	printTable(p.out, resourceRows(report))
	if totals := totalRows(report); len(totals) > 1 {
		p.printf("\n  Control totals: every row as read, also those that state the same money again")
		printTable(p.out, totals)
	}
	rows, left := findingRows(report, all)
	printTable(p.out, rows)
	if left > 0 {
		p.printf("\n  --verbose prints the findings of what was assumed or repaired, too: %d\n", left)
	}
}

// printTable prints rows under the first, which names the columns; of no rows below it nothing.
func printTable(out io.Writer, rows [][]string) {
	if len(rows) < 2 {
		return
	}
	_, _ = fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		for i := range row {
			row[i] = strings.Map(printable, row[i])
		}
		_, _ = fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
	}
	_ = w.Flush() // a reader that is gone is no reason to stop a load
}

// printable keeps the texts of a package from moving the table, or the terminal's cursor.
func printable(r rune) rune {
	if r < ' ' || r >= 0x7f && r < 0xa0 {
		return ' '
	}
	return r
}

func resourceRows(report *findings.Report) [][]string {
	rows := [][]string{{"RESOURCE", "ROWS", "BYTES", "HASH", "YEARS"}}
	for _, r := range report.Resources {
		row := []string{r.Name, fmt.Sprint(r.Rows), fmt.Sprint(r.Found.Bytes), hashVerdict(r), yearsFound(r.Found)}
		if r.Left != "" {
			row = append(row, "not loaded: "+r.Left)
		}
		rows = append(rows, row)
	}
	return rows
}

// hashVerdict holds the hashes that are declared of a file against those found. Only SHA-256 is compared.
func hashVerdict(r findings.ResourceReport) string {
	verdict := "none declared"
	for _, pair := range [][2]string{{r.Declared.HashCopy, r.Found.HashCopy}, {r.Declared.Hash, r.Found.Hash}} {
		declared := strings.ToLower(strings.TrimPrefix(pair[0], "sha256:"))
		switch {
		case declared == "":
		case declared == pair[1]:
			verdict = "verified"
		case len(declared) == len(pair[1]):
			return "differs"
		case verdict == "none declared":
			verdict = "not checked"
		}
	}
	return verdict
}

func yearsFound(f cube.Found) string {
	switch f.FirstYear {
	case 0:
		return "-"
	case f.LastYear:
		return fmt.Sprint(f.FirstYear)
	}
	return fmt.Sprintf("%d-%d", f.FirstYear, f.LastYear)
}

// totalRows adds the control totals of the resources that are loaded up by fiscal year.
func totalRows(report *findings.Report) [][]string {
	head, byYear, years := []string{"YEAR", "ROWS"}, map[string]*yearTotals{}, []string{}
	for _, t := range report.Totals {
		if !slices.Contains(head[2:], t.Measure) {
			head = append(head, t.Measure)
		}
		if leftOut(report, t.Resource) {
			continue
		}
		if byYear[t.Year] == nil {
			byYear[t.Year] = &yearTotals{sums: map[string]decimal.NullDecimal{}, rows: map[string]int64{}}
			years = append(years, t.Year)
		}
		byYear[t.Year].add(t)
	}
	slices.Sort(years)
	rows := [][]string{head}
	for _, year := range years {
		rows = append(rows, byYear[year].row(year, head[2:]))
	}
	return rows
}

func leftOut(report *findings.Report, resource string) bool {
	return slices.ContainsFunc(report.Resources, func(r findings.ResourceReport) bool { return r.Name == resource && r.Left != "" })
}

// yearTotals are the control totals of a fiscal year.
type yearTotals struct {
	rows map[string]int64 // by resource
	sums map[string]decimal.NullDecimal
}

func (y *yearTotals) add(t findings.ControlTotal) {
	y.rows[t.Resource] = t.Rows
	if sum, err := decimal.NewFromString(t.Sum); err == nil {
		y.sums[t.Measure] = decimal.NewNullDecimal(y.sums[t.Measure].Decimal.Add(sum))
	}
}

func (y *yearTotals) row(year string, measures []string) []string {
	rows := int64(0)
	for _, n := range y.rows {
		rows += n
	}
	row := []string{year, fmt.Sprint(rows)}
	if year == "" {
		row[0] = "(none)"
	}
	for _, measure := range measures {
		text := "-"
		if sum := y.sums[measure]; sum.Valid {
			text = sum.Decimal.StringFixed(-sum.Decimal.Exponent())
		}
		row = append(row, text)
	}
	return row
}

// findingRows lists the findings, and counts those that are left out because they only say what was assumed or repaired.
func findingRows(report *findings.Report, all bool) (rows [][]string, left int) {
	rows = [][]string{{"SEVERITY", "FINDING", "PLACE", "MESSAGE"}}
	for _, f := range report.Findings {
		if f.Severity == findings.SeverityInfo && !all {
			left++
			continue
		}
		rows = append(rows, []string{string(f.Severity), f.Code, placeOf(f), f.Message + f.Times()})
	}
	return rows, left
}

// placeOf names the resource, line and field of a finding, as far as it has any.
func placeOf(f findings.Finding) string {
	var place []string
	if f.Resource != "" {
		place = append(place, f.Resource)
	}
	if len(f.Places) > 0 && f.Places[0].Line > 0 {
		place = append(place, fmt.Sprintf("line %d", f.Places[0].Line))
	}
	if f.Field != "" {
		place = append(place, f.Field)
	}
	if len(place) == 0 {
		return "-"
	}
	return strings.Join(place, ", ")
}
