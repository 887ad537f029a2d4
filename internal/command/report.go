package command

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// printReport prints the report of a load: files, control totals and findings; of those, unless all are asked
// for, the ones that look wrong.
func (p *program) printReport(report *findings.Report, all bool) {
	p.printTable(resourceRows(report))
	if totals := totalRows(report); len(totals) > 1 {
		p.printf("\n  Control totals: every row as read, also those that state the same money again")
		p.printTable(totals)
	}
	rows, left := findingRows(report, all)
	p.printTable(rows)
	if left > 0 {
		p.printf("\n  --verbose prints the findings of what was assumed or repaired, too: %d\n", left)
	}
}

// printTable prints rows under the first, which names the columns; of no rows below it nothing. On a terminal the last column is wrapped.
func (p *program) printTable(rows [][]string) {
	if len(rows) < 2 {
		return
	}
	_, _ = fmt.Fprintln(p.out)
	left := 2 // what the other columns take, with what is between them
	for column := range len(rows[0]) - 1 {
		widest := 0
		for _, row := range rows {
			widest = max(widest, utf8.RuneCountInString(row[column]))
		}
		left += widest + 2
	}
	w := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		for i := range row {
			row[i] = strings.Map(printable, row[i])
		}
		last := len(row) - 1
		if left+leastWrapped < p.width {
			row[last] = strings.ReplaceAll(wrapped(row[last], p.width-left, 0), "\n", "\n  "+strings.Repeat("\t", last))
		}
		_, _ = fmt.Fprintln(w, "  "+strings.Join(row, "\t"))
	}
	_ = w.Flush() // see output
}

// leastWrapped is how many characters a column is wrapped into at least. A narrower terminal wraps it by itself.
const leastWrapped = 24

// wrapped breaks a text into lines of at most so many characters, those behind the first indented. A width of 0 keeps one line, which can be
// searched.
func wrapped(text string, width, indent int) string {
	if width == 0 {
		return text
	}
	lines := []string{""}
	for i, word := range strings.Split(text, " ") {
		line := &lines[len(lines)-1]
		switch {
		case i == 0:
			*line = word
		case utf8.RuneCountInString(*line+" "+word) > width && strings.TrimSpace(*line) != "":
			lines = append(lines, strings.Repeat(" ", indent)+word)
		default:
			*line += " " + word
		}
	}
	return strings.Join(lines, "\n")
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
