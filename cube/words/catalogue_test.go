package words_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"

	"fiscube/cube"
	"fiscube/cube/words"
)

// messages reads the catalogue of a language.
func messages(t *testing.T, l cube.Language) map[string]*i18n.Message {
	t.Helper()
	path := "locales/" + string(l) + ".toml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := i18n.ParseMessageFileBytes(text, path, map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*i18n.Message{}
	for _, m := range file.Messages {
		all[m.ID] = m
	}
	return all
}

// formsOf lists the forms of a message.
func formsOf(m *i18n.Message) []string {
	return slices.DeleteFunc([]string{m.Zero, m.One, m.Two, m.Few, m.Many, m.Other}, func(form string) bool { return form == "" })
}

// Each language says every message, with the parameters that English has, in its own quotation marks.
func TestCatalogues_SayEverythingInEachLanguage(t *testing.T) {
	bring(t, os.DirFS("locales"))
	english := messages(t, cube.English)
	foreign := map[cube.Language]string{cube.English: "«»„", "es": "“”„", "hr": "”«»", "fr": "“”„", "pt": "«»„"}
	for _, l := range words.Languages() {
		own := messages(t, l)
		for id, m := range english {
			if own[id] == nil {
				t.Errorf("%s lacks %s", l, id)
			}
			if l == cube.English && m.Description == "" {
				t.Errorf("%s has no description for translators", id)
			}
		}
		for id, m := range own {
			for _, form := range formsOf(m) {
				if strings.ContainsAny(form, foreign[l]) {
					t.Errorf("%s in %s: %s", id, l, form)
				}
			}
		}
	}
}

// polite are the words for an order to a friend; pages speak to a stranger.
var familiar = regexp.MustCompile(`(?i)(^|\PL)(preuzmi|pitaj|traži|kopiraj|zatvori|dodaj|ukloni|nađi|otvori|usporedi|poredaj|pokušaj|raščlani|prikaži|vidiš)(\PL|$)`)

func TestCatalogues_CroatianIsPolite(t *testing.T) {
	for id, m := range messages(t, "hr") {
		for _, form := range formsOf(m) {
			if familiar.MatchString(form) && !strings.HasPrefix(id, "publish.") && !strings.HasPrefix(id, "mistake.") {
				t.Errorf("%s: %s", id, form)
			}
		}
	}
}

// Citations and caveats say nothing in the words of programs and of those who write overlays.
func TestCatalogues_CitationsAreForPeople(t *testing.T) {
	others := regexp.MustCompile(`(?i)\bcells?\b|cellule|célula|celda|ćelij|overlay|crosswalk|snapshot|\bnull|nulo|having|statement|declaraci|\bmember|miembro|[ (]član|dimensi`)
	inBraces := regexp.MustCompile(`\{\{.*?\}\}`)
	for _, l := range words.Languages() {
		for id, m := range messages(t, l) {
			if (strings.HasPrefix(id, "citation.") || strings.HasPrefix(id, "caveat.")) && others.MatchString(inBraces.ReplaceAllString(strings.Join(formsOf(m), " "), "")) {
				t.Errorf("%s in %s: %q", id, l, formsOf(m))
			}
		}
	}
}

// Pages speak as people do: money is spent and not executed, a budget is no cube, and a heading says no more than what is below it.
func TestCatalogues_PagesAreForPeople(t *testing.T) {
	ofTrade := map[cube.Language]*regexp.Regexp{
		cube.English: regexp.MustCompile(`(?i)\bexecuted|\baccrued|\bcubes?\b|\bsection\b|\bchapter\b|things? (assumed|repaired)|how to cite`),
		"es":         regexp.MustCompile(`(?i)ejecutad|devengad|\bcubos?\b|cosas? (supuest|corregid)|cómo citarl|redondeadas? (es|son)`),
		"hr":         regexp.MustCompile(`(?i)izvršen|obračunat|\bkock|kako ga|zaokružen[ao]? {`),
		"fr":         regexp.MustCompile(`(?i)exécut|\bcubes?\b|choses? (suppos|corrig)|comment le citer|arrondis? f`),
		"pt":         regexp.MustCompile(`(?i)executad|\bcubos?\b|coisas? (supost|corrigid)|como citá-l|arredondados? (é|são)`),
	}
	inBraces := regexp.MustCompile(`\{\{\.\w+\}\}`)
	for _, l := range words.Languages() {
		for id, m := range messages(t, l) {
			section, _, _ := strings.Cut(id, ".")
			if slices.Contains([]string{"warning", "finding", "mistake", "readme", "evidence"}, section) { // for those who load, or write programs
				continue
			}
			if text := inBraces.ReplaceAllString(strings.Join(formsOf(m), " "), "{}"); ofTrade[l].MatchString(text) {
				t.Errorf("%s in %s: %s", id, l, text)
			}
		}
	}
}

// inTemplate is how a page says a message, and what names its parameters.
var inTemplate = regexp.MustCompile(`Say "([^"]+)"((?: "[A-Z][A-Za-z]*" (?:\([^()]*\)|[^\s(){}]+))*)`)

