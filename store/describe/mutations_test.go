package describe_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"fiscube/cube/findings"
	"fiscube/store/describe"
	"fiscube/store/load"
)

// sheet is a good file that can be spoilt: its lines of cells, and what its amounts add up to by year.
type sheet struct {
	mark   string // between cells
	lines  [][]string
	amount int // the column of the amounts
	year   int // the column of the year
	write  func(cents int64) string
	sums   map[string]int64 // in cents
	spoilt bool             // no careful reader can tell what was meant, so that nothing may be added up without a word
}

// goodSheet makes one of some forms of good files.
func goodSheet(r *rand.Rand) *sheet {
	s := &sheet{mark: ",", amount: 4, sums: map[string]int64{}}
	form := r.IntN(4)
	s.write = func(cents int64) string { return decimal.New(cents, -2).StringFixed(2) }
	if form == 1 {
		s.mark = ";"
		s.write = func(cents int64) string {
			whole, fraction, _ := strings.Cut(decimal.New(cents, -2).StringFixed(2), ".")
			return grouped(whole, ".") + "," + fraction
		}
	}
	s.lines = [][]string{{[]string{"year", "Jahr", "day", "fiscal_year"}[form], "office", "office_name", "unit", "amount"}}
	for n := range 60 + r.IntN(60) {
		office, unit, year := n%5, n%15, 2020+n/40
		cents := r.Int64N(900_000_000) + 100_000
		text := fmt.Sprint(year)
		switch form {
		case 2:
			text = fmt.Sprintf("%02d/%02d/%d", n%28+1, n%12+1, year)
		case 3:
			text = fmt.Sprintf("FY%d-%02d", year-1, year%100)
		}
		s.lines = append(s.lines, []string{text, fmt.Sprintf("%02d", office), "Office of " + string(rune('A'+office)), fmt.Sprintf("Unit %c", 'A'+unit), s.write(cents)})
		s.sums[fmt.Sprint(year)] += cents
	}
	return s
}

func grouped(whole, mark string) string {
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + mark + whole[i:]
	}
	return whole
}

func (s *sheet) text() string {
	var b strings.Builder
	for _, line := range s.lines {
		b.WriteString(strings.Join(line, s.mark) + "\n")
	}
	return b.String()
}

