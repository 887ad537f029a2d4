package e2e

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

var (
	askForm   = regexp.MustCompile(`(?s)<form class="ask" action="([^"]*)">(.*?)</form>`)
	askHidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	askSelect = regexp.MustCompile(`(?s)<select name="([^"]*)"[^>]*>(.*?)</select>`)
	askOption = regexp.MustCompile(`<option value="([^"]*)"( selected)?>`)
)

// Every prepared question of every seed, with each of its choices, leads to a view with rows. The ordinary run takes every third choice.
func TestExplorer_PreparedQuestionsOfSeeds(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	asked, every := 0, testrequire.Share(3, 1)
	for _, seed := range seeds.All() {
		overview := "/explore/" + url.PathEscape(seed.Name)
		for _, form := range askForm.FindAllStringSubmatch(s.pageAt(t, overview), -1) {
			question := url.Values{}
			for _, hidden := range askHidden.FindAllStringSubmatch(form[2], -1) {
				question.Set(html.UnescapeString(hidden[1]), html.UnescapeString(hidden[2]))
			}
			selects := askSelect.FindAllStringSubmatch(form[2], -1)
			for _, choice := range selects {
				for _, option := range askOption.FindAllStringSubmatch(choice[2], -1) {
					if option[2] != "" {
						question.Set(choice[1], html.UnescapeString(option[1]))
					}
				}
			}
			for _, choice := range selects {
				usual := question.Get(choice[1])
				for _, option := range askOption.FindAllStringSubmatch(choice[2], -1) {
					question.Set(choice[1], html.UnescapeString(option[1]))
					if asked++; asked%every > 0 {
						continue
					}
					page := s.pageAt(t, overview+"?"+question.Encode())
					if _, rows, ok := strings.Cut(page, "<tbody>"); !ok || !strings.HasPrefix(strings.TrimSpace(rows), "<tr") {
						t.Errorf("%s %s: no rows", seed.Name, question.Encode())
					}
					if !strings.Contains(page, `class="figure"`) {
						t.Errorf("%s %s: neither a figure nor a reason", seed.Name, question.Encode())
					}
				}
				question.Set(choice[1], usual)
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d questions", asked)
	}
}

// pageAt is a page that is there, whatever leads to it.
func (s *service) pageAt(t testing.TB, path string) string {
	t.Helper()
	response, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v\n%s", path, response.StatusCode, err, body)
	}
	return string(body)
}

// A year of which the last statement is earlier than that of others is dashed, and named.
func TestExplorer_IncompleteYear(t *testing.T) {
	t.Parallel()
	page := seeded.onDuckDB(t).pageAt(t, "/explore/example-costa-rica-egresos?drilldown=titulo_codigo&cut=ejercicio:2020&_view=line")
	for _, want := range []string{"<title>Total, 2020: 12,329,204,165,000.00 (up to 02)</title>", "stroke-dasharray", "<title>Total, 2019: 11,793,151,810,000.00</title>", ">2018</text>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(page, "Total, 2018") {
		t.Error("2018 has no amounts")
	}
}

// The page of a budget shows its last complete year, which the prepared questions are about too.
func TestExplorer_BeginsWithTheLastCompleteYear(t *testing.T) {
	t.Parallel()
	overview := seeded.onDuckDB(t).pageAt(t, "/explore/example-costa-rica-egresos?lang=en")
	for _, want := range []string{
		`(CRC), 2019</span>`, "exactly 11,793,151,810,000.00</span>", `<option value="2019" selected>`, `>2020</a> <span class="soft">up to 02</span>`,
	} {
		if !strings.Contains(overview, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(overview, `<option value="2020" selected>`) {
		t.Error("a question is about 2020, which is not complete")
	}
	asked := seeded.onDuckDB(t).pageAt(t, "/explore/example-costa-rica-egresos?_ask=parts&_level=titulo_codigo&lang=en")
	if !strings.Contains(asked, "<title>Costa Rica: expenditure of the central government, 2019 ") {
		t.Errorf("it asks about another year: %.600s", asked)
	}
}

// The rows of a level whose members have no list of their own, such as the number of each fact, are named by their keys.
func TestExplorer_LevelWithoutMembers(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"table", "bars", "treemap", "sankey"} {
		page := seeded.onDuckDB(t).pageAt(t, "/explore/example-ciudad-de-mexico?lang=en&drilldown=clave_presupuestaria&_view="+way)
		says(t, page, "Budget key</a></th>", ">02CD01-211205-111180-1131-1</a></th>", "12 others")
	}
}

// What a change shows adds up to it, on every seed and measure, and on the level below each contributor.
func TestExplorer_ChangesOfSeedsAddUp(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	checked := 0
	for _, address := range []string{
		"/explore/example-croatia?drilldown=func1_code&cut=Year:2019", "/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&aggregates=executed_value.sum",
		"/explore/example-mexico?drilldown=GPO_FUNCIONAL&cut=CICLO:2018", "/explore/example-mexico?drilldown=ID_RAMO&cut=CICLO:2013",
		"/explore/example-dominicana?drilldown=economica_titulo&cut=periodo:2021", "/explore/example-costa-rica-egresos?drilldown=titulo_codigo&cut=ejercicio:2020",
	} {
		page := s.pageAt(t, address+"&_view=change")
		marks := checkChange(t, address, page)
		for _, mark := range marks {
			if below := html.UnescapeString(mark[1]); strings.Contains(below, "_view=change") {
				if below := s.pageAt(t, strings.TrimPrefix(below, "..")); strings.Contains(below, `class="small"`) {
					checkChange(t, mark[1], below)
					checked++
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d levels below", checked)
	}
}

var (
	changeMark   = regexp.MustCompile(`<a href="([^"]*)"><title>([^<]*)</title>`)
	changeAmount = regexp.MustCompile(`.*: \+?(-?[\d,.]+)( \(|$)`)
)

// checkChange adds up the marks of the figure for phones in a page, and gives them.
func checkChange(t testing.TB, address, page string) [][]string {
	t.Helper()
	_, figure, ok := strings.Cut(page, `<div class="small">`)
	figure, _, _ = strings.Cut(figure, `<div class="large">`)
	marks := changeMark.FindAllStringSubmatch(figure, -1)
	if !ok || len(marks) < 3 {
		t.Errorf("%s: no change", address)
		return nil
	}
	sum := decimal.Zero
	for i, mark := range marks {
		match := changeAmount.FindStringSubmatch(html.UnescapeString(mark[2]))
		if match == nil {
			t.Fatalf("%s: %q", address, mark[2])
		}
		amount := decimal.RequireFromString(strings.ReplaceAll(match[1], ",", ""))
		if i == len(marks)-1 {
			amount = amount.Neg()
		}
		sum = sum.Add(amount)
	}
	if !sum.IsZero() {
		t.Errorf("%s: %s too much", address, sum)
	}
	return marks
}

// The sentences about execution and about repeated statements have the numbers that the API answers with.
func TestExplorer_TellsTheNumbersOfTheAPI(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	for _, tt := range []struct{ page, question, sum, sentence string }{
		{"example-croatia?lang=en", "cut=Year:2019", "executed_value", "<p>Of what was approved for 2019, 87.5% was spent according to these data: 253.3 billion HRK, exactly %s.</p>"},
		{"example-ciudad-de-mexico?lang=en", "cut=ciclo:2020", "monto_ejercido", "45.2% was spent according to these data: 80.95 billion MXN, exactly %s (periodo: Enero-Junio).</p>"},
		{"example-costa-rica-ingresos?lang=en", "cut=ejercicio:2019", "de_monto", "97.5% was received according to these data: 1.697 trillion CRC, exactly %s (mes: 12).</p>"},
		{"example-costa-rica-ingresos?lang=en&cut=ejercicio:2018&aggregates=pi_monto.sum", "cut=ejercicio:2018&snapshots=all", "pi_monto",
			"<li>All statements added up would be 19.76 trillion CRC, exactly %s: 12.0 times as much, since they repeat the same money.</li>"},
	} {
		var answer struct{ Summary map[string]string }
		name, _, _ := strings.Cut(tt.page, "?")
		s.read(t, "/cubes/"+name+"/aggregate?numbers=string&aggregates="+tt.sum+".sum&"+tt.question, &answer)
		page := strings.ReplaceAll(s.pageAt(t, "/explore/"+tt.page), ",", "")
		if want := strings.ReplaceAll(strings.Replace(tt.sentence, "%s", answer.Summary[tt.sum+".sum"], 1), ",", ""); !strings.Contains(page, want) {
			t.Errorf("%s does not say %s", tt.page, want)
		}
	}
	for page, sentence := range map[string]string{
		"example-uruguay?lang=en": "Of what was", "example-costa-rica-ingresos?lang=en&cut=ejercicio:2018|mes:12": "All statements", "example-croatia?lang=en&cut=Year:2018": "All statements",
	} {
		if strings.Contains(s.pageAt(t, "/explore/"+page), sentence) {
			t.Errorf("%s says %s", page, sentence)
		}
	}
}
