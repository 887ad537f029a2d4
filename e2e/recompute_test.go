package e2e

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

var (
	commandOnPage = regexp.MustCompile(`(?s)<pre data-copy tabindex="0">duckdb -noheader -list &lt;&lt;&#39;SQL&#39;\n(.*?)\nSQL</pre>`)
	reasonOnPage  = regexp.MustCompile(`(?s)<h2 id="check">[^<]*</h2>\s*<p>([^<]+)</p>`)
	exactOnPage   = regexp.MustCompile(`exactly ([^<]+)<`)
	numberLink    = regexp.MustCompile(`href="[^"]*?(/explore/[^"]*/number\?[^"]*)"`)
	fileInCommand = regexp.MustCompile(`'(data/[^']*)'`)
	linesOnPage   = regexp.MustCompile(`(?s)<table class="cells made">\n<caption class="unseen">([\d,]+) .*?<tbody>(.*?)</tbody>`)
	moreLines     = regexp.MustCompile(`<p><a href="([^"]*)">[^<]*</a></p>\n<h2>`)
	fileOnPage    = regexp.MustCompile(`<li><a href="[^"]*">(data/[^<]*)</a> \([^)]*\)<br><span class="code">SHA-256:? ([0-9a-f]{64})</span></li>`)
)

// A number is what the lines on its page add up to, its files have the hashes that are shown, and its command prints it from these
// files alone.
func TestNumberPage_RestsOnItsFiles(t *testing.T) {
	server := seeded.onDuckDB(t)
	folder := sure(filepath.Abs("seeds"))
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			t.Parallel()
			numbers := testrequire.Share(3, 100)
			if commands := server.numbersRestOnFiles(t, seed.Name, filepath.Join(folder, seed.Name), numbers); 10*commands < 9*numbers {
				t.Errorf("only %d of %d numbers have a command", commands, numbers)
			}
		})
	}
}

// So is one of the real packages.
func TestRealData_NumbersRestOnTheirFiles(t *testing.T) {
	server := realCubes.onDuckDB(t)
	for _, q := range questions {
		t.Run(q.cube, func(t *testing.T) {
			t.Parallel()
			server.numbersRestOnFiles(t, q.cube, realPackage(t, q.folder), 10)
		})
	}
}

// numbersRestOnFiles checks random numbers of a cube, and gives how many have a command.
func (s *service) numbersRestOnFiles(t *testing.T, cube, folder string, count int) (commands int) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	reasons, lines := map[string]int{}, 0
	for address, page := range s.numberPages(t, cube, count, rand.New(rand.NewPCG(12, 7))) {
		exact := amountOn(t, address, page, exactOnPage.FindStringSubmatch(page)[1])
		lines += s.linesAddUp(t, address, page, exact)
		files := fileOnPage.FindAllStringSubmatch(page, -1)
		for _, file := range files {
			if hash := sha256.Sum256(sure(os.ReadFile(filepath.Join(folder, file[1])))); file[2] != hex.EncodeToString(hash[:]) {
				t.Errorf("%s: the hash of %s is %x", address, file[1], hash)
			}
		}
		if len(files) == 0 {
			t.Errorf("%s shows no file", address)
		}
		found := commandOnPage.FindStringSubmatch(page)
		if found == nil {
			reason := reasonOnPage.FindStringSubmatch(page)
			if reason == nil || !strings.HasPrefix(reason[1], "No command is given") {
				t.Fatalf("%s has neither a command nor a reason", address)
			}
			reasons[reason[1]]++
			continue
		}
		commands++
		command := fileInCommand.ReplaceAllString(html.UnescapeString(found[1]), "'"+folder+"/$1'")
		var sum decimal.NullDecimal
		statement := "SELECT printed::VARCHAR FROM (" + strings.TrimSuffix(command, ";") + ") AS command(printed)"
		if err := db.QueryRowContext(t.Context(), statement).Scan(&sum); err != nil {
			t.Fatalf("%s: %v\n%s", address, err, command)
		}
		if !sum.Valid || !sum.Decimal.Equal(exact) {
			t.Errorf("%s: the command prints %s, not %s\n%s", address, show(sum), exact, command)
		}
	}
	t.Logf("%d commands, %d lines, %v", commands, lines, reasons)
	return commands
}

// numbersOfAView is how many numbers of a random view are opened.
const numbersOfAView = 5

