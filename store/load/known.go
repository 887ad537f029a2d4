package load

import (
	"hash/maphash"
	"math/bits"
	"strings"

	"fiscube/cube"
)

// cellCounts counts cells of a field.
type cellCounts struct {
	cells        int64 // that are not missing
	leadingZeros int64
	plain        int64 // amounts of no more decimals than people write
	grouped      int64 // numbers of which a point could separate the thousands
	zeros        int64 // numbers that are 0, in any form
	dates        int64
	untidy       int64 // keys that are not written as codes are
	apart        int64 // cells that are no joined code and label
}

func (c *cellCounts) add(other cellCounts) { c.addTimes(other, 1) }

// addTimes adds other counts so many times.
func (c *cellCounts) addTimes(other cellCounts, times int64) {
	c.cells += times * other.cells
	c.leadingZeros += times * other.leadingZeros
	c.plain += times * other.plain
	c.grouped += times * other.grouped
	c.zeros += times * other.zeros
	c.dates += times * other.dates
	c.untidy += times * other.untidy
	c.apart += times * other.apart
}

// knownCell is what a cell of a field says wherever it is met. Cells repeat, so that each is examined once.
type knownCell struct {
	examined bool
	missing  bool
	onlyMore bool      // each time that it is met again counts as the first, and changes nothing else
	again    int64     // how often it was met again
	text     string    // where onlyMore
	name     totalName // where it is a key or a label
	hash     [2]uint64 // of the field and the value, which is the same in all files
	amount   smallAmount
}

// known gives what a cell says that has a code; nil where it has none.
func (f *fieldStats) known(row record, missing func(string) bool) *knownCell {
	code := int(row.codes[f.index])
	if code == 0 {
		return nil
	}
	if code >= len(f.knownCells) {
		f.knownCells = append(f.knownCells, make([]knownCell, code+1-len(f.knownCells))...)
	}
	k := &f.knownCells[code]
	if !k.examined {
		*k = f.examine(row.cells[f.index], missing)
	}
	return k
}

// examine finds what a cell says.
func (f *fieldStats) examine(cell string, missing func(string) bool) knownCell {
	if missing(cell) {
		return knownCell{examined: true, missing: true}
	}
	k := knownCell{examined: true}
	if f.asNumber {
		k.amount = smallAmountOf(cell, f.form)
	} else if f.bit != 0 {
		k.name.names, k.name.alone = nameOfTotal(cell)
	}
	value := f.value(cell)
	for i, seed := range rowSeeds {
		var h maphash.Hash
		h.SetSeed(seed)
		_ = h.WriteByte(byte(f.column))
		_ = h.WriteByte(byte(f.column >> 8))
		_, _ = h.WriteString(value)
		k.hash[i] = h.Sum64()
	}
	return k
}

// value writes a cell as all spellings of its value are written: 6 for 6.00, and no outer spaces.
func (f *fieldStats) value(cell string) string {
	if f.asNumber {
		if digits, _, decimals, ok := f.form.read(cell); !ok {
			return cell
		} else if decimals > 0 {
			return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
		} else {
			return digits
		}
	}
	if f.asWritten {
		return cell
	}
	return cube.TidyKey(cell)
}

// addMet counts a cell that was met.
func (f *fieldStats) addMet(k *knownCell, row record) {
	cell := row.cells[f.index]
	switch {
	case k.missing:
		f.missing++
	case k.onlyMore:
		k.again++
	default:
		f.add(cell, row.line, row.cells)
		if row.codes[f.index] != 0 && f.countsOnly(cell) {
			k.onlyMore, k.text = true, strings.Clone(cell)
		}
	}
}

// countsOnly tells whether add would do nothing but count a cell that was added before.
func (f *fieldStats) countsOnly(cell string) bool {
	if f.asInteger && !isWhole(cell) {
		return false
	}
	if f.asNumber {
		_, _, after, ok := f.form.readAmount(cell)
		return ok && after <= noiseDecimals
	}
	return !f.asJoined || f.notInformed(cell) || !isJoined(cell)
}

// settle counts the cells that were met again, when the file was read.
func (f *fieldStats) settle() {
	for i := range f.knownCells {
		k := &f.knownCells[i]
		if k.again == 0 {
			continue
		}
		before := f.cellCounts
		f.cellCounts = cellCounts{}
		f.add(k.text, 0, nil)
		once := f.cellCounts
		f.cellCounts = before
		f.addTimes(once, k.again)
	}
	f.giveUpJoined()
}

// rowSeeds make the two hashes of a row; digests are compared within one run of the program alone.
var rowSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// rowHash is made of the hashes of the cells of a row that are not missing, in the order of the model's fields: rows of different files
// are the same if their values are, however they are written.
type rowHash [2]uint64

func (h *rowHash) add(cell [2]uint64) {
	for i := range h {
		h[i] = (bits.RotateLeft64(h[i], 29) ^ cell[i]) * 0x9e3779b97f4a7c15
	}
}

func (h *rowHash) sums() [2]uint64 {
	var sums [2]uint64
	for i, x := range h {
		x ^= x >> 32
		x *= 0xd6e8feb86659fd93
		sums[i] = x ^ x>>32
	}
	return sums
}
