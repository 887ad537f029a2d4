package load

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// A package whose documents were made has its files where they are, and its rows are read as published.
func TestOpenMade_ReadsFilesThatHaveNoDescriptor(t *testing.T) {
	files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte("year,office,amount\n2024, A,1.50\n2024,B,2\n")}}
	descriptor := `{"name": "made", "resources": [{"name": "a.csv", "path": "a.csv", "schema": {"fields": [
		{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "office", "type": "string"}, {"name": "amount", "type": "number"}]}}]}`
	overlay := "measures: {amount: {currency: EUR}}\ndimensions: {office: {}}\nlevels: {office: {dimension: office}}\n"
	source, err := OpenMade(t.Context(), files, []byte(descriptor), []byte(overlay), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	survey, err := Take(t.Context(), source, Silent{})
	if err != nil {
		t.Fatal(err)
	}
	if m, _ := survey.Package().Model.Measure("amount"); m.Currency != "EUR" {
		t.Errorf("the overlay is not applied: %+v", m)
	}
	var rows []string
	for row, err := range survey.Rows(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, strings.Join(row.Cells, "|"))
	}
	if got := strings.Join(rows, "\n"); got != "2024| A|1.50\n2024|B|2" {
		t.Errorf("the rows are\n%s", got)
	}
}

func TestOpenBytes_BoundsWhatAFileUnpacksTo(t *testing.T) {
	files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte("a,b\n")}, "b.csv.gz": &fstest.MapFile{Data: []byte(gzipText(t, strings.Repeat("a,b\n", 1000)))}}
	for path, want := range map[string]string{"a.csv": "a,b\n", "b.csv.gz": strings.Repeat("a,b\n", 1000)} {
		data, err := OpenBytes(t.Context(), files, path, "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(data); string(text) != want || err != nil {
			t.Errorf("%s has %d bytes: %v", path, len(text), err)
		}
		_ = data.Close()
	}
	data, err := OpenBytes(t.Context(), files, "b.csv.gz", "", Options{MaxBytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(data); err == nil || !strings.Contains(err.Error(), "it unpacks to over") {
		t.Errorf("more than may be unpacked is read: %v", err)
	}
	if _, err := OpenBytes(t.Context(), files, "c.csv", "", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