// numberPages opens random numbers that are not missing, by their addresses.
func (s *service) numberPages(t *testing.T, cube string, count int, r *rand.Rand) map[string]string {
	t.Helper()
	var model struct {
		Levels   []struct{ Ref string }
		Measures []struct{ Ref string }
	}
	s.read(t, "/cubes/"+cube+"/model", &model)
	pages := map[string]string{}
	for tries := 0; len(pages) < count; tries++ {
		if tries > 20*count {
			t.Fatalf("%s has only %d numbers", cube, len(pages))
		}
		level, other := oneOf(r, model.Levels...).Ref, oneOf(r, model.Levels...).Ref
		question := url.Values{"drilldown": {fmt.Sprintf("%q|%q", level, other)}, "aggregates": {fmt.Sprintf("%q.sum", oneOf(r, model.Measures...).Ref)}}
		if level == other {
			question.Set("drilldown", fmt.Sprintf("%q", level))
		}
		links := numberLink.FindAllStringSubmatch(s.pageAt(t, "/explore/"+cube+"?"+question.Encode()), -1)
		for range min(len(links), numbersOfAView) {
			address := html.UnescapeString(oneOf(r, links...)[1]) + "&lang=en"
			if page := s.pageAt(t, address); len(pages) < count && exactOnPage.MatchString(page) {
				pages[address] = page
			}
		}
	}
	return pages
}

// mostLinesAdded is of how many lines a number may be whose lines are added up.
const mostLinesAdded = 2000

// linesAddUp adds up the lines of a number, page after page, and gives how many there are.
func (s *service) linesAddUp(t *testing.T, address, page string, exact decimal.Decimal) (lines int) {
	t.Helper()
	said, sum := 0, decimal.Zero
	for {
		table := linesOnPage.FindStringSubmatch(page)
		if table == nil {
			t.Errorf("%s has no lines", address)
			return 0
		}
		if said = sure(strconv.Atoi(strings.ReplaceAll(table[1], ",", ""))); said > mostLinesAdded {
			return 0
		}
		for _, row := range tableRow.FindAllStringSubmatch(table[2], -1) {
			sum = sum.Add(amountOn(t, address, page, cellsOf(row[1])[0]))
			lines++
		}
		more := moreLines.FindStringSubmatch(page)
		if more == nil {
			break
		}
		page = s.pageAt(t, "/"+strings.TrimLeft(html.UnescapeString(more[1]), "./"))
	}
	if !sum.Equal(exact) || lines != said {
		t.Errorf("%s: %d of %d lines add up to %s, not %s", address, lines, said, sum, exact)
	}
	return lines
}

// Where no command is exact, the page says why.
func TestNumberPage_SaysWhyThereIsNoCommand(t *testing.T) {
	t.Parallel()
	load := func(descriptor, early string) *service {
		folder := handFolder(t)
		write(filepath.Join(folder, "datapackage.json"), []byte(descriptor))
		write(filepath.Join(folder, "early.csv"), []byte(early))
		db := freshDuckDB(t)
		must(t, "load", "--db", db, folder)
		return serve(t, db)
	}
	total := load(handDescriptor, handEarly+",,,,,,100.00,50.00\r\n")
	encoded := load(strings.ReplaceAll(handDescriptor, `"mediatype": "text/csv"`, `"mediatype": "text/csv", "encoding": "windows-1250"`), handEarly)
	for _, tt := range []struct {
		server            *service
		question, because string
	}{
		{hand.onDuckDB(t), "hand/number?aggregates=approved.avg", "the number is not a plain sum of a published column."},
		{hand.onDuckDB(t), "hand/number?cut=area_name:Health", "none could repeat this selection exactly."},
		{total, "hand/number?cut=year:2021", "some rows of early.csv are totals of others and are left out."},
		{encoded, "hand/number?cut=year:2021", "early.csv is not UTF-8 but windows-1250."},
		{
			seeded.onDuckDB(t), "example-dominicana/number?cut=economica_grupo:" + url.QueryEscape("No Informado"),
			"the column economica_grupo was made of published cells, not published as it is.",
		},
	} {
		page := tt.server.pageAt(t, "/explore/"+tt.question+"&lang=en")
		reason := reasonOnPage.FindStringSubmatch(page)
		if want := "No command is given: " + tt.because; reason == nil || reason[1] != want || commandOnPage.MatchString(page) {
			t.Errorf("%s says %q, want %q", tt.question, reason, want)
		}
	}
}
