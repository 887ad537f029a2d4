package e2e

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/seeds"
)

// Every file of every seed comes out of its resource as it was published, cell by cell, once numbers are read as
// numbers.
func TestResourcesEqualTheFiles(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serve(t, db, "--seed")
		for _, seed := range seeds.All() {
			p := describe(t, seed.FS)
			for i, resource := range p.Resources {
				name := s.resources(t, p.Name)[i]
				status, body := s.get(t, "/cubes/"+p.Name+"/resources/"+url.PathEscape(name))
				if status != http.StatusOK {
					t.Fatalf("%s of %s: %d %s", name, p.Name, status, body)
				}
				numbers := p.numbers(i)
				compareTables(t, p.Name+", "+name, table(t, body, numbers), table(t, sure(fs.ReadFile(seed.FS, resource.Path)), numbers))
			}
		}
	})
}

// resources names the files of a cube.
func (s *service) resources(t testing.TB, cube string) []string {
	t.Helper()
	var description struct{ Resources []struct{ Name string } }
	s.read(t, "/cubes/"+cube, &description)
	var names []string
	for _, r := range description.Resources {
		names = append(names, r.Name)
	}
	return names
}

// amountName is what amounts are called in the seeds that declare them as text.
var amountName = regexp.MustCompile(`(?i)monto|_value$|^pres|^percibido`)

// numbers names the fields of a file that hold numbers.
func (p published) numbers(resource int) map[string]bool {
	names := map[string]bool{}
	for _, field := range p.Resources[resource].Schema.Fields {
		names[field.Name] = field.Type != "string" || amountName.MatchString(field.Name)
	}
	return names
}

// table reads CSV with each number written in one way.
func table(t testing.TB, text []byte, numbers map[string]bool) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		for i, cell := range row {
			if number, err := decimal.NewFromString(strings.TrimSpace(cell)); numbers[rows[0][i]] && err == nil {
				row[i] = number.String()
			}
		}
	}
	return rows
}

func compareTables(t testing.TB, what string, got, want [][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("%s, row %d:\ngot  %q\nwant %q", what, i, got[i], want[i])
			return
		}
	}
}
