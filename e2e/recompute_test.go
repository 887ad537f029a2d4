package e2e

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
)

var (
	commandOnPage = regexp.MustCompile(`(?s)<pre data-copy tabindex="0">duckdb -noheader -list &lt;&lt;&#39;SQL&#39;\n(.*?)\nSQL</pre>`)
	reasonOnPage  = regexp.MustCompile(`(?s)<h2 id="check">[^<]*</h2>\s*<p>([^<]+)</p>`)
	exactOnPage   = regexp.MustCompile(`exactly ([^<]+)<`)
	numberLink    = regexp.MustCompile(`href="[^"]*?(explore/[^"]*/number\?[^"]*)"`)
	fileInCommand = regexp.MustCompile(`'(data/[^']*)'`)
)

// The command on the page of a number prints the number, from the published files alone. The ordinary run asks a few of each seed.
func TestNumberPage_Command(t *testing.T) {
	server := seeded.onDuckDB(t)
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	var list struct{ Cubes []struct{ Name string } }
	if err := json.Unmarshal([]byte(get(t, server.url+"/cubes")), &list); err != nil || len(list.Cubes) != 8 {
		t.Fatalf("%+v: %v", list, err)
	}
	folder, err := filepath.Abs("seeds")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(12, 7))
	numbers, all := testrequire.Share(3, 20), 0
	for _, seed := range list.Cubes {
		commands, reasons := 0, map[string]int{}
		for _, link := range numberLinks(t, server.url, seed.Name, numbers, r) {
			page := get(t, server.url+"/"+link+"&lang=en")
			exact := exactOnPage.FindStringSubmatch(page)
			if exact == nil {
				t.Fatalf("%s shows no number", link)
			}
			found := commandOnPage.FindStringSubmatch(page)
			if found == nil {
				reason := reasonOnPage.FindStringSubmatch(page)
				if reason == nil || !strings.HasPrefix(reason[1], "No command is given") {
					t.Fatalf("%s has neither a command nor a reason", link)
				}
				reasons[reason[1]]++
				continue
			}
			commands++
			command := fileInCommand.ReplaceAllString(html.UnescapeString(found[1]), "'"+filepath.Join(folder, seed.Name)+"/$1'")
			var sum sql.NullString
			statement := "SELECT printed::VARCHAR FROM (" + strings.TrimSuffix(command, ";") + ") AS command(printed)"
			if err := db.QueryRowContext(t.Context(), statement).Scan(&sum); err != nil {
				t.Fatalf("%s: %v\n%s", link, err, command)
			}
			want := strings.ReplaceAll(strings.ReplaceAll(exact[1], ",", ""), "\u2212", "-")
			if !equalAmounts(t, sum.String, want) {
				t.Errorf("%s: the command prints %s, not %s\n%s", link, sum.String, want, command)
			}
		}
		t.Logf("%s: %d commands, %v", seed.Name, commands, reasons)
		all += commands
	}
	if all < 4*numbers {
		t.Errorf("only %d numbers have a command", all)
	}
}

// numberLinks gives links of random views to the pages of numbers that are not missing.
func numberLinks(t *testing.T, address, name string, count int, r *rand.Rand) (links []string) {
	t.Helper()
	var model struct {
		Levels   []struct{ Ref string }
		Measures []struct{ Ref string }
	}
	if err := json.Unmarshal([]byte(get(t, address+"/cubes/"+name+"/model")), &model); err != nil {
		t.Fatal(err)
	}
	for tries := 0; len(links) < count && tries < 20*count; tries++ {
		level, other := model.Levels[r.IntN(len(model.Levels))].Ref, model.Levels[r.IntN(len(model.Levels))].Ref
		question := url.Values{"drilldown": {fmt.Sprintf("%q|%q", level, other)}, "aggregates": {fmt.Sprintf("%q.sum", model.Measures[r.IntN(len(model.Measures))].Ref)}}
		if level == other {
			question.Set("drilldown", fmt.Sprintf("%q", level))
		}
		var answer struct{ Cells []json.RawMessage }
		if err := json.Unmarshal([]byte(get(t, address+"/cubes/"+name+"/aggregate?"+question.Encode())), &answer); err != nil || len(answer.Cells) == 0 {
			continue
		}
		found := numberLink.FindAllStringSubmatch(get(t, address+"/explore/"+name+"?"+question.Encode()), -1)
		if len(found) == 0 {
			continue
		}
		link := html.UnescapeString(found[r.IntN(len(found))][1])
		if exactOnPage.MatchString(get(t, address+"/"+link+"&lang=en")) {
			links = append(links, link)
		}
	}
	if len(links) < count {
		t.Fatalf("%s has only %d numbers", name, len(links))
	}
	return links
}

// equalAmounts compares amounts that may end in different numbers of zeros.
func equalAmounts(t *testing.T, a, b string) bool {
	t.Helper()
	if a == "" || b == "" {
		return a == b
	}
	one, errOne := decimal.NewFromString(a)
	other, errOther := decimal.NewFromString(b)
	if err := cmp.Or(errOne, errOther); err != nil {
		t.Fatal(err)
	}
	return one.Equal(other)
}