// Every message is said somewhere, with the parameters that it has: in Go as a text of its own, or as the beginning of one that ends in
// a point or a hyphen.
func TestCatalogues_AreSaidAsTheyAre(t *testing.T) {
	english := messages(t, cube.English)
	said, begun := map[string]bool{}, map[string]bool{}
	params := func(id string) []string {
		var names []string
		for _, found := range regexp.MustCompile(`\{\{\.(\w+)\}\}`).FindAllStringSubmatch(english[id].Other, -1) {
			names = append(names, found[1])
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	call := func(where, id string, given []string) {
		slices.Sort(given)
		switch m := english[id]; {
		case m == nil:
			t.Errorf("%s says %s, which is no message", where, id)
		case !slices.Equal(params(id), given):
			t.Errorf("%s says %s with %q, and it has %q", where, id, given, params(id))
		}
		said[id] = true
	}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go"):
			return err
		case strings.HasSuffix(path, ".html"):
			text, err := os.ReadFile(path)
			for _, found := range inTemplate.FindAllStringSubmatch(string(text), -1) {
				var given []string
				for _, name := range regexp.MustCompile(`"([A-Z][A-Za-z]*)" `).FindAllStringSubmatch(found[2], -1) {
					given = append(given, name[1])
				}
				call(path, found[1], given)
			}
			return err
		case strings.HasSuffix(path, ".go"):
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				ast.Inspect(file, func(n ast.Node) bool { return inGo(n, path, call, said, begun) })
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mistakes := map[string]bool{}
	for text := range said {
		mistakes[strings.Trim(inWords.ReplaceAllString(strings.ToLower(verbs.ReplaceAllString(text, " ")), "-"), "-")] = true
	}
	for id := range english {
		group, rest, _ := strings.Cut(id, ".")
		switch {
		case said[id], slices.ContainsFunc(slices.Collect(maps.Keys(begun)), func(text string) bool { return strings.HasPrefix(id, text) }):
		case slices.Contains([]string{"finding", "told", "warning", "caveat"}, group) && isCode(rest, said), group == "mistake" && mistakes[rest]:
		default:
			t.Errorf("nothing says %s", id)
		}
	}
}

// isCode tells whether a text is the code of a finding, or the code and the name of one of its sentences or lists.
func isCode(text string, said map[string]bool) bool {
	for at := range text {
		if text[at] == '-' && isCode(text[:at], said) && said[text[at+1:]] {
			return true
		}
	}
	return said[text]
}

// A mistake is named by its words in English.
var (
	verbs   = regexp.MustCompile(`%%|%[a-z]`)
	inWords = regexp.MustCompile(`[^a-z0-9]+`)
)

// inGo notes what a node of a program says: a call of Say with its parameters, and each text that may be a message.
func inGo(n ast.Node, path string, call func(where, id string, given []string), said, begun map[string]bool) bool {
	switch n := n.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
			said[text] = true
			if len(text) > 1 && strings.ContainsAny(text[len(text)-1:], ".-") {
				begun[text] = true
			}
		}
	case *ast.CallExpr:
		selector, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != "Say" || len(n.Args) == 0 || n.Ellipsis.IsValid() {
			return true
		}
		id, err := literal(n.Args[0])
		if err != nil {
			return true // the tests that say it tell
		}
		var given []string
		for i := 1; i < len(n.Args); i += 2 {
			name, _ := literal(n.Args[i])
			given = append(given, name)
		}
		call(path, id, given)
	}
	return true
}

func literal(e ast.Expr) (string, error) {
	if lit, ok := e.(*ast.BasicLit); ok {
		return strconv.Unquote(lit.Value)
	}
	return "", errors.New("no text of its own")
}

// bring adds catalogues for one test.
func bring(t *testing.T, folder fs.FS) {
	t.Helper()
	t.Cleanup(func() {
		if err := words.Bring(fstest.MapFS{}); err != nil {
			t.Error(err)
		}
	})
	if err := words.Bring(folder); err != nil {
		t.Fatal(err)
	}
}

// A catalogue from outside is read or refused with its file, message and reason.
func TestBring_SaysWhatIsWrong(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"de.toml", "[view]\ntotals = \"Summe\"\n", "de.toml: view.totals: there is no such message in English"},
		{"de.toml", "[view]\ncells = {one = \"{{.Count}} Zeile\", other = \"{{.N}} Zeilen\"}\n", `de.toml: view.cells: it has the parameters ["N"], and in English ["Count"]`},
		{"de.toml", "[view]\ncells = {one = \"{{.N}} Zeile\", other = \"{{.Count}} Zeilen\"}\n", `de.toml: view.cells: it has the parameter "N", and in English it has ["Count"]`},
		{"de.toml", "[view]\ntotal = \"{{print 1}}\"\n", `de.toml: view.total: "{{print 1}}": a parameter is written {{.Name}}`},
		{"de.toml", "[view]\ntotal = {one = \"Summe\"}\n", "de.toml: view.total: the form “other” is empty"},
		{"de.toml", "[view\n", "de.toml: toml: line 2: expected"},
		{"german.toml", "", "german.toml: the name of a catalogue is that of its language, such as fr.toml"},
	} {
		if err := words.Bring(fstest.MapFS{tt.name: {Data: []byte(tt.text)}}); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%v, want %s", err, tt.want)
		}
		if words.IsLanguage("de") {
			t.Error("it was taken all the same")
		}
	}
	bring(t, fstest.MapFS{"de.toml": {Data: []byte("[view]\ntotal = \"Summe\"\n")}, "hr.toml": {Data: []byte("[view]\ntotal = \"Sve\"\n")}})
	de, hr := words.Locale{Language: "de"}, locale("hr")
	if got := de.Say("view.total") + ", " + de.Say("view.year") + ", " + hr.Say("view.total") + ", " + hr.Say("view.year") + ", " + de.Decimal(number("1234.5"), 1); got != "Summe, Year, Sve, Godina, 1.234,5" || !words.IsLanguage("de") {
		t.Error(got)
	}
}
