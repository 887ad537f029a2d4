package load

import (
	"cmp"
	"context"
	"hash/maphash"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"
	"golang.org/x/sync/errgroup"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
)

// Rows that are counted look like totals if their amounts are the sums of other rows:
//
//  1. These rows have all keys that the total has, and more; in another file, the same or more. A label beside its code is no
//     key, since it may be written differently.
//  2. They are in the file of the total, in one other file, or in all other files together: all such rows there, or those of
//     them alone that no rows have more keys than, since the others may be totals too.
//  3. Two of them or more have amounts. One row with the same amount is a coincidence.
//  4. A column without amounts in all rows with the keys of the total is not compared, and amounts of 0 show nothing.
//
// The rows are read again if such rows are possible, and a last time to describe the rows that are found.

// Bounds of what is remembered of the rows that may be totals.
const (
	mostGroups    = 1 << 19 // the groups of a file; rows of further groups are not compared
	mostDescribed = 101     // totals of a file: answers are checked for a hundred
	mostBelow     = 3       // lines of the rows that a total adds up
)

// kind is the keys of rows that may be totals.
type kind struct {
	keys    keySet
	below   bool     // some rows have these keys and more
	files   []int    // that have such rows
	factors []uint64 // of each column of the model, by which its amounts are multiplied; 0 if it is not compared
}

// kinds are by fiscal year. Those without a year are of rows that may add up all years.
type kinds map[string][]*kind

// subtotals finds the rows of a package that look like totals.
type subtotals struct {
	*surveyor
	kinds   kinds
	across  bool // files may repeat each other's money
	seed    maphash.Seed
	files   []map[uint64]*rowSums // by the hash of the keys, of each resource
	found   map[uint64][]*subtotalFound
	foundIn sync.Mutex
}

// rowSums is the rows with the keys of a kind, and the rows with more keys.
type rowSums struct {
	own      []ownRow
	all      uint64 // the sum of the rows with more keys
	full     uint64 // of those of them that no rows have more keys than
	rows     int32  // of all
	fullRows int32
}

type ownRow struct {
	line   int64
	amount uint64
}

func (s *rowSums) total() uint64 {
	var total uint64
	for _, row := range s.own {
		total = plus(total, row.amount)
	}
	return total
}

// subtotalFound is a row that is the sum of others, or several that are together.
type subtotalFound struct {
	lines    []int64
	resource int
	of       int  // the resource of the others, or ofOthers
	full     bool // only those of them that no rows have more keys than
	rows     []repair.Subtotal
	below    []int64 // lines of the others
	others   int
}

// ofOthers are all resources but that of the total.
const ofOthers = -1

// findSubtotals notes the rows of each file that look like totals.
func (s *surveyor) findSubtotals(ctx context.Context) error {
	if s.source.overlay.Off(repair.TotalsRow, "") || slices.ContainsFunc(s.findings.list(), isError) {
		return nil
	}
	t := &subtotals{surveyor: s, across: !s.hasSnapshotsByResource(), seed: maphash.MakeSeed(), found: map[uint64][]*subtotalFound{}}
	if t.kinds = t.kindsOfTotals(); len(t.kinds) == 0 {
		return nil
	}
	t.files = make([]map[uint64]*rowSums, len(s.surveys))
	if err := t.eachFile(ctx, t.addUp); err != nil {
		return err
	}
	t.match()
	if len(t.found) == 0 {
		return nil
	}
	if err := t.eachFile(ctx, t.describe); err != nil {
		return err
	}
	for _, all := range t.found {
		for _, found := range all {
			r := s.surveys[found.resource]
			for _, row := range found.rows {
				row.Below, row.Rows = found.below, found.others
				if found.of >= 0 && found.of != found.resource {
					row.Of = s.pkg.Resources[found.of].Name
				}
				r.subtotals = append(r.subtotals, row)
			}
		}
	}
	for _, r := range s.surveys {
		slices.SortFunc(r.subtotals, func(a, b repair.Subtotal) int { return cmp.Compare(a.Line, b.Line) })
		r.others = slices.DeleteFunc(r.others, func(line int64) bool {
			return slices.ContainsFunc(r.subtotals, func(row repair.Subtotal) bool { return row.Line == line })
		})
	}
	return nil
}

