package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A question that reads a damaged page says that the file is damaged, and what to do; none gets a wrong number.
func TestServe_SaysThatTheFileIsDamaged(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, medium())
	content := sure(os.ReadFile(fileOf(db)))
	const header, page = 3 * 4096, 256 << 10
	damaged := 0
	for at := header; at+page <= len(content); at += 4 * page { // every fourth page
		broken := append([]byte{}, content...)
		for i := range 64 {
			broken[at+page/2+i] ^= 0x55
		}
		write(fileOf(db), broken)
		p := start(t, "serve", "--addr", "127.0.0.1:0", "--db", db)
		eventually(t, "the server answers or ends", patience, func() bool {
			return p.hasEnded() || address.MatchString(p.err.String())
		})
		if p.hasEnded() { // the page holds the catalogue
			says(t, p.err.String(), "cannot be opened as a DuckDB file")
			continue
		}
		s := serving(t, p)
		for _, question := range []string{"drilldown=Year", "drilldown=admin1_code", "drilldown=activity3_code", "drilldown=econ3_code|func1_code"} {
			status, body := s.get(t, "/cubes/budget/aggregate?pagesize=10&"+question)
			var problem struct {
				Code    string
				Context struct{ Hint string }
			}
			if status == 200 {
				continue
			}
			damaged++
			if err := json.Unmarshal(body, &problem); err != nil || status != 500 || problem.Code != "damaged" || !strings.Contains(problem.Context.Hint, "backup") {
				t.Errorf("page at %d, %s: %d %s", at, question, status, body)
			}
		}
		s.kill(t)
	}
	if damaged == 0 {
		t.Error("no question read a damaged page")
	}
}
