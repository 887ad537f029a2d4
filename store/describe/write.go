package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/internal/each"
	"fiscube/store/evidence"
)

// descriptor is what a descriptor of a description has (Fiscal Data Package 1.0).
type descriptor struct {
	Schema       string           `json:"$schema,omitempty"`
	Name         string           `json:"name"`
	Title        string           `json:"title"`
	Licenses     []licence        `json:"licenses,omitempty"`
	CountryCode  string           `json:"countryCode,omitempty"`
	FiscalPeriod *period          `json:"fiscalPeriod,omitempty"`
	ColumnTypes  []fdp.ColumnType `json:"columnTypes,omitempty"`
	Resources    []resource       `json:"resources"`
}

type resource struct {
	Profile  string  `json:"profile"`
	Name     string  `json:"name"`
	Path     string  `json:"path"`
	Format   string  `json:"format"`
	Packed   string  `json:"compression,omitempty"`
	Encoding string  `json:"encoding,omitempty"`
	Dialect  dialect `json:"dialect"`
	Schema   schema  `json:"schema"`
}

type schema struct {
	Fields        []field      `json:"fields"`
	ExtraFields   []field      `json:"extraFields,omitempty"`
	ForeignKeys   []foreignKey `json:"foreignKeys,omitempty"`
	MissingValues []string     `json:"missingValues,omitempty"`
}

type field struct {
	Name        string            `json:"name"`
	Column      *string           `json:"column,omitempty"`
	Type        string            `json:"type"`
	Format      string            `json:"format,omitempty"`
	ColumnType  string            `json:"columnType,omitempty"`
	DecimalChar string            `json:"decimalChar,omitempty"`
	GroupChar   string            `json:"groupChar,omitempty"`
	BareNumber  *bool             `json:"bareNumber,omitempty"`
	Nothing     []string          `json:"missingValues,omitempty"`
	Normalize   map[string]string `json:"normalize,omitempty"`
	Constant    string            `json:"constant,omitempty"`
	Target      bool              `json:"normalizationTarget,omitempty"`
}

// Descriptor writes what the files are: where they lie, how they are written, and which of their fields is the year and which are
// amounts. What the fields mean is in the overlay, where comments can say why.
func (d *Description) Descriptor() ([]byte, error) {
	document := descriptor{Name: d.Name, Title: d.Title, ColumnTypes: d.columnTypes()}
	if d.options.Schemas != "" {
		document.Schema = d.schema("descriptor")
	}
	d.about.tell(&document)
	typeOf := map[string]string{}
	for _, t := range document.ColumnTypes {
		typeOf[t.Field] = t.Name
	}
	for i, f := range d.profile.forms {
		r := resourceOf(f, d.resourceName(i))
		missing := []string{""}
		for n, name := range f.header {
			c := d.profile.Columns[d.profile.Index[i][n]]
			own := field{Name: name, Column: f.column(n), Type: "string", ColumnType: typeOf[name]}
			d.settleField(&own, i, c)
			if d.roles.of[c.At] == isFiscalYear && c.Nothing != nil {
				own.Nothing = append([]string{""}, c.Nothing...)
			}
			if d.roles.of[c.At] == isAmount {
				for _, text := range c.WrittenForNothing() {
					missing = appendNew(missing, text)
				}
			}
			r.Schema.Fields = append(r.Schema.Fields, own)
		}
		r.Schema.ExtraFields = d.extraFields(i)
		r.Schema.ForeignKeys = d.foreignKeys(f)
		if len(missing) > 1 {
			r.Schema.MissingValues = missing
		}
		document.Resources = append(document.Resources, r)
	}
	for i, l := range d.lists {
		document.Resources = append(document.Resources, l.resource(d.resourceName(len(d.profile.forms)+i), typeOf))
	}
	var text bytes.Buffer
	out := json.NewEncoder(&text)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	err := out.Encode(document)
	return text.Bytes(), err
}

// resourceOf is the entry of a file, whose fields are not known yet.
func resourceOf(f *form, name string) resource {
	r := resource{Profile: "tabular-data-resource", Name: name, Path: f.path, Format: "csv", Packed: f.packed, Encoding: f.encoding.name, Dialect: f.dialect()}
	if f.workbook {
		r.Format, r.Encoding = "xlsx", ""
	}
	return r
}

