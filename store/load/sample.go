package load

import (
	"hash/maphash"
	"iter"
	"maps"
	"strconv"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/store/evidence"
	"fiscube/store/load/numeric"
)

// What makes a series of snapshots, which detectSnapshots looks for.
const (
	sampleRows   = 20_000 // of a resource
	fewestValues = 2      // of a field that distinguishes snapshots
	mostValues   = 31     // months, weeks, days of a month; of dates, those of a year
	longestText  = 2      // characters of such a value where the field is text: longer ones are codes
	fewestInKey  = 3      // snapshots of one key that make a series
)

// sample is what detecting snapshots needs of the first rows of a resource.
type sample struct {
	fields  []sampleField // whose cells are no amounts
	amounts []sampleAmount
	year    int      // among fields, or -1
	hashes  []uint64 // of the cells: a row after the other, each as long as fields
	values  []int64  // of the amounts: each as long as amounts; numeric.None where missing
	found   map[amountSeries]evidence.Rise
}

type sampleField struct {
	name    string
	index   int
	integer bool
	numbers map[uint64]int64 // the whole numbers or dates that its cells are, by hash; nil for a field that cannot distinguish snapshots
	dates   bool             // they are dates
}

type sampleAmount struct {
	name string
	cell maker
}

// amountSeries is an amount over the values of a field.
type amountSeries struct{ field, amount string }

// newSample watches the first rows of a resource. It is nil where snapshots are declared, or declared not to be there.
func newSample(d *cube.Draft, r *cube.Resource, fields []*fieldStats, year int, missing func(string) bool, off func(code, field string) bool) *sample {
	if d.Snapshots != nil || off(fdp.SnapshotDetected, "") {
		return nil
	}
	s := &sample{year: -1}
	b := &makerBuilder{resource: r, missing: missing}
	for _, f := range fields {
		switch {
		case f.asNumber:
			amount := cube.Column{Name: f.name, Type: cube.TypeDecimal}
			s.amounts = append(s.amounts, sampleAmount{f.name, b.typed(amount, b.cell(f.name))})
		case f.index == year:
			s.year = len(s.fields)
			s.fields = append(s.fields, sampleField{name: f.name, index: f.index})
		default:
			s.fields = append(s.fields, sampleField{name: f.name, index: f.index, integer: f.asInteger, numbers: map[uint64]int64{}})
		}
	}
	return s
}

func (s *sample) add(row []string, missing func(string) bool) {
	if s == nil || len(s.hashes) >= sampleRows*len(s.fields) {
		return
	}
	for i := range s.fields {
		f := &s.fields[i]
		hash := maphash.String(rowSeeds[0], row[f.index])
		s.hashes = append(s.hashes, hash)
		if f.numbers != nil && !missing(row[f.index]) {
			f.note(hash, row[f.index])
		}
	}
	for _, a := range s.amounts {
		s.values = append(s.values, numeric.Fixed(a.cell(row)))
	}
}

// note keeps the whole number or the date that a cell is, as long as there are few.
func (f *sampleField) note(hash uint64, cell string) {
	if _, known := f.numbers[hash]; known {
		return
	}
	cell = strings.TrimSpace(cell)
	day, isDate := cube.DateOf(cell)
	n, err := strconv.ParseInt(cell, 10, 64)
	switch {
	case isDate && (f.dates || len(f.numbers) == 0):
		f.dates, f.numbers[hash] = true, day.Unix()
	case err == nil && !f.dates && (len(cell) <= longestText || f.integer):
		f.numbers[hash] = n
	default:
		f.numbers = nil
	}
	if most(f.dates, maps.Values(f.numbers)) > mostValues {
		f.numbers = nil
	}
}

// most counts numbers or, of dates, those of the year that has most.
func most(dates bool, numbers iter.Seq[int64]) int {
	most, ofYear := 0, map[int]int{}
	for n := range numbers {
		year := 0
		if dates {
			year = time.Unix(n, 0).UTC().Year()
		}
		ofYear[year]++
		most = max(most, ofYear[year])
	}
	return most
}

// settle draws the evidence from the rows and lets go of them.
func (s *sample) settle() {
	if s == nil {
		return
	}
	s.found = map[amountSeries]evidence.Rise{}
	for i, f := range s.fields {
		if len(f.numbers) > 0 {
			s.settleField(i)
		}
	}
	s.hashes, s.values = nil, nil
}

func (s *sample) rows() int { return len(s.hashes) / max(1, len(s.fields)) }

func (s *sample) hash(row, field int) uint64 { return s.hashes[row*len(s.fields)+field] }

// settleField follows the amounts of each key over the values of a field. The key is all other cells but those
// that the field and the year decide, such as its label.
func (s *sample) settleField(field int) {
	var key []int
	given, count := s.given(field)
	for other := range s.fields {
		if other != field && (other == s.year || !s.decides(given, count, other)) {
			key = append(key, other)
		}
	}
	byKey := map[uint64][]int{}
	for row := range s.rows() {
		if _, known := s.fields[field].numbers[s.hash(row, field)]; !known {
			continue
		}
		var hash uint64
		for _, other := range key {
			hash = hash*31 + s.hash(row, other)
		}
		byKey[hash] = append(byKey[hash], row)
	}
	for _, rows := range byKey {
		if len(rows) >= fewestInKey {
			s.follow(field, rows)
		}
	}
}

// given numbers the years with their values of a field, and gives that of each row, and how many there are.
func (s *sample) given(field int) (of []int, count int) {
	numbers := map[[2]uint64]int{}
	for row := range s.rows() {
		given := [2]uint64{s.hash(row, field), 0}
		if s.year >= 0 {
			given[1] = s.hash(row, s.year)
		}
		number, known := numbers[given]
		if !known {
			number = len(numbers)
			numbers[given] = number
		}
		of = append(of, number)
	}
	return of, len(numbers)
}

// decides says whether the other field has one cell for each year and value of a field, of which there are so many.
func (s *sample) decides(given []int, count, other int) bool {
	cells, known := make([]uint64, count), make([]bool, count)
	for row, number := range given {
		if known[number] && cells[number] != s.hash(row, other) {
			return false
		}
		cells[number], known[number] = s.hash(row, other), true
	}
	return true
}

// follow looks at the series of each amount in the rows of one key. Rows of one value are added up.
func (s *sample) follow(field int, rows []int) {
	for i, amount := range s.amounts {
		byNumber := map[int64]int64{}
		something := false
		for _, row := range rows {
			if value := s.values[row*len(s.amounts)+i]; value != numeric.None {
				byNumber[s.fields[field].numbers[s.hash(row, field)]] += value
				something = something || value != 0
			}
		}
		if len(byNumber) < fewestInKey || !something {
			continue
		}
		id := amountSeries{s.fields[field].name, amount.name}
		e := s.found[id]
		e.Add(byNumber)
		s.found[id] = e
	}
}