// hasSnapshotsByResource tells whether resources are declared to be statements of the same money.
func (s *surveyor) hasSnapshotsByResource() bool {
	if s.draft.Snapshots == nil {
		return false
	}
	by := s.draft.Column(s.draft.Snapshots.By)
	return by != nil && by.From != nil && by.From.Rule == cube.RuleResource
}

func (t *subtotals) eachFile(ctx context.Context, read func(context.Context, int, *resourceSurvey) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range t.surveys {
		if r.resource.LeftOut == "" && len(r.years) > 0 {
			group.Go(func() error { return read(ctx, i, r) })
		}
	}
	return group.Wait()
}

// keysOfKind leaves out the labels of codes that a row has.
func (r *resourceSurvey) keysOfKind(keys keySet) keySet {
	for _, f := range r.fields {
		if f.code&keys != 0 {
			keys &^= f.bit
		}
	}
	return keys
}

// kindsOfTotals gives the keys of rows that may be totals, by year.
func (t *subtotals) kindsOfTotals() kinds {
	all := kinds{}
	for file, r := range t.surveys {
		for year, stats := range r.years {
			for keys, sums := range stats.sums {
				if keys == ofNamed {
					continue
				}
				if keys == 0 && year != "" {
					keys = r.yearKey
				}
				k := all.of(year, r.keysOfKind(keys), len(t.draft.Columns))
				if !slices.Contains(k.files, file) {
					k.files = append(k.files, file)
				}
				for i, f := range r.amounts {
					if sums[i].Cells > 0 && k.factors[f.column] == 0 {
						k.factors[f.column] = 1 + rand.Uint64N(prime-1)
					}
				}
			}
		}
	}
	for year, ofYear := range all {
		for _, k := range ofYear {
			k.below = slices.ContainsFunc(ofYear, k.isAbove) || year == "" && all.haveBelow(k)
		}
	}
	possible := kinds{}
	for year, ofYear := range all {
		for _, k := range ofYear {
			if k.below || t.across && len(k.files) > 1 {
				possible[year] = append(possible[year], k)
			}
		}
	}
	return possible
}

// of gives the kind with some keys in a year.
func (k kinds) of(year string, keys keySet, columns int) *kind {
	if i := slices.IndexFunc(k[year], func(k *kind) bool { return k.keys == keys }); i >= 0 {
		return k[year][i]
	}
	made := &kind{keys: keys, factors: make([]uint64, columns)}
	k[year] = append(k[year], made)
	return made
}

func (k *kind) isAbove(other *kind) bool { return other.keys != k.keys && other.keys.has(k.keys) }

// haveBelow tells whether rows of any year have the keys of a kind and more.
func (k kinds) haveBelow(of *kind) bool {
	for _, ofYear := range k {
		if slices.ContainsFunc(ofYear, of.isAbove) {
			return true
		}
	}
	return false
}