// some gives lines below the names, one of a share of them at least.
func (s *sheet) some(r *rand.Rand, share int) []int {
	var list []int
	for i := 1; i < len(s.lines); i++ {
		if r.IntN(share) == 0 {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		list = []int{1 + r.IntN(len(s.lines)-1)}
	}
	return list
}

// mutations spoil a file, or write it in another way.
var mutations = map[string]func(*sheet, *rand.Rand){
	"cells are shifted to the left": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 20) {
			s.lines[i] = slices.Delete(slices.Clone(s.lines[i]), 2, 3)
			if r.IntN(2) == 0 {
				s.lines[i] = append(s.lines[i], "")
			}
		}
		s.spoilt = true
	},
	"cells are shifted to the right": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 20) {
			s.lines[i] = slices.Insert(slices.Clone(s.lines[i]), 1+r.IntN(3), "")
		}
		s.spoilt = true
	},
	"a total at the end": func(s *sheet, _ *rand.Rand) { s.lines = append(s.lines, []string{"", "", "", "", s.write(s.total())}) },
	"a total and its repetition": func(s *sheet, _ *rand.Rand) {
		total := []string{"", "", "Total", "", s.write(s.total())}
		s.lines = append(s.lines, total, []string{"", "", "Grand total", "", s.write(s.total())})
	},
	"a total that is none": func(s *sheet, _ *rand.Rand) {
		s.lines = append(s.lines, []string{"", "", "Total", "", s.write(s.total() + 100)})
		s.spoilt = true
	},
	"decimal marks of two countries": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 10) {
			s.lines[i][s.amount] = strings.NewReplacer(".", ",", ",", ".").Replace(s.lines[i][s.amount])
			if s.mark == "," {
				s.lines[i][s.amount] = `"` + s.lines[i][s.amount] + `"`
			}
		}
		s.spoilt = true
	},
	"thousands without decimals": func(s *sheet, r *rand.Rand) {
		i := s.some(r, 10)[0]
		whole := int64(1_000 + r.IntN(998_000))
		s.lines[i][s.amount] = grouped(fmt.Sprint(whole), map[string]string{",": ".", ";": ","}[s.mark])
		s.spoilt = true
	},
	"years are missing": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 10) {
			s.lines[i][s.year] = ""
		}
		s.spoilt = true
	},
	"a year that is none": func(s *sheet, r *rand.Rand) {
		s.lines[s.some(r, 10)[0]][s.year] = "2203"
		s.spoilt = true
	},
	"dates in two orders": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 3) {
			if day, rest, ok := strings.Cut(s.lines[i][s.year], "/"); ok {
				month, year, _ := strings.Cut(rest, "/")
				s.lines[i][s.year] = month + "/" + day + "/" + year
			}
		}
	},
	"a word for an amount": func(s *sheet, r *rand.Rand) {
		s.lines[s.some(r, 10)[0]][s.amount] = []string{"abc", "see note 3", "12 apples", "1 200 300 x"}[r.IntN(4)]
		s.spoilt = true
	},
	"two currencies": func(s *sheet, r *rand.Rand) {
		for i := range s.lines[1:] {
			s.lines[i+1][s.amount] = []string{"€", "$"}[r.IntN(2)] + s.lines[i+1][s.amount]
		}
		s.spoilt = true
	},
	"percents": func(s *sheet, r *rand.Rand) {
		s.lines[s.some(r, 10)[0]][s.amount] += "%"
		s.spoilt = true
	},
	"lines above and below": func(s *sheet, _ *rand.Rand) {
		s.lines = slices.Concat([][]string{{"Budget of a town"}, {""}}, s.lines, [][]string{{"Source: the ministry"}})
		for i := range s.lines {
			s.lines[i] = append(s.lines[i], make([]string, 5-min(5, len(s.lines[i])))...)
		}
	},
	"two names alike": func(s *sheet, _ *rand.Rand) { s.lines[0][1], s.lines[0][2] = "office", "office" },
	"no names":        func(s *sheet, _ *rand.Rand) { s.lines = s.lines[1:] },
	"nothing in a row": func(s *sheet, r *rand.Rand) {
		s.lines = slices.Insert(s.lines, s.some(r, 10)[0], []string{"", "", "", "", ""})
	},
	"signs of one currency, and parentheses": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 3) {
			s.lines[i][s.amount] = "€ " + s.lines[i][s.amount]
		}
		i := s.some(r, 10)[0]
		s.subtract(i)
	},
	"words for nothing": func(s *sheet, r *rand.Rand) {
		for _, i := range s.some(r, 10) {
			s.forget(i)
			s.lines[i][s.amount] = []string{"-", "n/a", " - "}[r.IntN(3)]
		}
	},
	"a phase in each row": func(s *sheet, r *rand.Rand) {
		s.lines[0] = append(s.lines[0], "Phase")
		for i := range s.lines[1:] {
			s.lines[i+1] = append(s.lines[i+1], []string{"Plan", "Actual"}[r.IntN(2)])
		}
	},
	"a column of totals": func(s *sheet, _ *rand.Rand) {
		s.lines[0] = append(s.lines[0], "amount in all")
		for i := range s.lines[1:] {
			s.lines[i+1] = append(s.lines[i+1], s.lines[i+1][s.amount])
		}
	},
}

func (s *sheet) total() (sum int64) {
	for _, cents := range s.sums {
		sum += cents
	}
	return sum
}

// cents reads the amount of a line back.
func (s *sheet) cents(i int) int64 {
	text := strings.Trim(s.lines[i][s.amount], "€ ")
	if s.mark == ";" {
		text = strings.NewReplacer(".", "", ",", ".").Replace(text)
	}
	return decimal.RequireFromString(text).Shift(2).IntPart()
}

func (s *sheet) yearOf(i int) string {
	text := s.lines[i][s.year]
	switch {
	case strings.HasPrefix(text, "FY"):
		return "20" + text[len(text)-2:]
	case strings.Contains(text, "/"):
		return text[len(text)-4:]
	}
	return text
}

func (s *sheet) forget(i int) { s.sums[s.yearOf(i)] -= s.cents(i) }

func (s *sheet) subtract(i int) {
	s.sums[s.yearOf(i)] -= 2 * s.cents(i)
	s.lines[i][s.amount] = "(" + s.lines[i][s.amount] + ")"
}

