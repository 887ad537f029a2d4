package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

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
		row := []string{r.Name, fmt.Sprint(r.Rows), fmt.Sprint(r.Found.Bytes), string(r.Hash()), yearsFound(r.Found)}
		if r.Left != "" {
			row = append(row, "not loaded: "+r.Left)
		}
		rows = append(rows, row)
	}
	return rows
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

// totalRows are the control totals of the resources that are loaded, by fiscal year.
func totalRows(report *findings.Report) [][]string {
	measures, years := report.TotalsByYear()
	rows := [][]string{append([]string{"YEAR", "ROWS"}, measures...)}
	for _, y := range years {
		row := []string{cmp.Or(y.Year, "(none)"), fmt.Sprint(y.Rows)}
		for _, measure := range measures {
			text := "-"
			if sum := y.Sums[measure]; sum.Valid {
				text = sum.Decimal.StringFixed(-sum.Decimal.Exponent())
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
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
