package main

import "strings"

// descriptor returns the package descriptor, its keys in the published order. synthetic is ours and
// stands near the top, where nobody overlooks it.
func (s seed) descriptor(files []file) object {
	var resources list
	for _, f := range files {
		resources = append(resources, s.resourceObject(f))
	}
	d := object{
		{"name", s.name},
		{"id", s.id},
		{"encoding", "utf_8"},
		{"format", "csv"},
		{"synthetic", true},
		{"resources", resources},
	}
	d = append(d, s.about...)
	if s.copied {
		d = append(d, pair{"schema", schema(s.fields)}, pair{"sample", rows(files[0].sample)})
	}
	return d
}

// publisher stands where the published packages name an institution.
const publisher = "fiscube (synthetic example)"

// madeUp describes a seed by what it looks like.
func madeUp(of string) string {
	return "Made-up figures in the form of " + of + ": this package is synthetic, none of its amounts is real."
}

func (s seed) resourceObject(f file) object {
	return object{
		{"bytes", len(f.content)},
		{"hash", f.hash},
		{"format", "csv"},
		{"schema", schema(s.fields)},
		{"encoding", "utf-8"},
		{"mediatype", "text/csv"},
		{"name", f.name},
		{"dialect", object{{"delimiter", ","}, {"quoteChar", `"`}}},
		{"path", "data/" + f.name},
		{"hashcopy", f.hashcopy},
		{"sample", rows(f.sample)},
		{"model", model(s.fields)},
	}
}

func rows(cells [][]string) list {
	l := make(list, len(cells))
	for i, row := range cells {
		l[i] = texts(row...)
	}
	return l
}

func schema(fields []field) object {
	var l list
	for _, f := range fields {
		l = append(l, fieldObject(f))
	}
	return object{{"fields", l}, {"missingValues", texts("")}}
}

func fieldObject(f field) object {
	concept, _, _ := strings.Cut(f.columnType, ":")
	o := object{
		{"title", f.name},
		{"name", f.name},
		{"slug", f.name},
		{"type", f.kind},
		{"format", "default"},
		{"columnType", f.columnType},
		{"conceptType", concept},
	}
	if f.kind != "number" {
		return append(o, pair{"options", list{}})
	}
	return append(o, pair{"options", measureOptions()}, pair{"decimalChar", "."}, pair{"groupChar", ","})
}

// measureOptions are what the publishing tool offers for a measure; the same six for every one.
func measureOptions() list {
	return list{
		object{{"name", "decimalChar"}, {"title", "Decimal Separator"}, {"defaultValue", "."}, {"trim", "false"}},
		object{{"name", "groupChar"}, {"title", "Grouping Character"}, {"defaultValue", ","}, {"trim", "false"}},
		object{{"name", "currency"}, {"title", "Currency"}, {"values", list{}}},
		object{{"name", "factor"}, {"title", "Factor"}, {"type", "number"}},
		object{{"name", "direction"}, {"title", "Direction"}, {"values", choices("Expenditure", "Revenue")}},
		object{{"name", "phase"}, {"title", "Phase"}, {"values", choices("Proposed", "Approved", "Adjusted", "Executed")}},
	}
}

func choices(names ...string) list {
	var l list
	for _, name := range names {
		l = append(l, object{{"name", name}, {"value", strings.ToLower(name)}})
	}
	return l
}
