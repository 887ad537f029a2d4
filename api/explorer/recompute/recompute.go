// Package recompute writes the command that adds up a number of a page in the published files, for readers who want to check it with a
// program that is not fiscube: DuckDB.
package recompute

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/words"
	"fiscube/internal/cache"
	"fiscube/internal/each"
)

// Refused is the sentence that says why no command recomputes a number exactly.
type Refused string

func (r Refused) Error() string { return string(r) }

// Command gives the command that adds up the sum of an answer in files of its package, at the paths at which they are published: a copy that was
// read may be compressed. The error is Refused.
func Command(p *plan.Plan, files []cube.Resource, locale words.Locale) (string, error) {
	r := recomputing{plan: p, cb: p.Cube(), statement: p.Main(), locale: locale}
	sql := ""
	if r.prepare(); r.refused == "" {
		sql = r.sql(files)
	}
	if r.refused != "" {
		return "", r.refused
	}
	return "duckdb -noheader -list <<'SQL'\n" + sql + ";\nSQL", nil
}

// recomputing writes the SQL of a command. Cells are compared as they were published, and it refuses whatever a load changed
// or could read in another way than DuckDB: what it writes then is not read.
type recomputing struct {
	refused   Refused // why, the first reason
	plan      *plan.Plan
	cb        *cube.Cube
	statement *plan.Statement
	locale    words.Locale
	published *cube.Package
	amount    cube.Column
	decimals  int // of the sum
}

// mostCommandBytes bounds a command, which people read and copy.
const mostCommandBytes = 20_000

// refuse notes why no command is exact, unless something is in the way already.
func (r *recomputing) refuse(message string, params ...any) string {
	if r.refused == "" {
		r.refused = Refused(r.locale.Say(message, params...))
	}
	return ""
}

func (r *recomputing) inexact() string { return r.refuse("number.check-inexact") }

func (r *recomputing) sql(files []cube.Resource) string {
	var tables []fileSum
	for _, file := range files {
		read := slices.IndexFunc(r.published.Resources, func(o cube.Resource) bool { return o.Name == file.Name })
		if read < 0 {
			return r.inexact()
		}
		for _, t := range r.fileSums(&file, &r.published.Resources[read]) {
			if last := len(tables) - 1; last >= 0 && tables[last].sql == t.sql {
				tables[last].files = append(tables[last].files, t.files...)
			} else {
				tables = append(tables, t)
			}
		}
	}
	selects := each.Text(tables, func(t fileSum) string { return t.sql[0] + "[" + strings.Join(t.files, ", ") + "]" + t.sql[1] })
	sql := fmt.Sprintf("SELECT sum(amount)::DECIMAL(38,%d) FROM (\n%s\n)", r.decimals, strings.Join(selects, "\nUNION ALL\n"))
	if len(tables) == 0 || len(sql) > mostCommandBytes {
		return r.inexact()
	}
	return sql
}

// fileSum selects the amounts from files that are read alike: its SQL before and after their names.
type fileSum struct {
	files []string
	sql   [2]string
}

// prepare refuses what is no sum of a published field, and reads how the files are published.
func (r *recomputing) prepare() {
	p := r.plan
	aggregate := p.Aggregates()[0]
	column, ok := r.cb.Model.Column(aggregate.Measure)
	switch {
	case aggregate.Func != cube.Sum || !aggregate.IsPart() || !aggregate.Factor.IsZero() && aggregate.Factor.String() != "1" || p.Summary() != nil:
		r.refuse("number.check-no-sum")
		return
	case !ok || column.From != nil && column.From.Rule != cube.RuleFirstOf && column.From.Rule != cube.RuleWhere:
		r.refuse("number.check-made", "Column", aggregate.Measure)
		return
	}
	whole, decimals := r.statement.PartDigits(aggregate.Parts[0])
	r.amount, r.decimals = column, decimals
	var err error
	r.published, err = publishedAs(r.cb)
	report, unread := findings.Of(r.cb)
	fields := []string{column.Name} // that the amounts are read from
	if column.From != nil {
		fields = column.From.Fields
	}
	if column.From != nil && column.From.Rule == cube.RuleWhere {
		fields = fields[:1]
	}
	isNoisy := func(f findings.Finding) bool { return f.Code == "float-noise" && slices.Contains(fields, f.Field) }
	const mostDigits = 38          // of a DECIMAL in DuckDB
	isKnown := r.cb.Overlay != nil // else nobody knows what it declares
	if err != nil || unread != nil || !isKnown || whole+decimals > mostDigits || column.Type == cube.TypeText || slices.ContainsFunc(report.Findings, isNoisy) {
		r.inexact()
	}
}

