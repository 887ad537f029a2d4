package repair

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
)

// FieldsDiffer is the code of resources that must have the same fields and do not.
const FieldsDiffer = "fields-differ"

// schemasMustAgree refuses what schemaUnion would join, where that is switched off.
func schemasMustAgree(r *Repair) {
	for i, resource := range r.Package.Resources {
		if absent := r.Evidence.Resources[i].Absent; len(absent) > 0 {
			r.Findings = append(r.Findings, findings.Finding{
				Code: FieldsDiffer, Severity: findings.SeverityError, Resource: resource.Name, Count: 1,
				Message: "it lacks " + strings.Join(absent, ", ") + ", which other resources have, and schema-union is switched off",
			})
		}
	}
}

// schemaUnion reports the fields that some resources do not have: resources are joined by field name.
func schemaUnion(r *Repair) {
	for i, resource := range r.Package.Resources {
		if absent := r.Evidence.Resources[i].Absent; len(absent) > 0 {
			r.info(SchemaUnion, resource.Name, "", "", findings.Params{"fields": absent})
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
				r.Package.Resources[i].LeftOut, r.Package.Resources[i].Repeats = findings.LeftRepeated, true
				r.warn(ResourceCovers, r.Package.Resources[i].Name, "", "", nil)
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

// overlaps reports the years that several resources have. If their rows differ they may be reports of the same money, as
// report cuts are; the same rows are counted more than once.
func (r *Repair) overlaps() {
	resources := map[string][]int{} // by year
	for i, resource := range r.Package.Resources {
		if resource.LeftOut == "" {
			for year := range r.Evidence.Resources[i].Years {
				resources[year] = append(resources[year], i)
			}
		}
	}
	name := func(i int) string { return r.Package.Resources[i].Name }
	for _, year := range slices.Sorted(maps.Keys(resources)) {
		if len(resources[year]) > 1 {
			r.warn(YearsOverlap, "", "", "", withList(findings.Params{"year": year}, "resources", each.Text(resources[year], name)))
		}
		if r.hasSnapshotsByResource() {
			continue
		}
		if same := each.Text(r.repeating(year, resources[year]), name); len(same) > 0 {
			if len(r.Package.Overlaps) < mostDoubled {
				r.Package.Overlaps = append(r.Package.Overlaps, cube.YearOverlap{Year: year, Resources: same})
			}
			r.warn(YearsOverlap, "", "", "same", withList(findings.Params{"year": year}, "resources", same))
		}
	}
}

// mostCompared bounds the resources of a year that are compared with each other.
const mostCompared = 100

// repeating gives the resources that share many rows of a year with another.
func (r *Repair) repeating(year string, resources []int) []int {
	resources = resources[:min(len(resources), mostCompared)]
	found := map[int]bool{}
	for n, i := range resources {
		for _, j := range resources[:n] {
			a, b := r.Evidence.Resources[i], r.Evidence.Resources[j]
			if a.Years[year] == b.Years[year] || a.Rows[year].repeats(b.Rows[year]) {
				found[i], found[j] = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// withList adds the first of some names to the parameters of a sentence.
func withList(params findings.Params, list string, names []string) findings.Params {
	params[list] = names[:min(len(names), mostLines)]
	if more := len(names) - mostLines; more > 0 {
		params[findings.More] = int64(more)
	}
	return params
}

// hasSnapshotsByResource tells whether resources are declared to be statements of the same money.
func (r *Repair) hasSnapshotsByResource() bool {
	if r.Draft.Snapshots == nil {
		return false
	}
	by := r.Draft.Column(r.Draft.Snapshots.By)
	return by != nil && by.From != nil && by.From.Rule == cube.RuleResource
}

// mostLines is how many rows of a resource have a finding each, and how many resources a finding names.
const mostLines = 10

// mostDoubled bounds the rows of a package that are called totals, and the years that several resources have, which every
// answer is checked for.
const mostDoubled = 100

// namedTotals reports the rows that are called totals and are counted.
func (r *Repair) namedTotals(resource string, rows []cube.NamedTotal) {
	if len(rows) == 0 {
		return
	}
	lines := each.Text(rows, func(t cube.NamedTotal) string { return strconv.FormatInt(t.Line, 10) })
	r.warn(LooksLikeTotal, resource, "", "named", withList(findings.Params{"rows": int64(len(rows))}, "lines", lines))
	r.Package.NamedTotals = addTotals(r.Package.NamedTotals, rows)
}

// subtotals reports the rows that are the sums of others and are counted; the first of them are given.
func (r *Repair) subtotals(resource string, first []Subtotal, rows int) {
	if rows == 0 {
		return
	}
	for _, row := range first[:min(len(first), mostLines)] {
		sentence, params := row.sum()
		r.warn(LooksLikeTotal, resource, "", sentence, params)
	}
	if more := rows - mostLines; more > 0 {
		r.warn(LooksLikeTotal, resource, "", "more", findings.Params{"rows": int64(more), "line": first[mostLines].Line})
	}
	totals := each.Of(first, func(row Subtotal) cube.NamedTotal { return row.NamedTotal })
	r.Package.NamedTotals = addTotals(r.Package.NamedTotals, totals)
}

// sum says which rows add up to a subtotal: the sentence, and what it names.
func (s Subtotal) sum() (string, findings.Params) {
	params := findings.Params{"line": s.Line, "measure": s.Measure, "amount": s.Amount, "rows": int64(s.Rows)}
	if len(s.Below) == 0 {
		return "sum-elsewhere", params
	}
	params["lines"] = each.Text(s.Below, func(line int64) string { return strconv.FormatInt(line, 10) })
	if more := s.Rows - len(s.Below); more > 0 {
		params[findings.More] = int64(more)
	}
	if s.IsDifference {
		return "difference", params
	}
	if s.Of == "" {
		return "sum", params
	}
	params["resource"] = s.Of
	return "sum-of", params
}

// addTotals adds rows that answers are checked for. Of more than a hundred of a package, one stands for the rest.
func addTotals(list, rows []cube.NamedTotal) []cube.NamedTotal {
	room := min(len(rows), max(0, mostDoubled-len(list)))
	list = append(list, rows[:room]...)
	if room < len(rows) && list[len(list)-1].Cells != nil {
		list = append(list, cube.NamedTotal{Resource: rows[room].Resource, Line: rows[room].Line})
	}
	return list
}

// totalsRow leaves out the rows that hold the totals of the others. Other rows without keys stay and are reported.
func totalsRow(r *Repair) {
	for i := range r.Package.Resources {
		resource := &r.Package.Resources[i]
		lines := r.Evidence.Resources[i].Totals
		slices.Sort(lines)
		resource.SkipLines = append(resource.SkipLines, lines...)
		for _, s := range r.Evidence.Resources[i].Siblings {
			sentence, params := "sibling", findings.Params{"member": s.Member, "rows": int64(len(s.Lines)), "line": s.Lines[0]}
			if s.Members > 0 {
				sentence = "codes"
				delete(params, "member")
				params["members"] = int64(s.Members)
			}
			r.warn(TotalsRow, resource.Name, s.Field, sentence, params)
			if len(s.Others) > 0 {
				r.warn(TotalsRow, resource.Name, s.Field, "codes-kept", findings.Params{"members": int64(len(s.Others)), "member": s.Others[0]})
			}
			lines = slices.DeleteFunc(slices.Clone(lines), func(line int64) bool {
				_, found := slices.BinarySearch(s.Lines, line)
				return found
			})
		}
		for _, line := range lines[:min(len(lines), mostLines)] {
			r.warn(TotalsRow, resource.Name, "", "left-out", findings.Params{"line": line})
		}
		if more := len(lines) - mostLines; more > 0 {
			r.warn(TotalsRow, resource.Name, "", "more", findings.Params{"rows": int64(more), "line": lines[mostLines]})
		}
		if resource.LeftOut == "" {
			r.namedTotals(resource.Name, r.Evidence.Resources[i].Named)
			r.subtotals(resource.Name, r.Evidence.Resources[i].Subtotals, r.Evidence.Resources[i].SubtotalRows)
		}
		r.Package.TotalsLeftOut = addTotals(r.Package.TotalsLeftOut, r.Evidence.Resources[i].Out)
		if kept := r.Evidence.Resources[i].Others; len(kept) > 0 {
			r.warn(TotalsRow, resource.Name, "", "kept", findings.Params{"rows": int64(len(kept)), "line": kept[0]})
		}
	}
}
