package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A catalogue in a folder brings a language to a server, or other words for one that it has. What it does not say is said in English.
func TestServe_BringsLanguages(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db := "duckdb:" + filepath.Join(t.TempDir(), "db.duckdb")
	write("de.toml", "[page]\nlanguage-name = \"Deutsch\"\nsearch = \"Suchen\"\n")
	write("hr.toml", "[home]\ntagline = \"Naši proračuni\"\n")
	s := serveCroatia(t, db, "--locales", folder)
	for address, wants := range map[string][]string{
		"/?lang=de": {`<html lang="de">`, "<button>Suchen</button>", `lang="fr" hreflang="fr">Français</a>`, "Public budgets, to the line they come from"},
		"/?lang=hr": {"Naši proračuni", "troši <b>", `hreflang="de">Deutsch</a>`},
		"/?lang=fr": {`<html lang="fr">`, "Les budgets publics, jusqu’à la ligne dont ils viennent"},
		"/?lang=pt": {`<html lang="pt">`, "Orçamentos públicos, até a linha de onde vêm"},
		"/explore/example-croatia?drilldown=func1_code&lang=fr": {"Par function", "milliards", "Télécharger ce que vous voyez"},
	} {
		status, body := s.get(t, address)
		for _, want := range wants {
			if status != 200 || !strings.Contains(string(body), want) {
				t.Errorf("%s is %d and does not say %q:\n%s", address, status, want, body)
			}
		}
	}
	s.stop(t)
	write("de.toml", "[page]\nsearch = \"{{.Text}} suchen\"\n")
	refused := `de.toml: page.search: it has the parameters ["Text"], and in English []`
	fails(t, exitFailed, []string{"serve", "--addr", "127.0.0.1:0", "--db", db, "--locales", folder}, refused)
	fails(t, exitFailed, []string{"serve", "--addr", "127.0.0.1:0", "--db", db, "--locales", t.TempDir()}, "has no catalogue of a language")
}
