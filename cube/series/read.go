package series

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Files is the pattern of the files of a package that hold its own series, and MostBytes is how long one may be.
const (
	Files     = "series/*.csv"
	MostBytes = 1 << 20
)

// Read reads a file of series (see the package comment). Each country of the file has a series with the name of the file. The
// error names every mistake with its line.
func Read(name string, data []byte) ([]cube.Series, error) {
	f := file{like: cube.Series{Name: name}}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	f.readComments(data)
	f.readRows(csv.NewReader(bytes.NewReader(data)))
	if len(f.problems) == 0 && len(f.list) == 0 {
		f.problem(0, "it has no values")
	}
	if len(f.problems) > 0 {
		return nil, fmt.Errorf("%s: %w", name, errors.Join(f.problems...))
	}
	for i := range f.list {
		slices.SortFunc(f.list[i].Values, func(a, b cube.YearValue) int { return int(a.Year - b.Year) })
	}
	return f.list, nil
}

// file is a file that is being read.
type file struct {
	like     cube.Series // what all its series have in common
	list     []cube.Series
	problems []error
}

func (f *file) problem(line int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if line > 0 {
		text = fmt.Sprintf("line %d: %s", line, text)
	}
	f.problems = append(f.problems, errors.New(text))
}

// readComments reads what the comments before the header say.
func (f *file) readComments(data []byte) {
	s := &f.like
	said := map[string]*string{"title": &s.Title, "source": &s.Source, "licence": &s.License, "updated": &s.Updated}
	for i, line := range strings.Split(string(data), "\n") {
		comment, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		key, text, _ := strings.Cut(comment, ":")
		if into := said[strings.TrimSpace(key)]; into != nil {
			*into = strings.TrimSpace(text)
		} else {
			f.problem(i+1, "a comment says title, source, licence or updated, as # source: National Statistics")
		}
	}
	for _, key := range []string{"title", "source", "licence", "updated"} {
		if *said[key] == "" {
			f.problem(0, "no comment before the header says its %s, as # %s: …", key, key)
		}
	}
	if _, err := time.Parse(time.DateOnly, s.Updated); s.Updated != "" && err != nil {
		f.problem(0, "updated is a day, as 2025-07-01, not %q", s.Updated)
	}
}

// readRows reads the header and the values.
func (f *file) readRows(r *csv.Reader) {
	r.Comment = '#'
	header, err := r.Read()
	units := []cube.SeriesUnit{cube.UnitAnnualPercent, cube.UnitIndex, cube.UnitPersons}
	if err != nil || len(header) != 3 || header[0] != "country" || header[1] != "year" || !slices.Contains(units, cube.SeriesUnit(header[2])) {
		f.problem(0, "its header is country,year and one of annual_percent, index and persons")
		return
	}
	f.like.Unit = cube.SeriesUnit(header[2])
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			f.problem(0, "%v", err)
			return
		}
		line, _ := r.FieldPos(0)
		f.readRow(line, strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]))
	}
}

var (
	yearText   = regexp.MustCompile(`^[0-9]{4}$`)
	numberText = regexp.MustCompile(`^-?[0-9]{1,18}(\.[0-9]{1,18})?$`)
)

func (f *file) readRow(line int, country, year, number string) {
	switch {
	case country == "":
		f.problem(line, "it names no country")
		return
	case !yearText.MatchString(year):
		f.problem(line, "%q is no year", year)
		return
	case !numberText.MatchString(number):
		f.problem(line, "%q is no number, as 4.25", number)
		return
	}
	v := cube.YearValue{Value: decimal.RequireFromString(number)} // the expression admits only digits, sign and point
	v.Year, _ = strconv.ParseInt(year, 10, 64)
	if least := f.least(); v.Value.LessThanOrEqual(least) {
		f.problem(line, "%s is not above %s", number, least)
		return
	}
	i := slices.IndexFunc(f.list, func(s cube.Series) bool { return s.Country == country })
	if i < 0 {
		s := f.like
		s.Country = country
		i, f.list = len(f.list), append(f.list, s)
	}
	if _, twice := f.list[i].Value(v.Year); twice {
		f.problem(line, "%s has two values for %d", country, v.Year)
		return
	}
	f.list[i].Values = append(f.list[i].Values, v)
}

// least is what every value is above, since factors divide by prices and inhabitants.
func (f *file) least() decimal.Decimal {
	if f.like.Unit == cube.UnitAnnualPercent {
		return decimal.NewFromInt(-100)
	}
	return decimal.Zero
}