// settleField gives the field of a column its types, and how its cells are written in a file.
func (d *Description) settleField(own *field, file int, c *column) {
	switch d.roles.of[c.At] {
	case isFiscalYear:
		own.ColumnType = cube.ColumnTypeFiscalYear
		switch y := d.roles.year; y.kind {
		case yearOfNumbers:
			own.Type = "integer"
		case yearOfDates:
			own.Type, own.Format = "date", y.format
			if y.format == evidence.DateFormats[0] {
				own.Format = ""
			}
		}
	case isQualifier:
		own.ColumnType = map[string]string{"phase": "phase:id", "direction": "direction", "currency": "value-currency:code", "kind": "value-kind:code"}[d.roles.quality[c]]
	case isAmount:
		own.Type, own.ColumnType = "number", "value"
		if form := d.forms.of(file, c); form != evidence.Forms[plain] {
			own.DecimalChar, own.GroupChar = form.Decimal, form.Group
		}
		if c.Numbers.Files[file].Decorated > 0 {
			own.BareNumber = new(bool)
		}
		if w, ok := d.roles.wide.of(c); ok {
			own.ColumnType = ""
			own.Normalize = map[string]string{d.yearField(): w.year}
			if d.roles.wide.phases {
				own.Normalize[d.freeName("phase")] = w.phase
			}
			if d.roles.wide.directions {
				own.Normalize[d.freeName("direction")] = w.direction
			}
		}
	}
}

// extraFields are the fields that no column has: the year and the direction of a file, and what the amounts of a wide table become.
func (d *Description) extraFields(file int) (extra []field) {
	y, w := d.roles.year, d.roles.wide
	year := field{Name: d.yearField(), Type: "integer", ColumnType: cube.ColumnTypeFiscalYear}
	if y.isText(w) {
		year.Type = "string"
	}
	direction := field{Name: d.freeName("direction"), Type: "string", ColumnType: "direction"}
	switch {
	case y.texts != nil && y.texts[file] != "":
		if year.Constant = y.texts[file]; y.kind == yearOfTexts {
			year.Type = "string"
		}
		extra = []field{year}
	case y.kind == yearOfColumns:
		extra = []field{year}
		if w.phases {
			extra = append(extra, field{Name: d.freeName("phase"), Type: "string", ColumnType: "phase:id"})
		}
		if w.directions {
			extra = append(extra, direction)
		}
		extra = append(extra, field{Name: d.freeName("amount"), Type: "number", ColumnType: "value", Target: true})
	}
	if d.roles.directions != nil {
		direction.Constant = d.roles.directions[file]
		extra = append(extra, direction)
	}
	return extra
}

// columnTypes makes a column type for each level but the fiscal year, and for its labels, so that other tools know what a column is. The
// overlay says the same, and more.
func (d *Description) columnTypes() []fdp.ColumnType {
	var types []fdp.ColumnType
	for _, l := range d.levels {
		if d.roles.of[l.column.At] == isFiscalYear || l.column.Made != nil {
			continue // no field of a file
		}
		t := fdp.ColumnTypeOf(l.dimension, l.column.Name, "")
		if above := l.publishedParent(); above != nil && d.roles.of[above.column.At] != isFiscalYear {
			t.Prior = fdp.ColumnTypeOf(above.dimension, above.column.Name, "").Name
		}
		types = append(types, t)
		if l.label != nil {
			types = append(types, fdp.ColumnTypeOf(l.dimension, l.label.Name, t.Name))
		}
	}
	return types
}

// publishedParent gives the next level above that is a field of a file, or nil.
func (l *level) publishedParent() *level {
	above := l.parent
	for above != nil && above.column.Made != nil {
		above = above.parent
	}
	return above
}

// schema is the address of a JSON Schema.
func (d *Description) schema(kind string) string {
	return strings.TrimSuffix(d.options.Schemas, "/") + "/" + kind + ".schema.json"
}

