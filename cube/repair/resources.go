package repair

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"fiscube/cube/findings"
)

// FieldsDiffer is the code of resources that must have the same fields and do not.
const FieldsDiffer = "fields-differ"

// schemasMustAgree refuses what schemaUnion would join, where that is switched off.
func schemasMustAgree(r *Repair) {
	for i, resource := range r.Package.Resources {
		if absent := r.Evidence.Resources[i].Absent; len(absent) > 0 {
			r.note(findings.SeverityError, FieldsDiffer, resource.Name, "",
				"it lacks "+strings.Join(absent, ", ")+", which other resources have, and schema-union is switched off")
		}
	}
}

// schemaUnion reports the fields that some resources do not have: resources are joined by field name.
func schemaUnion(r *Repair) {
	for i, resource := range r.Package.Resources {
		if absent := r.Evidence.Resources[i].Absent; len(absent) > 0 {
			r.info(SchemaUnion, resource.Name, "", "it lacks %s, which other resources have: missing in its rows",
				strings.Join(absent, ", "))
		}
	}
}

// resourceCovers leaves out a resource whose rows others have already, judged by content: per fiscal year the
// number of rows and a sum of their hashes. Of equal resources the first stays; one that holds, for each of
// its years, just what the others hold together is left out, the largest first.
func resourceCovers(r *Repair) {
	for _, isHeld := range []func(int) bool{r.equalsOther, r.covered} {
		for _, i := range r.bySize() {
			if r.Package.Resources[i].LeftOut == "" && isHeld(i) {
				r.Package.Resources[i].LeftOut = "its rows stand in other resources"
				r.warn(ResourceCovers, r.Package.Resources[i].Name, "",
					"every row of it stands in other resources of the package, so it is left out")
			}
		}
	}
	r.overlaps()
}

// bySize lists the resources by rows, the most first; of equal ones the later first.
func (r *Repair) bySize() []int {
	order := make([]int, len(r.Package.Resources))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.Package.Resources[b].Found.Rows, r.Package.Resources[a].Found.Rows), cmp.Compare(b, a))
	})
	return order
}

// others gives the rows of the resources that stay, but for the i-th.
func (r *Repair) others(i int) []Resource {
	var list []Resource
	for j, other := range r.Evidence.Resources {
		if j != i && r.Package.Resources[j].LeftOut == "" {
			list = append(list, other)
		}
	}
	return list
}

// equalsOther tells whether another resource that stays holds exactly the rows of the i-th.
func (r *Repair) equalsOther(i int) bool {
	own := r.Evidence.Resources[i].Years
	return len(own) > 0 && slices.ContainsFunc(r.others(i), func(other Resource) bool { return maps.Equal(own, other.Years) })
}

// covered tells whether the other resources that stay, together, hold exactly the rows of the i-th.
func (r *Repair) covered(i int) bool {
	own, together := r.Evidence.Resources[i].Years, map[string]Digest{}
	for _, other := range r.others(i) {
		for year, digest := range other.Years {
			together[year] = together[year].plus(digest)
		}
	}
	for year, digest := range own {
		if together[year] != digest {
			return false
		}
	}
	return len(own) > 0
}

func (d Digest) plus(e Digest) Digest {
	return Digest{d.Rows + e.Rows, [2]uint64{d.Sum[0] + e.Sum[0], d.Sum[1] + e.Sum[1]}}
}

// overlaps reports the years that several resources have with different rows, as report cuts do.
func (r *Repair) overlaps() {
	names := map[string][]string{}
	for i, resource := range r.Package.Resources {
		if resource.LeftOut == "" {
			for year := range r.Evidence.Resources[i].Years {
				names[year] = append(names[year], resource.Name)
			}
		}
	}
	for _, year := range slices.Sorted(maps.Keys(names)) {
		if len(names[year]) > 1 {
			r.warn(YearsOverlap, "", "", "fiscal year %s stands in %s", cmp.Or(year, "(missing)"), strings.Join(names[year], ", "))
		}
	}
}

// totalsRow leaves out the rows that hold the totals of the others. Other rows without keys stay and are reported.
func totalsRow(r *Repair) {
	for i := range r.Package.Resources {
		resource := &r.Package.Resources[i]
		for _, line := range r.Evidence.Resources[i].Totals {
			resource.SkipLines = append(resource.SkipLines, line)
			r.warn(TotalsRow, resource.Name, "", "the row at line %d is the total of the others, so it is left out", line)
		}
		if kept := r.Evidence.Resources[i].Others; len(kept) > 0 {
			r.warn(TotalsRow, resource.Name, "", "%d rows have no keys and are no totals of the others, so they are kept; the first is at line %d",
				len(kept), kept[0])
		}
	}
}
