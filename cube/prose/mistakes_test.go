package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// reached are the packages whose mistakes a page can meet, below the root.
var reached = []string{
	"cube", "cube/query", "cube/plan", "cube/answer", "cube/search", "api/request", "api/reply", "api/limits", "api/explorer", "api/explorer/site",
	"api/explorer/results", "api/explorer/loadreport", "api/publish", "store/duckdb", "store/postgres",
}

// formatsOf lists the literal formats of the mistakes that the packages make, by the places of the literals in the calls.
func formatsOf(t *testing.T, packages []string) (list []string) {
	t.Helper()
	places := map[string]int{"Errorf": 1, "Wrap": 1, "fail": 2, "badBookmark": 0, "Mistake": 2}
	for _, name := range packages {
		files, err := filepath.Glob(filepath.Join("..", "..", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(name, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				called := ""
				switch f := call.Fun.(type) {
				case *ast.Ident:
					called = f.Name
				case *ast.SelectorExpr:
					if from, ok := f.X.(*ast.Ident); ok && (from.Name == "cube" || from.Name == "request") {
						called = f.Sel.Name
					}
				}
				if at, ok := places[called]; ok && at < len(call.Args) {
					if literal, ok := call.Args[at].(*ast.BasicLit); ok && literal.Kind == token.STRING {
						if text, err := strconv.Unquote(literal.Value); err == nil {
							list = append(list, text)
						}
					}
				}
				return true
			})
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Mistakes that have no translation, as those of programs mostly, are listed in testdata/untranslated.txt, so that a new one is a decision.
func TestMistakes_ListOfThoseInEnglishAlone(t *testing.T) {
	var left []string
	for _, format := range formatsOf(t, reached) {
		if !words.Has(mistakeOf(format)) {
			left = append(left, strconv.Quote(format))
		}
	}
	const path = "testdata/untranslated.txt"
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(left, "\n") + "\n"; got != string(want) {
		t.Errorf("%s has others than are left:\n%s", path, got)
	}
}

// A message of a mistake has a parameter for each that fills the mistake, and there is one for each mistake alone.
func TestMistakes_AreFilled(t *testing.T) {
	of := map[string]string{}
	for _, format := range formatsOf(t, reached) {
		message := mistakeOf(format)
		if !words.Has(message) {
			continue
		}
		if got, want := len(words.Parameters(message)), len(verb.FindAllString(strings.ReplaceAll(format, "%%", ""), -1)); got != want || of[message] != "" {
			t.Errorf("%q and %q are %s, with %d parameters", of[message], format, message, got)
		}
		of[message] = format
	}
}

func TestTellMistake(t *testing.T) {
	for _, tt := range []struct {
		name    string
		err     *cube.Error
		message string
		in      cube.Language
	}{
		{"in the language", cube.Errorf(cube.CodeUnknownCube, "no cube %q", "x"), "nema proračuna „x“", "hr"},
		{"without a translation", cube.Errorf(cube.CodeBadValue, "no such thing as %s", "x"), "no such thing as x", cube.English},
		{"changed since", &cube.Error{Message: "another", Said: cube.Phrase{Format: "no cube %q", Args: []any{"x"}}}, "another", cube.English},
		{"the end of a text", cube.Errorf(cube.CodeBadSyntax, "expected a name, found %s", query.TheEnd), "očekuje se naziv, a ovdje je kraj", "hr"},
		{"what is written like the end of a text", cube.Errorf(cube.CodeUnknownCube, "no cube %q", "the end"), "nema proračuna „the end“", "hr"},
		{"signs that no page can show", cube.Errorf(cube.CodeUnknownCube, "no cube %q", "a\n\xff\u202eb"), `nema proračuna „a\n\xff\u202eb“`, "hr"},
		{"without arguments", cube.Wrap(cube.CodeUnavailable, "too many questions at once", nil), "previše je pitanja odjednom", "hr"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := TellMistake(tt.err, "hr"); got.Message != tt.message || got.MessageIn != tt.in {
				t.Errorf("got %+v", got)
			}
		})
	}
}