// Overlay writes what the fields mean, each guess with its evidence behind it.
func (d *Description) Overlay() []byte {
	w := &yamlWriter{}
	if d.options.Schemas != "" {
		w.line(0, "# yaml-language-server: $schema="+d.schema("overlay"), "")
	}
	files := each.Text(d.profile.forms, func(f *form) string { return shown(f.path) })
	w.note("What the columns of " + listed(clipped(files), "and") + " mean, as fiscube read it from their cells. The figures behind a line are its evidence. " +
		"Correct what is wrong. What is not known stands behind a #: write what is true, and take the # away. " +
		"All keys are in seeds/overlays/README.md.")
	d.writeFiles(w)
	w.blank()
	w.line(0, "title:", "")
	w.line(2, "en: "+scalar(d.Title), d.titleWhy)
	d.writeMeasures(w)
	d.writeDimensions(w)
	d.writeLevels(w)
	d.writeRest(w)
	return w.text.Bytes()
}

// mostListed is how many files or columns a comment names.
const mostListed = 12

func clipped(names []string) []string {
	if len(names) > mostListed {
		return append(slices.Clone(names[:mostListed]), count(int64(len(names)-mostListed))+" more")
	}
	return names
}

// writeFiles says how the files were read.
func (d *Description) writeFiles(w *yamlWriter) {
	w.blank()
	for i, f := range d.profile.forms {
		if i == mostListed {
			w.note(count(int64(len(d.profile.forms)-i)) + " more files.")
			break
		}
		written := fmt.Sprintf("encoding %s (%s); %s", f.encoding.name, f.encoding.why, f.why)
		if f.workbook {
			written = "a workbook"
		}
		w.note(fmt.Sprintf("%s: %s; amounts with %s (%s). datapackage.json says so.", shown(path.Base(f.path)), written, evidence.Forms[d.forms.files[i].form], d.forms.files[i].why))
	}
}

func (d *Description) writeMeasures(w *yamlWriter) {
	w.blank()
	w.note("Amounts. What no cell says: the phase (approved, proposed, adjusted or executed), the currency (ISO 4217), the unit (how many of the currency an " +
		"amount of 1 is) and the direction (expenditure or revenue).")
	w.line(0, "measures:", "")
	if months := d.months(); len(months) > 0 {
		w.note(monthColumns(d.profile.forms[0].path, months))
	}
	for _, named := range d.namedMeasures() {
		c, m := named.column, named.measure
		w.line(2, scalar(named.name)+":", english(d.roles.why[c.At]))
		w.known(4, "currency", m.currency, "EUR", english(m.currencyWhy))
		w.known(4, "unit", m.unit, "1", english(m.unitWhy))
		w.known(4, "phase", m.phase, "approved", english(m.phaseWhy))
		w.known(4, "direction", m.direction, "expenditure", english(m.directionWhy))
		if !m.says() {
			w.line(4, "title: {en: "+scalar(named.name)+"}", "")
		}
	}
}

// months lists the amounts that are named for a month each; none where only one or two are.
func (d *Description) months() []string {
	var names []string
	for _, c := range d.roles.amounts {
		if monthOf(c.Words) != "" {
			names = append(names, shown(c.Name))
		}
	}
	if len(names) < 3 {
		return nil
	}
	return names
}

// monthColumns says what columns of months are, and how they become rows.
func monthColumns(path string, months []string) string {
	return fmt.Sprintf("The amounts of %s are of a month each, and so is each measure: nothing adds measures up. To have the month as a level, "+
		"make rows of the columns. %s", listed(months, "and"), unpivot(path, months, "month", "amount"))
}

func (d *Description) writeDimensions(w *yamlWriter) {
	w.blank()
	w.line(0, "dimensions:", "")
	var written []string
	if y := d.roles.year; y.kind != noYear {
		written = []string{"date"}
		w.line(2, "date: {type: datetime}", "")
	}
	for _, l := range d.levels {
		if slices.Contains(written, l.dimension) {
			continue
		}
		written = append(written, l.dimension)
		w.line(2, scalar(l.dimension)+": "+l.described(), english(l.conceptWhy))
	}
}

