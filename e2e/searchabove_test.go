package e2e

import (
	"encoding/json"
	"net/url"
	"testing"
)

// Who does not know what is in which level writes what stands above it too: the package, the ministry, the unit.
func TestSearchByWhatStandsAbove(t *testing.T) {
	server := seededServer(t)
	for query, want := range map[string]string{
		"poder legislativo camara":                "example-mexico ID_UR 1/100 Cámara Baja",
		"poder legilsativo cámara mexico":         "example-mexico ID_UR 1/100 Cámara Baja",
		"méxico gobernacion":                      "example-mexico ID_RAMO 4 Gobernación",
		"vlada ured za suradnju":                  "example-croatia admin2_code 020/02010 Ured za suradnju s udrugama",
		"example-croatia hrvatski sabor":          "example-croatia admin1_code 010 HRVATSKI SABOR",
		"gobernación de méxico":                   "example-mexico ID_RAMO 4 Gobernación",
		"example-mexico approved":                 "example-mexico   Approved",
		"poder legislativo suradnju s udrugama x": "",
	} {
		var found struct {
			Hits []struct{ Cube, Level, Path, Label string }
		}
		if err := json.Unmarshal([]byte(get(t, server.URL+"/search?q="+url.QueryEscape(query))), &found); err != nil {
			t.Fatal(err)
		}
		best := ""
		if len(found.Hits) > 0 {
			h := found.Hits[0]
			best = h.Cube + " " + h.Level + " " + h.Path + " " + h.Label
		}
		if best != want {
			t.Errorf("%s finds %q, want %q", query, best, want)
		}
	}
}