// eachTotal calls visit for every kind of which a row is a total, or that the row may be added up in: with the hash of the
// keys, the amounts of the row, whether it is a total, and whether no rows have more keys than it.
func (t *subtotals) eachTotal(ctx context.Context, r *resourceSurvey, visit func(row files.Record, hash, amount uint64, own, full bool)) error {
	skip := slices.Sorted(slices.Values(r.totals))
	amounts := make([]uint64, len(r.amounts))
	defer r.forgetCells()
	return r.eachRow(ctx, func(row files.Record) {
		if _, isTotal := slices.BinarySearch(skip, row.Line); isTotal {
			return
		}
		year := strings.TrimSpace(r.yearCell(row.Cells))
		possible := t.kinds[year]
		if year != "" {
			possible = append(slices.Clip(possible), t.kinds[""]...)
		}
		if len(possible) == 0 {
			return
		}
		r.meet(row)
		keys, word, _, _ := r.keysOf()
		if word != 0 {
			return
		}
		keys = r.keysOfKind(keys)
		full, isRead := true, false
		for _, k := range t.kinds[year] {
			full = full && (k.keys != keys || !k.below)
		}
		for _, k := range possible {
			if !keys.has(k.keys) {
				continue
			}
			if !isRead {
				t.readAmounts(r, row.Cells, amounts)
				isRead = true
			}
			if amount := k.amount(r, amounts); amount != 0 {
				visit(row, t.hash(r, row.Cells, k.keys), amount, keys == k.keys, full)
			}
		}
	})
}

func (t *subtotals) hash(r *resourceSurvey, cells []string, keys keySet) uint64 {
	r.buffer = strconv.AppendUint(r.buffer[:0], uint64(keys), 16)
	r.buffer = r.appendKeys(r.buffer, cells, keys)
	return maphash.Bytes(t.seed, r.buffer)
}

// addUp adds up the rows of a file.
func (t *subtotals) addUp(ctx context.Context, i int, r *resourceSurvey) error {
	groups := map[uint64]*rowSums{}
	t.files[i] = groups
	return t.eachTotal(ctx, r, func(row files.Record, hash, amount uint64, own, full bool) {
		g := groups[hash]
		if g == nil {
			if len(groups) >= mostGroups {
				return
			}
			g = &rowSums{}
			groups[hash] = g
		}
		if own {
			g.own = append(g.own, ownRow{row.Line, amount})
			return
		}
		g.rows++
		g.all = plus(g.all, amount)
		if full {
			g.fullRows++
			g.full = plus(g.full, amount)
		}
	})
}

// match finds the rows that are the sums of others.
func (t *subtotals) match() {
	for i, groups := range t.files {
		var all []*subtotalFound
		hashes := map[*subtotalFound]uint64{}
		for hash, g := range groups {
			if len(g.own) == 0 {
				continue
			}
			if found := t.sumOf(i, hash, g); found != nil {
				found.resource = i
				all = append(all, found)
				hashes[found] = hash
			}
		}
		slices.SortFunc(all, func(a, b *subtotalFound) int { return cmp.Compare(a.lines[0], b.lines[0]) })
		for n, found := range all {
			t.surveys[i].subtotalRows += len(found.lines)
			if n < mostDescribed {
				t.found[hashes[found]] = append(t.found[hashes[found]], found)
			}
		}
	}
}

// sumOf gives the rows of a group that are the sum of others, or nil.
func (t *subtotals) sumOf(i int, hash uint64, g *rowSums) *subtotalFound {
	if lines := g.linesOf(g.all, g.rows); lines != nil {
		return &subtotalFound{lines: lines, of: i}
	}
	if lines := g.linesOf(g.full, g.fullRows); lines != nil {
		return &subtotalFound{lines: lines, of: i, full: true}
	}
	if !t.across {
		return nil
	}
	var together rowSums
	for j, groups := range t.files {
		other := groups[hash]
		if j == i || other == nil {
			continue
		}
		sum, rows := plus(other.all, other.total()), other.rows+int32(len(other.own))
		if lines := g.linesElsewhere(sum, rows); lines != nil {
			return &subtotalFound{lines: lines, of: j}
		}
		if lines := g.linesElsewhere(other.full, other.fullRows); lines != nil {
			return &subtotalFound{lines: lines, of: j, full: true}
		}
		together.all, together.rows = plus(together.all, sum), together.rows+rows
	}
	if lines := g.linesElsewhere(together.all, together.rows); lines != nil {
		return &subtotalFound{lines: lines, of: ofOthers}
	}
	return nil
}

