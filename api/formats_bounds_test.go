package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestExcelCSV(t *testing.T) {
	h := answering(t, nasty()...)
	r := ask(t, h, question+"&format=csv&excel=1")
	text, marked := strings.CutPrefix(r.body, "\ufeff")
	if !marked {
		t.Error("there is no byte-order mark")
	}
	says(t, text, "\r\n-1,'=1+1,'@SUM(A1),-99999999999999999999999999999999999.99,0,\r\n", "\r\n0, outer ,'\ttab,0.05,",
		"\r\n2016,'-5,'+5,-118405000.10,2,0.100000\r\n", "0010,\"a,\"\"b\"\"\n;|c\r\nd\",12345678901234567.89")
	for label, want := range map[string]string{
		" =a": "' =a", "\u00a0=a": "'\u00a0=a", "\u2003\u200b\ufeff+a": "'\u2003\u200b\ufeff+a", " \t a": " \t a", " a=b": " a=b", " ": " ",
	} {
		guarded := ask(t, answering(t, cube.Cell{Values: amounts("0", "0", "0"), Count: 1}, keys(1, label, "", "1", "1", "1")), question+"&format=csv&excel=1")
		says(t, guarded.body, "\r\n1,"+want+",,1.00,")
	}
	for _, query := range []string{"&excel=1", "&format=xlsx&excel=true", "&format=csv&excel=2"} {
		if p := ask(t, h, question+query).problem(t); p.Code != cube.CodeBadValue || *p.Context.Parameter != "excel" {
			t.Errorf("%s: %v", query, p)
		}
	}
	if plain := ask(t, h, question+"&format=csv&excel=0").body; strings.Contains(plain, "'=") {
		t.Error("nobody asked for guards")
	}
}

func TestNumbersAsStringsInNDJSON(t *testing.T) {
	r := ask(t, answering(t, nasty()...), question+"&format=ndjson&numbers=string")
	says(t, r.body, `"approved_value.sum":"12345678901234567.89","_count":3,"approved_value.avg":"-0.000001"}`+"\n")
}

// A workbook holds so many rows, columns and characters; more is said before anything is sent.
func TestWhatDoesNotFitIntoAWorkbook(t *testing.T) {
	long := strings.Repeat("🏛", 32_768/2)
	for name, tt := range map[string]struct {
		cells []cube.Cell
		query string
		fits  bool
	}{
		"rows":         {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1 << 20}}, "", false},
		"cells":        {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1<<24/6 + 1}}, "", false},
		"a page":       {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1 << 20}}, "&pagesize=10", true},
		"a text":       {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "a", long, "1", "1", "1")}, "", false},
		"a short text": {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "a", long[4:], "1", "1", "1")}, "", true},
	} {
		r := ask(t, answering(t, tt.cells...), question+"&format=xlsx"+tt.query)
		if (r.status == http.StatusOK) != tt.fits {
			t.Errorf("%s: %d", name, r.status)
		}
		if !tt.fits {
			if p := r.problem(t); p.Code != cube.CodeTooLarge || !strings.Contains(p.Context.Hint, "format=csv") || r.header.Get("Link") != "" {
				t.Errorf("%s: %v", name, p)
			}
		}
	}
	f := newFake(t)
	f.cubes[0].Rows, f.facts = 1<<20, threeFacts()
	if p := ask(t, handler(t, f), threeFields+"&format=xlsx").problem(t); p.Code != cube.CodeTooLarge {
		t.Errorf("facts: %v", p)
	}
}

// A store that fails after part of an answer: the connection is cut, or nothing was sent yet and an error is answered.
func TestFailureInTheMiddleOfEachFormat(t *testing.T) {
	f := many(t, 0)
	cells := []cube.Cell{{Values: amounts("0"), Count: 100_000}}
	for i := range 100_000 {
		cells = append(cells, cube.Cell{Values: amounts(fmt.Sprint(i) + ".50")})
	}
	f.run = failing(errors.New("secret"), cells...)
	f.factsErr, f.membersErr = errors.New("secret"), errors.New("secret")
	for range 100_000 {
		f.facts = append(f.facts, threeFacts()[0])
		f.members = append(f.members, cube.MemberRow{Path: []cube.Value{cube.Text("010"), cube.Text(fmt.Sprint(len(f.members)))}})
	}
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	for _, target := range []string{someCells, threeFields, membersOf + "?complete=1", "/cubes/croatia/package.zip?aggregates=approved_value.sum"} {
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet"} {
			if strings.Contains(target, "package") {
				if format != "csv" {
					continue
				}
			} else {
				target, _, _ = strings.Cut(target, "&format")
				target += "&format=" + format
			}
			response, err := http.Get(server.URL + target)
			if err != nil {
				continue
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			refused := response.StatusCode == http.StatusInternalServerError && bytes.Contains(body, []byte("internal error"))
			if refused != (format == "xlsx") || !refused && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: %d, %d bytes, %v", target, response.StatusCode, len(body), err)
			}
		}
	}
}

// What a workbook spools into files is gone with the answer, also where that is an error.
func TestWorkbooksLeaveNoFiles(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	cells := []cube.Cell{{Values: amounts("0", "0", "0"), Count: 1}}
	for range 20_000 {
		cells = append(cells, keys(2016, "010", strings.Repeat("x", 1000), "1", "1", "1"))
	}
	spooled := 0
	for _, err := range []error{nil, errors.New("secret")} {
		f := newFake(t)
		f.run = func(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
			return func(yield func(cube.Cell, error) bool) {
				for cell, err := range failing(err, cells...)(ctx, plan) {
					if !yield(cell, err) {
						return
					}
				}
				files, _ := os.ReadDir(folder)
				spooled += len(files)
			}
		}
		r := ask(t, handler(t, f), question+"&format=xlsx")
		if files, _ := os.ReadDir(folder); len(files) != 0 || (r.status == http.StatusOK) != (err == nil) {
			t.Errorf("%d, and %d files are left", r.status, len(files))
		}
	}
	if spooled == 0 {
		t.Error("nothing was spooled: the test shows nothing")
	}
}
