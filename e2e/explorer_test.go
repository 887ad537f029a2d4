package e2e

import (
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"fiscube/seeds"
)

var (
	askForm   = regexp.MustCompile(`(?s)<form class="ask" action="([^"]*)">(.*?)</form>`)
	askHidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	askSelect = regexp.MustCompile(`(?s)<select name="([^"]*)"[^>]*>(.*?)</select>`)
	askOption = regexp.MustCompile(`<option value="([^"]*)"( selected)?>`)
)

// Every prepared question of every seed, with each of its choices, leads to a view with rows.
func TestExplorer_PreparedQuestionsOfSeeds(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	asked := 0
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
					asked++
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
