package e2e

import "testing"

// Timings are of one time: what explains a question is not kept, of a pinned version neither.
func TestExplanationsAreNotKept(t *testing.T) {
	s := handService(t, freshDuckDB(t))
	for _, query := range []string{"", "?version=1"} {
		r, err := client.Get(s.url + "/cubes/hand/explain" + query)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if kept := r.Header.Get("Cache-Control"); r.StatusCode != 200 || kept != "no-store" {
			t.Errorf("explain%s: %d, Cache-Control %q", query, r.StatusCode, kept)
		}
	}
}