// described gives the kind of the dimension of a level.
func (l *level) described() string {
	switch {
	case l.time != noTime:
		return "{type: datetime}"
	case l.concept.classification != "":
		return "{classification: " + l.concept.classification + "}"
	case l.concept.kind != "":
		return "{type: " + l.concept.kind + "}"
	}
	return "{type: other}"
}

func (d *Description) writeLevels(w *yamlWriter) {
	w.blank()
	w.note("Levels: in which dimension a column is, which level is above it (parent), which column has its labels, and which other codes its own need to mean something (within).")
	w.line(0, "levels:", "")
	d.writeYear(w)
	for _, l := range d.levels {
		if l.time == fiscalYear && d.roles.year.kind != yearOfDates {
			continue
		}
		w.line(2, scalar(l.column.Name)+":", english(l.why))
		w.line(4, "dimension: "+scalar(l.dimension), "")
		switch {
		case l.time == fiscalYear:
			w.line(4, "parent: "+scalar(d.yearLevel()), "")
		case l.parent != nil:
			w.line(4, "parent: "+scalar(l.parent.column.Name), english(l.parentWhy))
		}
		if made := l.column.Made; made != nil {
			w.line(4, "derive: "+derived(made), "no column has it")
		}
		switch {
		case l.split:
			w.line(4, "split: true", english(l.labelWhy))
		case l.label != nil && l.splitLabel:
			w.line(4, "label: {field: "+scalar(l.label.Name)+", split: true}", english(l.labelWhy))
		case l.label != nil:
			w.line(4, "label: "+scalar(l.label.Name), english(l.labelWhy))
		}
		if len(l.within) > 0 {
			var names, why []string
			for _, context := range l.within {
				names = append(names, scalar(context.column.Name))
				why = appendNew(why, english(context.why))
			}
			w.line(4, "within: ["+strings.Join(names, ", ")+"]", strings.Join(why, "; "))
		}
	}
}

// derived is how an overlay says of what cells are made.
func derived(m *evidence.Making) string {
	if m.Rule.Between != "" {
		return fmt.Sprintf("{from: %s, separator: %q, parts: %d}", scalar(m.Of.Name), m.Rule.Between, m.Rule.Parts)
	}
	return fmt.Sprintf("{from: %s, length: %d, digits: %d}", scalar(m.Of.Name), m.Rule.Length, m.Rule.Digits)
}

// writeYear writes the level of the fiscal year.
func (d *Description) writeYear(w *yamlWriter) {
	y := d.roles.year
	if y.kind == noYear {
		return
	}
	w.line(2, scalar(d.yearLevel())+":", english(y.why))
	w.line(4, "dimension: date", "")
	if y.isText(d.roles.wide) {
		w.line(4, "label: "+scalar(d.yearField()), "the year as it is published")
	}
}

