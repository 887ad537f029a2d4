package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEveryMistakeIsRefused asks the running program everything that testdata/mistakes.txt holds. Whatever is wrong,
// the answer is the caller's to mend: it says where and what to write instead, and is never an answer to less than
// was asked. -update writes the answers anew.
func TestEveryMistakeIsRefused(t *testing.T) {
	const path = "e2e/testdata/mistakes.txt"
	text := string(sure(os.ReadFile(path)))
	t.Run("duckdb", func(t *testing.T) {
		s := servesQuestions(t, freshDuckDB(t))
		got := s.refusals(t, text)
		if *update {
			write(path, []byte(got))
		} else {
			compareLines(t, got, text)
		}
	})
	t.Run("postgres", func(t *testing.T) {
		s := servesQuestions(t, freshPostgres(t))
		compareLines(t, s.refusals(t, text), string(sure(os.ReadFile(path))))
	})
}

// refusals gives the text with the answer below each request.
func (s *service) refusals(t *testing.T, text string) string {
	t.Helper()
	var out []string
	requests := 0
	for line := range strings.SplitSeq(text, "\n") {
		target, ok := strings.CutPrefix(line, "GET ")
		if !ok {
			if line == "" || strings.HasPrefix(line, "#") {
				out = append(out, line)
			}
			continue
		}
		requests++
		out = append(out, line, s.refusal(t, target))
	}
	if requests < 120 {
		t.Errorf("%d requests", requests)
	}
	return strings.Join(out, "\n")
}

// refusal asks what must be refused.
func (s *service) refusal(t *testing.T, target string) string {
	t.Helper()
	status, body := s.get(t, target)
	var m mistake
	refused := []int{http.StatusBadRequest, http.StatusNotFound, http.StatusGone, http.StatusRequestEntityTooLarge}
	if err := json.Unmarshal(body, &m); err != nil || !slices.Contains(refused, status) || m.Code == "" || m.Message == "" {
		t.Errorf("GET %s: %d %s", target, status, body)
	}
	if status == http.StatusBadRequest && (m.Context.Parameter == nil || m.Context.Position == nil || m.Context.Hint == "") {
		t.Errorf("GET %s does not say where, and what to write instead: %s", target, body)
	}
	line := fmt.Sprintf("%d %s %s", status, m.Code, m.cubeError())
	return strings.ReplaceAll(line, "\x00", `\0`)
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d: the answer is\n%s\nwant\n%s", i+1, strings.Join(g[i:min(i+1, len(g))], ""), strings.Join(w[i:min(i+1, len(w))], ""))
		}
	}
}
