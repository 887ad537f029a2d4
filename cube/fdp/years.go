package fdp

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/fold"
)

// yearNames are names of the fiscal year, folded.
var yearNames = []string{"year", "fiscal_year", "fiscalyear", "fiscal year", "anio", "ano", "ejercicio", "ciclo", "gestion", "godina", "annee", "jahr", "rok", "exercice"}

// isYearName tells whether a name is one of the fiscal year.
func isYearName(name string) bool { return slices.Contains(yearNames, fold.Text(name)) }

// markYear finds the fiscal year of a package none of whose fields is declared as it: in a dimension of type datetime, the key that is
// named for a year, else its only key. Models before Fiscal Data Package 1.0 have no other word for it.
func markYear(resources []resource, models []*declaredModel) {
	var year string
	for _, m := range models {
		for _, d := range m.dimensions {
			if d.kind != cube.DimensionTime || year != "" {
				continue
			}
			for _, key := range d.primaryKey {
				field := key
				for _, a := range d.attributes {
					if a.name == key {
						field = a.source
					}
				}
				if isYearName(key) || isYearName(field) || len(d.primaryKey) == 1 {
					year = field
					break
				}
			}
		}
	}
	isField := func(f cube.Field) bool { return f.Name == year }
	isDeclared := func(f cube.Field) bool {
		return f.ColumnType == cube.ColumnTypeFiscalYear || isField(f) && f.ColumnType != ""
	}
	if year == "" || slices.ContainsFunc(resources, func(r resource) bool { return slices.ContainsFunc(r.Schema.Fields, isDeclared) }) {
		return
	}
	for i := range resources {
		fields := slices.Clone(resources[i].Schema.Fields)
		for j := range fields {
			if isField(fields[j]) {
				fields[j].ColumnType = cube.ColumnTypeFiscalYear
				if fields[j].Type == "string" || fields[j].Type == "number" {
					fields[j].Type = "integer"
				}
			}
		}
		resources[i].Schema.Fields = fields
	}
}

// addYears adds the fiscal year as a field of the data points where the files do not have it as a number. It is, of the first that there is:
//
//  1. the year of the dates or texts in the field that is declared as the fiscal year, which stays a field: texts (FY21-22) are its labels;
//  2. that in which the fiscalPeriod of the package ends;
//  3. that of the date that a row is of (dateField).
func addYears(o *object, resources []resource, models []*declaredModel) {
	period := o.other("fiscalPeriod")
	name, added := freeName(resources), false
	for i := range resources {
		r := &resources[i]
		at := slices.IndexFunc(r.Schema.Fields, func(f cube.Field) bool { return f.ColumnType == cube.ColumnTypeFiscalYear })
		switch {
		case at >= 0 && isYearAlone(r.Schema.Fields[at]):
			r.Schema.Fields = slices.Clone(r.Schema.Fields)
			r.Schema.Fields[at].Type = "year"
			continue
		case at >= 0 && (hasYear(r.Schema.Fields[at]) || r.Schema.Fields[at].Type == "string"):
			r.addYear(name, at, "")
		case at >= 0:
			continue
		case period.kind() == isObject:
			year := yearOf(period)
			if year == "" {
				return // reported
			}
			r.addYear(name, -1, year)
		case r.dateField() >= 0:
			r.addYear(name, r.dateField(), "")
		default:
			continue
		}
		added = true
	}
	if added && len(models) > 0 {
		models[0].dimensions = append(models[0].dimensions, declaredDimension{place: "fiscalPeriod", name: name, kind: cube.DimensionTime, primaryKey: []string{name}})
	}
}

// isYearAlone tells whether the dates of a field are years and no more.
func isYearAlone(f cube.Field) bool {
	return f.Type == "date" && slices.Contains([]string{"%Y", "%y"}, f.Format)
}

// labelOfYear is the column type of the names of fiscal years, such as FY21-22.
const labelOfYear = cube.ColumnTypeFiscalYear + ":label"

// hasYear tells whether the cells of a field are dates or months, which have a year.
func hasYear(f cube.Field) bool { return strings.HasPrefix(f.Type, "date") || f.Type == "yearmonth" }

// dateField gives the index of the date that a row is of, by its column type, or -1: when its activity started, else another date.
func (r *resource) dateField() int {
	for _, columnType := range []string{"date:fiscal:activity-start", "date:generic", "date:"} {
		isDate := func(f cube.Field) bool {
			return strings.HasPrefix(f.ColumnType, columnType) && strings.HasPrefix(f.Type, "date")
		}
		if i := slices.IndexFunc(r.Schema.Fields, isDate); i >= 0 {
			return i
		}
	}
	return -1
}

// yearOf gives the year in which a fiscal period ends, or "".
func yearOf(period node) string {
	o := period.object()
	for _, key := range []string{"end", "start"} {
		if date := o.other(key); !date.absent() {
			text := date.text()
			if len(text) >= 4 && strings.Trim(text[:4], "0123456789") == "" {
				return text[:4]
			}
			date.problem("%s is no date: write it as 2016-12-31", quote(text))
			return ""
		}
	}
	period.problem("a fiscal period has a start and an end: write them as 2016-01-01 and 2016-12-31")
	return ""
}

// freeName gives a name for the fiscal year that no field has.
func freeName(resources []resource) string {
	for n := 0; ; n++ {
		name := "fiscal_year" + strings.Repeat("_", n)
		isTaken := func(r resource) bool {
			return slices.ContainsFunc(r.Schema.Fields, func(f cube.Field) bool { return strings.EqualFold(f.Name, name) })
		}
		if !slices.ContainsFunc(resources, isTaken) {
			return name
		}
	}
}

// addYear adds the fiscal year to the data points: that of the dates in the field of an index, or else a constant.
func (r *resource) addYear(name string, date int, constant string) {
	r.Schema.Fields = slices.Clone(r.Schema.Fields)
	if r.Points == nil {
		p := cube.Point{}
		for i := range r.Schema.Fields {
			p.Cells = append(p.Cells, cube.PointCell{From: cube.OriginColumn, Column: i})
		}
		r.Points = &cube.Points{File: slices.Clone(r.Schema.Fields), PerRow: []cube.Point{p}}
		for i := range r.Points.File { // they are called as their columns
			r.Points.File[i].Name, r.Points.File[i].Column = r.Points.File[i].ColumnName(), ""
		}
	}
	year, format := cube.Field{Name: name, Type: "year", ColumnType: cube.ColumnTypeFiscalYear}, ""
	for i := range r.Points.PerRow {
		cell := cube.PointCell{From: cube.OriginConstant, Text: constant}
		if date >= 0 {
			cell = r.Points.PerRow[i].Cells[date]
			if cell.From == cube.OriginConstant { // a date, which is read by the form of the year
				format = "any"
			}
		}
		r.Points.PerRow[i].Cells = append(r.Points.PerRow[i].Cells, cell)
	}
	if date >= 0 {
		f := &r.Schema.Fields[date]
		year.Format, year.Missing, year.Column = f.Format, f.Missing, f.ColumnName()
		if f.Type != "string" && (year.Format == "" || year.Format == "default") {
			year.Format = format
		}
		switch {
		case f.ColumnType != cube.ColumnTypeFiscalYear:
		case f.Type == "string":
			f.ColumnType = labelOfYear
		default:
			f.ColumnType = "date:generic"
		}
	}
	r.Schema.Fields = append(r.Schema.Fields, year)
}