// documents say how a package is published.
type documents struct{ descriptor, overlay string }

// kept has packages by their documents, up to 8 MB of these: to read them takes longer than the rest of a page.
var kept = cache.New[documents, *cube.Package](8 << 20)

// publishedAs reads how the files of a cube are published. Callers share the package, and do not change it.
func publishedAs(cb *cube.Cube) (*cube.Package, error) {
	key := documents{string(cb.Descriptor), string(cb.Overlay)}
	return kept.Get(context.Background(), key, func() (*cube.Package, int64, error) {
		p, err := fdp.Read(cb.Descriptor)
		if err == nil && key.overlay != "" {
			var overlay *fdp.Overlay
			if overlay, err = fdp.ReadOverlay(cb.Overlay); err == nil {
				p, err = overlay.Apply(p)
			}
		}
		return p, int64(len(key.descriptor) + len(key.overlay)), err
	})
}

// ReadFrom gives the paths of the files that a load read compressed, by the names of their resources.
func ReadFrom(report *findings.Report) map[string]string {
	paths := map[string]string{}
	for _, f := range report.Findings {
		if f.Code == "read-compressed" {
			paths[f.Resource], _ = f.Params["read"].(string)
		}
	}
	return paths
}

// fileSums selects the amounts of a file that the number adds up: at once, or those of each of the data points that its rows are.
func (r *recomputing) fileSums(file, published *cube.Resource) (sums []fileSum) {
	cells := publishedCells{resource: file.Name, header: file.Header, published: published}
	if file.Columns != nil {
		cells.header = file.Columns
	}
	if published.Points == nil {
		return []fileSum{r.fileSum(file, cells)}
	}
	for i := range published.Points.PerRow {
		cells.point = &published.Points.PerRow[i]
		if at := published.Field(r.amount.Name); at >= 0 && cells.point.Cells[at].From == "" {
			continue // it has no such amount
		}
		sums = append(sums, r.fileSum(file, cells))
	}
	return sums
}

// fileSum selects the amounts of a file, or of one of the data points of its rows.
func (r *recomputing) fileSum(file *cube.Resource, cells publishedCells) fileSum {
	const patterns = "*?[]{}" // of several files
	encoding, ok := fdp.Encoding(file.Encoding)
	switch path := file.Path; {
	case cells.published.IsWorkbook():
		r.refuse("number.check-workbook", "File", path)
	case !ok || encoding != fdp.UTF8:
		r.refuse("number.check-encoding", "File", path, "Encoding", file.Encoding)
	case len(file.SkipLines) > 0:
		r.refuse("number.check-totals", "File", path)
	case !isPlain(path) || strings.ContainsAny(path, patterns) || fdp.IsURL(path) || !isCommon(file, cells.published):
		r.inexact()
	}
	where := r.where(cells)
	amount := cells.number(r.amount)
	if amount == "" {
		r.inexact()
	}
	as := ""
	if points := cells.published.Points; points != nil && len(points.Lists) > 0 {
		as = " AS cells" // what code lists are asked for is named by it
	}
	return fileSum{[]string{text(file.Path)}, [2]string{
		"SELECT " + amount + " AS amount\nFROM read_csv(",
		", all_varchar=true, header=true, skip=0, comment='', delim=" + text(cmp.Or(file.Dialect.Delimiter, ",")) + `, quote='"', escape='"')` + as + where,
	}}
}

// isCommon tells whether a file has one line of names and cells as encoding/csv reads them.
func isCommon(file, published *cube.Resource) bool {
	d := file.Dialect
	return (d.QuoteChar == "" || d.QuoteChar == `"`) && d.EscapeChar == "" && !d.SingleQuote && d.LineEnd == "" && !d.NoHeader && len(d.HeaderRows)+len(d.CommentRows) == 0 &&
		d.CommentChar == "" && !d.SkipSpace && !file.Part && published.Data == nil && published.Packed == ""
}