// read gives the sums by year and measure that a file has in the end, whether somebody is told that something is odd, and why it is refused.
func (s *sheet) read(t *testing.T) (sums map[[2]string]decimal.Decimal, told bool, refused error) {
	files := fstest.MapFS{"budget.csv": &fstest.MapFile{Data: []byte(s.text())}}
	d, err := describe.Read(t.Context(), files, []string{"budget.csv"}, describe.Options{}, load.Silent{})
	if err != nil {
		return nil, false, err
	}
	if err := d.Check(t.Context(), load.Silent{}); err != nil {
		return nil, false, err
	}
	sums = map[[2]string]decimal.Decimal{}
	for _, total := range d.Totals() {
		key := [2]string{total.Year, total.Measure}
		sums[key] = sums[key].Add(decimal.RequireFromString(total.Sum))
	}
	return sums, len(d.Doubts()) > 0 || slices.ContainsFunc(d.Findings(), func(f findings.Finding) bool { return f.Severity != findings.SeverityInfo }), nil
}

// However a file is spoilt, its sums are right, or it is refused, or somebody is told. No other amounts are added than a careful reader would.
func TestRead_GuessesNothingSilently(t *testing.T) {
	names := slices.Sorted(maps.Keys(mutations))
	right, refused, told := 0, 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 28))
		s, done := goodSheet(r), names[r.IntN(len(names))]
		mutations[done](s, r)
		sums, isTold, err := s.read(t)
		switch {
		case err != nil:
			if refused++; !s.spoilt && done != "dates in two orders" && done != "no names" {
				t.Errorf("%d, %s: it is refused, though a careful reader reads it: %v", seed, done, err)
			}
		case isTold:
			told++
		case s.spoilt:
			t.Errorf("%d, %s: nobody is told that it is odd, and its sums are %v:\n%.600s", seed, done, sums, s.text())
		default:
			right++
			s.compare(t, fmt.Sprintf("%d, %s", seed, done), sums)
		}
	}
	t.Logf("%d right, %d refused, %d told", right, refused, told)
}

// compare compares the sums with those that a careful reader finds, over the phases of one amount.
func (s *sheet) compare(t *testing.T, name string, sums map[[2]string]decimal.Decimal) {
	t.Helper()
	got := map[string]decimal.Decimal{}
	for key, sum := range sums {
		if !strings.Contains(key[1], "all") {
			got[key[0]] = got[key[0]].Add(sum)
		}
	}
	for _, year := range slices.Sorted(maps.Keys(s.sums)) {
		if want := decimal.New(s.sums[year], -2); !got[year].Equal(want) {
			t.Errorf("%s: %s of %s, want %s\n%.400s", name, got[year], cmp.Or(year, "no year"), want, s.text())
		}
	}
}

// Statements of the same money that hardly grow may be money of their own: those are counted by their last one, and each answer says so.
func TestRead_DoubtsStatementsThatHardlyGrow(t *testing.T) {
	quarters := func(amount func(office, quarter int) int) map[string]string {
		return map[string]string{"a.csv": rows("year,quarter,office,spent", 32, func(n int) string {
			return fmt.Sprintf("2023,Q%d,Office %d,%d", n%4+1, n/4, amount(n/4, n%4+1))
		})}
	}
	months, bare := map[string]string{}, map[string]string{}
	for i, month := range []string{"enero", "febrero", "marzo"} {
		months[month+".csv"] = rows("oficina,anio,gasto", 6, func(n int) string { return fmt.Sprintf("Oficina %d,2023,%d", n, 100*n+7+i) })
		bare["gasto-"+month+"-2023.csv"] = rows("oficina,gasto", 6, func(n int) string { return fmt.Sprintf("Oficina %d,%d", n, 100*n+7+i) })
	}
	for name, test := range map[string]struct {
		files map[string]string
		want  string
		doubt bool
	}{
		"quarters that grow":                    {quarters(func(office, quarter int) int { return 1000*office + 100 + 7*quarter }), "2023 29024", true},
		"quarters since January":                {quarters(func(office, quarter int) int { return (1000*office + 100) * quarter }), "2023 115200", false},
		"quarters of their own, up and down":    {quarters(func(office, quarter int) int { return 1000*office + 7*(quarter%3) + 1 }), "2023 112256", true},
		"files of months, nearly the same each": {months, "2023 1554", true},
		"files of months that say the year":     {bare, "2023 4644", true},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			var paths []string
			for path, text := range test.files {
				files[path], paths = &fstest.MapFile{Data: []byte(text)}, append(paths, path)
			}
			d, err := describe.Read(t.Context(), files, slices.Sorted(slices.Values(paths)), describe.Options{}, load.Silent{})
			if err == nil {
				err = d.Check(t.Context(), load.Silent{})
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Totals()[0].Year + " " + d.Totals()[0].Sum; got != test.want || len(d.Doubts()) > 0 != test.doubt {
				t.Errorf("%s, want %s, with the doubts %v", got, test.want, d.Doubts())
			}
		})
	}
}