func (d *Description) writeRest(w *yamlWriter) {
	if texts := d.unknownTexts(); len(texts) > 0 {
		w.blank()
		w.line(0, "not_informed: ["+strings.Join(texts, ", ")+"]", "cells of levels that say that nothing is known, in every spelling")
	}
	w.blank()
	s := d.statements
	switch {
	case s.open: // the survey looks for them
	case s.by != "" && s.pattern != "":
		w.note("The files state the money of a year again, so that the last one of a year counts: " + s.why + ".")
		w.line(0, "snapshots:", "")
		w.line(2, "by: {resource: "+scalar(s.pattern)+", name: "+scalar(s.by)+"}", "")
	case s.by != "":
		w.note("Rows state the money of a year again, so that the last " + shown(s.by) + " of a year counts: " + s.why + ". If each row has money of its own, write snapshots: none.")
		w.line(0, "snapshots:", "")
		w.line(2, "by: "+scalar(s.by), "")
	case s.asked != nil:
		w.note(s.why + fmt.Sprintf(". If each %s states the year since January again, write snapshots: {by: %s, per: [%s]}.", shown(s.asked.column.Name),
			scalar(s.asked.column.Name), scalar(d.yearLevel())))
		w.line(0, "snapshots: none", "")
	default:
		w.line(0, "snapshots: none", "no column of months or reports over which amounts are stated again")
	}
	if s.by != "" {
		w.line(2, "per: ["+scalar(d.yearLevel())+"]", "")
		order := each.Text(s.order, scalar)
		if len(order) > 0 {
			w.line(2, "order: ["+strings.Join(order, ", ")+"]", "earliest first")
		}
	}
	notes := d.doubts
	if d.options.Unchecked {
		notes = append([]cube.Titles{say("unchecked")}, notes...)
	}
	if unknown, ok := d.notKnown(); ok {
		notes = append(slices.Clip(notes), unknown)
	}
	if len(notes) > 0 {
		w.blank()
		w.note("Each answer says so, until these lines are taken away.")
		w.line(0, "notes:", "")
	}
	for _, note := range notes {
		w.line(2, "- en: "+scalar(note["en"]), "")
		w.line(4, "es: "+scalar(note["es"]), "")
		w.line(4, "hr: "+scalar(note["hr"]), "")
	}
	var left []string
	for _, c := range d.profile.Columns {
		if d.roles.of[c.At] == isLeft {
			left = append(left, shown(c.Name)+" ("+english(d.roles.why[c.At])+")")
		}
	}
	if len(left) > 0 {
		w.blank()
		w.note("In no dimension, but in each row: " + strings.Join(clipped(left), "; ") + ".")
	}
}

// unknownTexts lists the texts, one of each spelling, that stand for members that nobody knows.
func (d *Description) unknownTexts() []string {
	var texts, known []string
	for _, l := range d.levels {
		for _, v := range l.column.Values {
			plain := strings.ToLower(strings.TrimRight(strings.TrimSpace(v.Text), " -"))
			if v.Unknown && !slices.Contains(known, plain) {
				known = append(known, plain)
				texts = append(texts, scalar(strings.TrimRight(strings.TrimSpace(v.Text), " -")))
			}
		}
	}
	return texts
}

// yamlWriter writes YAML line by line. Texts of files come into it through scalar and shown alone.
type yamlWriter struct{ text bytes.Buffer }

// widest is how long the lines of a comment are.
const widest = 120

// line writes a line with a comment, which may be "": behind it, or above it where it is long.
func (w *yamlWriter) line(indent int, line, why string) {
	space := strings.Repeat(" ", indent)
	if why = commentText(why); indent+len(line)+len(" # ")+len(why) > widest {
		w.comment(space, why)
		why = ""
	}
	w.text.WriteString(space + line)
	if why != "" {
		w.text.WriteString(" # " + why)
	}
	w.text.WriteByte('\n')
}

func (w *yamlWriter) blank() { w.text.WriteByte('\n') }

// note writes a comment of its own.
func (w *yamlWriter) note(text string) { w.comment("", commentText(text)) }

// comment writes the lines of a comment.
func (w *yamlWriter) comment(space, text string) {
	line := space + "#"
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) >= widest && line != space+"#" {
			w.text.WriteString(line + "\n")
			line = space + "#"
		}
		line += " " + word
	}
	w.text.WriteString(line + "\n")
}

// known writes a key with its value or, where that is "", the key as a comment with an example.
func (w *yamlWriter) known(indent int, key, value, example, why string) {
	if value == "" {
		w.line(indent, "# "+key+": "+example, "")
		return
	}
	w.line(indent, key+": "+scalar(value), why)
}

// commentText takes what would end a comment out of a text.
func commentText(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
			return ' '
		}
		return r
	}, text)
}

// plainScalar matches texts that YAML reads as they are.
var plainScalar = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// notText are words that YAML reads as something else than text.
var notText = setOf("true false null yes no on off y n")

// scalar writes a text as YAML reads it back.
func scalar(text string) string {
	if plainScalar.MatchString(text) && !notText[strings.ToLower(text)] {
		return text
	}
	if _, err := strconv.Atoi(text); err == nil && text[0] != '0' && text[0] != '+' && text[0] != '-' {
		return text
	}
	quoted, err := json.Marshal(text) // JSON is YAML
	if err != nil {
		return `""`
	}
	return string(quoted)
}