// where writes the filters of the number.
func (r *recomputing) where(cells publishedCells) string {
	filters := slices.Clone(r.statement.Filters())
	if guard := r.statement.Guard(); guard != nil && r.statement.Parts()[r.plan.Aggregates()[0].Parts[0]].Guarded {
		filters = append(filters, *guard)
	}
	var all []string
	for _, f := range filters {
		var some []string
		for _, tests := range f.Any {
			every := each.Text(tests, func(test plan.Test) string { return r.condition(test, cells) })
			some = append(some, joined(every, " AND "))
		}
		if len(some) == 0 {
			return r.inexact()
		}
		condition := joined(some, " OR ")
		if f.Not {
			condition = "NOT (" + condition + ")"
		}
		all = append(all, condition)
	}
	if len(all) == 0 {
		return ""
	}
	return "\nWHERE " + strings.Join(all, "\n  AND ")
}

// joined joins conditions to one.
func joined(conditions []string, by string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, by) + ")"
}

// condition writes a test on a published cell. It is never null, so that NOT is its complement.
func (r *recomputing) condition(t plan.Test, cells publishedCells) string {
	column, ok := r.cb.Model.Column(t.Column.Name)
	switch {
	case !ok || t.Members != nil:
		return r.inexact()
	case slices.ContainsFunc(t.In, func(v cube.Value) bool { return mayMark(column, v.String()) }):
		return r.refuse("number.check-made", "Column", column.Name)
	case column.Type == cube.TypeDecimal || len(t.In) == 0 && column.Type != cube.TypeInteger:
		return r.inexact()
	}
	cell := cells.made(column)
	switch {
	case cell == "" && column.From != nil:
		return r.refuse("number.check-made", "Column", column.Name)
	case cell == "":
		return r.inexact()
	}
	write := func(v cube.Value) string { return text(v.String()) }
	if column.Type == cube.TypeInteger {
		cell, write = "CAST("+cell+" AS BIGINT)", cube.Value.String
	}
	if len(t.In) == 0 {
		var bounds []string
		if !t.From.IsMissing() {
			bounds = append(bounds, cell+" >= "+write(t.From))
		}
		if !t.To.IsMissing() {
			bounds = append(bounds, cell+" <= "+write(t.To))
		}
		if len(bounds) == 0 {
			return r.inexact()
		}
		return "coalesce(" + strings.Join(bounds, " AND ") + ", false)"
	}
	var list, either []string
	for _, v := range t.In {
		switch {
		case v.IsMissing():
			either = []string{cell + " IS NULL"}
		case !isPlain(v.String()):
			return r.inexact()
		default:
			list = append(list, write(v))
		}
	}
	if len(list) > 0 {
		either = slices.Insert(either, 0, "coalesce("+cell+" IN ("+strings.Join(list, ", ")+"), false)")
	}
	return joined(either, " OR ")
}

// number writes an amount of a column; "" where it cannot be written.
func (p publishedCells) number(column cube.Column) string {
	switch {
	case column.From != nil && column.From.Rule == cube.RuleWhere:
		return p.where(column)
	case column.From != nil:
		return p.firstOf(column)
	}
	return p.amount(column.Name, column.Scale)
}

// amount writes an amount, which is read with the marks that are declared for its field.
func (p publishedCells) amount(field string, scale int) string {
	cell := p.text(field)
	at := p.published.Field(field)
	if cell == "" || at < 0 {
		return ""
	}
	point, group := cmp.Or(p.published.Schema.Fields[at].DecimalChar, "."), p.published.Schema.Fields[at].GroupChar
	if !isPlain(point) || !isPlain(group) {
		return ""
	}
	if group != "" && group != point {
		cell = "replace(" + cell + ", " + text(group) + ", '')"
	}
	if point != "." {
		cell = "replace(" + cell + ", " + text(point) + ", '.')"
	}
	return fmt.Sprintf("CAST(%s AS DECIMAL(38,%d))", cell, scale)
}

// text writes a text in SQL.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// isPlain tells whether a text can be copied from a page without a change: it has no line breaks, controls or unseen signs.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) && strings.TrimSpace(s) == s
}
