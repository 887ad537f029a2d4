package load

import (
	"context"
	"iter"
	"maps"
	"sync/atomic"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/repair"
	"fiscube/store/load/coded"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
	"fiscube/store/load/points"
	"fiscube/store/load/temporary"
)

// surveyor reads the files of a package, several at once, and settles its model.
type surveyor struct {
	source   *Source
	pkg      *cube.Package
	draft    *cube.Draft
	progress Progress
	findings collector
	surveys  []*resourceSurvey // one for each resource; without fields where the file could not be read
	fields   map[string]*fieldStats
	repaired []findings.Finding

	qualifiers []repair.Qualifier

	keepsOnly bool // the rows are read and kept, and not looked at
	rows      Kept // once all are read

	kept *temporary.File // the rows of all files
	originals
	keysLeft atomic.Int64 // how many more keys of snapshots may be remembered
}

// warn notes what looks wrong, in a sentence of the code.
func (s *surveyor) warn(order int, code, sentence string, params findings.Params) {
	f := findings.Finding{Code: code, Severity: findings.SeverityWarning}
	if order < len(s.pkg.Resources) {
		f.Resource = s.pkg.Resources[order].Name
	}
	s.findings.add(order, prose.Describe(f, sentence, params), findings.Place{})
}

// resourceSurvey reads one file.
type resourceSurvey struct {
	*surveyor
	order    int
	resource *cube.Resource
	fields   []*fieldStats // of the model's published fields that the file has, in the model's order
	absent   []string      // those that it does not have
	missing  func(string) bool
	year     int // the index of the fiscal year, or -1
	years    map[string]*yearStats
	amounts  []*fieldStats // those of fields that are read as numbers
	keyless  []keylessRow
	totals   []int64 // the lines of rows that hold the totals of the others
	named    []namedTotal
	leftOut  []namedTotal // rows of totals, but those without any key
	suspects []namedTotal // rows that are called totals, and are loaded
	others   []int64      // the lines of those without keys that do not, where rows have keys
	kept     int          // the bytes of keyless and named
	buffer   []byte

	maker *points.Maker // nil where the rows of the file are data points
	line  int64         // of the row that maker is given
	coded *coded.Rows   // the data points of the file, to be read again
	met   []*knownCell  // what the cells of the last row say, one for each of fields
	alone []knownCell   // likewise, where such a cell has no code

	totalsOff bool
	yearKey   keySet
	unchecked int64   // the line of the first row with a word for a total that was not remembered; 0 if all were
	skip      []int64 // the lines of totals that an earlier reading has found, ascending

	levels   []*levelSums    // whose members may be the sums of their siblings
	floats   []float64       // the amounts of the row that was met last
	siblings []*siblingTotal // the members that are, whose lines are in skip

	subtotals    []repair.Subtotal // the first rows that are the sums of others, and are loaded
	subtotalRows int               // how many there are

	tooManyYears  bool
	sampleDiffers int64 // the first line that is not as the descriptor's sample says; 0 where all are

	periods []periodField

	combinations *combinations // nil where no field holds qualifiers
	snapshots    *snapshots    // nil without snapshots
	sample       *sample       // nil with them
}

// yearStats is what the rows of a fiscal year add up to.
type yearStats struct {
	digest repair.Digest
	sample repair.RowSample
	sums   map[keySet][]numeric.Sum // by the keys that rows have; one for each field that is read as a number
	where  map[string][]numeric.Sum // the same by the qualifiers that rows have; nil without combinations
	filled []bool                   // for each field: it has a cell
	counts []bool                   // for each field that is read as a number: it has an amount that is not 0

	periods []periodSet // for each period field: those of its rows
}

// keylessRow is a row without any key: its amounts may be the totals of the others.
type keylessRow struct {
	line  int64
	year  string
	cells []string
}

// mostKeySets is how many combinations of cells the rows of a year may have, or the rows with a word for a total; others are not
// compared.
const mostKeySets = 64

// sumsOf gives the sums of the rows with the same keys. If there are too many such sets, further rows are added to one.
func (y *yearStats) sumsOf(keys keySet, amounts int) []numeric.Sum {
	sums, ok := y.sums[keys]
	if !ok && len(y.sums) >= mostKeySets {
		keys = 0
		sums, ok = y.sums[keys]
	}
	if !ok {
		sums = make([]numeric.Sum, amounts)
		y.sums[keys] = sums
	}
	return sums
}

// sumsWhere gives the sums of the rows of a combination of qualifiers.
func (y *yearStats) sumsWhere(combination string, amounts int) []numeric.Sum {
	if y.where == nil {
		y.where = map[string][]numeric.Sum{}
	}
	sums, ok := y.where[combination]
	if !ok {
		sums = make([]numeric.Sum, amounts)
		y.where[combination] = sums
	}
	return sums
}

// total is the sum of an amount over all rows, and how many cells it adds up.
func (y *yearStats) total(amount int, rule numeric.NoiseRule) (sum decimal.Decimal, cells int64) {
	return totalOf(maps.Values(y.sums), amount, rule)
}

// totalWhere is the total over the rows of some combinations of qualifiers.
func (y *yearStats) totalWhere(has func(combination string) bool, amount int, rule numeric.NoiseRule) (sum decimal.Decimal, cells int64) {
	return totalOf(func(yield func([]numeric.Sum) bool) {
		for combination, sums := range y.where {
			if has(combination) && !yield(sums) {
				return
			}
		}
	}, amount, rule)
}

func totalOf(list iter.Seq[[]numeric.Sum], amount int, rule numeric.NoiseRule) (sum decimal.Decimal, cells int64) {
	for sums := range list {
		sum, cells = sum.Add(sums[amount].Total(rule)), cells+sums[amount].Cells
	}
	return sum, cells
}

// find notes a mistake.
func (r *resourceSurvey) find(code, message string, at findings.Place) {
	f := findings.Finding{Code: code, Severity: findings.SeverityError, Resource: r.resource.Name, Message: message}
	r.findings.add(r.order, f, at)
}

// eachRow gives the rows again, which readFile has read.
func (r *resourceSurvey) eachRow(ctx context.Context, row func(files.Record)) error {
	for kept, err := range r.coded.All(ctx) {
		if err != nil {
			return err
		}
		row(files.Record{Line: kept.Line, Cells: kept.Cells, Codes: kept.Codes})
	}
	return nil
}

// meet finds what the cells of a row say.
func (r *resourceSurvey) meet(row files.Record) {
	for i, f := range r.fields {
		if known := f.known(row, r.missing); known != nil {
			r.met[i] = known
			continue
		}
		r.alone[i] = f.examine(row.Cells[f.index], r.missing)
		r.met[i] = &r.alone[i]
	}
}

// forgetCells lets go of what is known of cells.
func (r *resourceSurvey) forgetCells() {
	for _, f := range r.fields {
		f.knownCells = nil
	}
}