// linesOf gives the lines of the rows that are a sum of several rows: of all, or of one.
func (s *rowSums) linesOf(sum uint64, rows int32) []int64 {
	if rows < 2 {
		return nil
	}
	total, lines := s.total(), make([]int64, 0, 1)
	for _, row := range s.own {
		lines = append(lines, row.line)
	}
	if total == sum && sum != 0 {
		return lines
	}
	for _, row := range s.own {
		if row.amount == sum || plus(row.amount, row.amount) == plus(sum, total) {
			return []int64{row.line}
		}
	}
	return nil
}

// linesElsewhere gives the lines of rows that are the sum of more rows of another file. As many rows may be the same.
func (s *rowSums) linesElsewhere(sum uint64, rows int32) []int64 {
	if lines := s.linesOf(sum, rows); len(lines) < int(rows) {
		return lines
	}
	return nil
}

// describe keeps the cells of the rows that were found, and the lines of those that they are the sums of.
func (t *subtotals) describe(ctx context.Context, i int, r *resourceSurvey) error {
	return t.eachTotal(ctx, r, func(row files.Record, hash, _ uint64, own, full bool) {
		for _, found := range t.found[hash] {
			if found.resource == i && own {
				if slices.Contains(found.lines, row.Line) && len(found.rows) < mostDescribed {
					found.rows = append(found.rows, r.subtotal(row))
				}
			} else if (found.of == i || found.of == ofOthers && found.resource != i) && (full || !found.full) {
				t.foundIn.Lock()
				found.others++
				if found.of == i && len(found.below) < mostBelow {
					found.below = append(found.below, row.Line)
				}
				t.foundIn.Unlock()
			}
		}
	})
}

// subtotal describes a row by its keys and its first amount that is not 0.
func (r *resourceSurvey) subtotal(row files.Record) repair.Subtotal {
	s := repair.Subtotal{NamedTotal: r.described([]namedTotal{{line: row.Line, cells: slices.Clone(row.Cells)}})[0]}
	for _, f := range r.amounts {
		if digits, _, _, ok := f.form.Read(row.Cells[f.index]); ok && strings.Trim(digits, "-0.") != "" {
			s.Measure, s.Amount = f.name, strings.TrimSpace(row.Cells[f.index])
			break
		}
	}
	return s
}

// prime is that by which the amounts of rows are divided: sums are equal if their remainders are, but for one chance in a
// million million. So a group of rows takes a few bytes.
const prime = 1<<61 - 1

func plus(a, b uint64) uint64 { return (a + b) % prime }

func times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return bits.Rem64(high, low, prime)
}

// amount joins the amounts of a row that are compared.
func (k *kind) amount(r *resourceSurvey, amounts []uint64) uint64 {
	var all uint64
	for i, f := range r.amounts {
		if amounts[i] != 0 {
			all = plus(all, times(k.factors[f.column], amounts[i]))
		}
	}
	return all
}

// readAmounts reads the amounts of a row as they are stored.
func (t *subtotals) readAmounts(r *resourceSurvey, cells []string, amounts []uint64) {
	for i, f := range r.amounts {
		amounts[i] = f.remainder(cells[f.index], t.fields[f.name].noiseRule())
	}
}

// remainder gives what is left of a canonical number, in units of its last possible decimal, divided by prime.
func remainder(digits string, before, after int) uint64 {
	if before+after > numeric.MaxSmallDigits {
		amount, err := decimal.NewFromString(digits)
		if err != nil {
			return 0
		}
		return new(big.Int).Mod(amount.Shift(numeric.MostDecimals).BigInt(), big.NewInt(prime)).Uint64()
	}
	n := numeric.Unscaled(digits)
	unit := uint64(1)
	for range numeric.MostDecimals - after {
		unit *= 10
	}
	rest := times(uint64(max(n, -n)), unit)
	if n < 0 && rest > 0 {
		return prime - rest
	}
	return rest
}
