package e2e

import (
	"encoding/csv"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/words"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// What is downloaded is what is on the screen: each of its columns of numbers, and its rows in their order, on every level of each seed, as a
// table and as a change. The ordinary run looks at every ninth level.
func TestExplorer_DownloadsWhatIsSeen(t *testing.T) {
	t.Parallel()
	server, every := seeded.onDuckDB(t), testrequire.Share(9, 1)
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			t.Parallel()
			server.downloadsWhatIsSeen(t, seed.Name, every)
		})
	}
}

// So it is with budgets as they were published, which have many more members.
func TestRealData_DownloadsWhatIsSeen(t *testing.T) {
	t.Parallel()
	server, every := realCubes.onDuckDB(t), testrequire.Share(5, 1)
	for _, name := range []string{"croatia-budget-spending", "presupuesto-uy-desde-2011", "mexico"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server.downloadsWhatIsSeen(t, name, every)
		})
	}
}

func (s *service) downloadsWhatIsSeen(t *testing.T, cube string, every int) {
	t.Helper()
	levels, year := s.levelsOf(t, cube)
	compared := 0
	for i, level := range levels {
		if i%every > 0 {
			continue
		}
		for _, view := range []string{"table", "change"} {
			question := url.Values{"drilldown": {level}, "cut": {year}, "lang": {"en"}, "_view": {view}}
			address := s.url + "/explore/" + cube + "?" + question.Encode()
			page, links := readPage(t, address)
			file := slices.IndexFunc(links, func(link string) bool { return strings.HasSuffix(link, "&format=csv") })
			compared += isDownloaded(t, address, page, links[file])
		}
	}
	if compared < 10 {
		t.Errorf("only %d numbers", compared)
	}
}

// levelsOf gives the levels of a cube, and a cut to the year that its overview shows.
func (s *service) levelsOf(t *testing.T, cube string) (levels []string, year string) {
	t.Helper()
	var model struct {
		Dimensions []struct {
			Type   string
			Chains [][]string
		}
		Levels []struct{ Ref string }
		View   struct{ Year int } `json:"default_view"`
	}
	s.read(t, "/cubes/"+cube+"/model", &model)
	for _, d := range model.Dimensions {
		if d.Type == "datetime" && year == "" {
			year = d.Chains[0][0] + ":" + strconv.Itoa(model.View.Year)
		}
	}
	for _, level := range model.Levels {
		levels = append(levels, level.Ref)
	}
	return levels, year
}

var (
	sortedBy   = regexp.MustCompile(`order=([^"&]*):(?:asc|desc)`)
	nameOfRow  = regexp.MustCompile(`(?s)<th scope="row">(.*?)</th>`)
	countOfAll = regexp.MustCompile(`<caption>([\d,]+) rows?`)
)

// isDownloaded compares the rows of a page in English with a CSV file that it leads to, as text, and gives how many numbers are the same. The
// file has a line for each member that the page adds up as others, or has on its next pages.
func isDownloaded(t *testing.T, address, page, file string) (compared int) {
	t.Helper()
	_, rest, _ := strings.Cut(page, `<table class="cells`)
	heads, rest, _ := strings.Cut(rest, "<tbody>")
	body, _, ok := strings.Cut(rest, "</tbody>")
	if !ok || !strings.Contains(rest, "<tfoot>") {
		return 0
	}
	lines, err := csv.NewReader(strings.NewReader(get(t, file))).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var columns []int
	for _, head := range tableHead.FindAllStringSubmatch(heads, -1) {
		order := sortedBy.FindStringSubmatch(html.UnescapeString(head[1]))
		if order == nil {
			t.Fatalf("%s: the column %s has no name", address, head[1])
		}
		name := strings.ReplaceAll(sure(url.QueryUnescape(order[1])), `"`, "")
		at := slices.IndexFunc(lines[0], func(column string) bool { return strings.ReplaceAll(column, `"`, "") == name })
		if at < 0 {
			t.Errorf("%s: %s has no column %s, only %q", address, file, name, lines[0])
			return compared
		}
		columns = append(columns, at)
	}
	count := countOfAll.FindStringSubmatch(heads)
	if count == nil || strings.ReplaceAll(count[1], ",", "") != strconv.Itoa(len(lines)-1) {
		t.Errorf("%s: the page has %q, %s has %d lines", address, count, file, len(lines)-1)
	}
	afterOthers := false
	for i, row := range tableRow.FindAllStringSubmatch(body, -1) {
		if strings.HasPrefix(row[0], `<tr class="others">`) {
			afterOthers = true
			continue
		}
		line := lines[i+1]
		if afterOthers { // the one that is gone, which the page has apart
			earlier := slices.IndexFunc(lines[0], func(head string) bool { return strings.HasSuffix(head, ".earlier") })
			line = lines[i+slices.IndexFunc(lines[i:], func(line []string) bool {
				return line[slices.Index(lines[0], "_change")] == "gone" && isSome(line[earlier])
			})]
		}
		name := markup.ReplaceAllString(nameOfRow.FindString(row[1]), " ")
		for j, shown := range cellsOf(row[1]) {
			head := lines[0][columns[j]]
			if written := asShown(t, lines[0], line, columns[j]); written != shown && (written != "" || shown != "not comparable") {
				t.Errorf("%s: row %d,%s has %s %q, the file has %q: %q", address, i+1, name, head, shown, written, line)
				return compared
			}
			compared++
		}
	}
	return compared
}

// isSome tells whether a number of a file is there and not zero.
func isSome(text string) bool { return strings.Trim(text, "0.") != "" }

// asShown writes a number of a file as a page has it.
func asShown(t *testing.T, heads, line []string, column int) string {
	t.Helper()
	reader, head, text := words.Locale{Language: cube.English}, heads[column], line[column]
	of := func(role string) string {
		return line[slices.Index(heads, strings.TrimSuffix(head, "percentage")+role)]
	}
	if strings.HasSuffix(head, ".percentage") {
		is := line[slices.Index(heads, strings.TrimSuffix(head, ".percentage"))]
		change := line[slices.Index(heads, "_change")]
		switch {
		case change == "gone" && isSome(of("earlier")):
			return "gone"
		case isSome(is) && (change == "new" || of("earlier") != "" && !isSome(of("earlier"))):
			return "new"
		}
	}
	if text == "" {
		return ""
	}
	number := decimal.RequireFromString(text)
	_, decimals, _ := strings.Cut(text, ".")
	switch written := reader.Decimal(number, int32(len(decimals))); {
	case strings.HasSuffix(head, ".percentage"):
		return reader.Change(decimal.NewNullDecimal(number))
	case strings.HasSuffix(head, ".difference") && number.IsPositive():
		return "+" + written
	case strings.HasPrefix(head, "share("), strings.HasSuffix(head, "_rate"):
		return reader.Share(number)
	default:
		return written
	}
}
