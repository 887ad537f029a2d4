package repair

import (
	"cmp"
	"fmt"
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
	staying := newStaying(r)
	for _, isHeld := range []func(Resource) bool{staying.equalsOther, staying.covered} {
		for _, i := range r.bySize() {
			evidence := r.Evidence.Resources[i]
			if r.Package.Resources[i].LeftOut == "" && isHeld(evidence) {
				staying.remove(evidence)
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

// staying adds up the resources that are not left out, so that one is compared with all others at once.
type staying struct {
	years map[string]Digest // of all rows
	equal map[string]int    // how many resources have the same rows
}

func newStaying(r *Repair) *staying {
	s := &staying{map[string]Digest{}, map[string]int{}}
	for i, resource := range r.Evidence.Resources {
		if r.Package.Resources[i].LeftOut != "" {
			continue
		}
		s.equal[resource.rows()]++
		for year, digest := range resource.Years {
			s.years[year] = s.years[year].plus(digest)
		}
	}
	return s
}

func (s *staying) remove(resource Resource) {
	s.equal[resource.rows()]--
	for year, digest := range resource.Years {
		s.years[year] = s.years[year].minus(digest)
	}
}

// rows is a text that resources with the same rows have in common.
func (r Resource) rows() string {
	var b strings.Builder
	for _, year := range slices.Sorted(maps.Keys(r.Years)) {
		fmt.Fprintf(&b, "%q %x;", year, r.Years[year])
	}
	return b.String()
}

// equalsOther tells whether another resource that stays holds exactly the rows of this one.
func (s *staying) equalsOther(resource Resource) bool {
	return len(resource.Years) > 0 && s.equal[resource.rows()] > 1
}

// covered tells whether the other resources that stay, together, hold exactly the rows of this one.
func (s *staying) covered(resource Resource) bool {
	for year, digest := range resource.Years {
		if s.years[year].minus(digest) != digest {
			return false
		}
	}
	return len(resource.Years) > 0
}

func (d Digest) plus(e Digest) Digest {
	return Digest{d.Rows + e.Rows, [2]uint64{d.Sum[0] + e.Sum[0], d.Sum[1] + e.Sum[1]}}
}

func (d Digest) minus(e Digest) Digest {
	return Digest{d.Rows - e.Rows, [2]uint64{d.Sum[0] - e.Sum[0], d.Sum[1] - e.Sum[1]}}
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
