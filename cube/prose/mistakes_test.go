package prose

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/golden"
)

// reached are the packages whose mistakes a page can meet, below the root.
var reached = []string{
	"cube", "cube/query", "cube/plan", "cube/answer", "cube/search", "api/request", "api/reply", "api/limits", "api/explorer", "api/explorer/site",
	"api/explorer/results", "api/explorer/loadreport", "api/publish", "store/duckdb", "store/postgres",
}

// formatPlaces are where calls that make mistakes have their formats.
var formatPlaces = map[string]int{"Errorf": 1, "Wrap": 1, "cube.Errorf": 1, "cube.Wrap": 1, "fail": 2, "badBookmark": 0, "request.Mistake": 2, "Mistake": 2}

// formatsOf lists the literal formats of the mistakes that a file makes.
func formatsOf(t *testing.T, path string) (list []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if at, ok := formatPlaces[types.ExprString(call.Fun)]; ok && at < len(call.Args) {
			if text, err := strconv.Unquote(types.ExprString(call.Args[at])); err == nil {
				list = append(list, text)
			}
		}
		return true
	})
	return list
}

// A message of a mistake has a parameter for each that fills the mistake, and there is one for each mistake alone. Mistakes that have no translation,
// as those of programs mostly, are listed in testdata/untranslated.txt, so that a new one is a decision.
func TestMistakes_HaveMessages(t *testing.T) {
	var formats []string
	for _, name := range reached {
		files, err := filepath.Glob(filepath.Join("..", "..", name, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(name, err)
		}
		for _, path := range files {
			if !strings.HasSuffix(path, "_test.go") {
				formats = append(formats, formatsOf(t, path)...)
			}
		}
	}
	slices.Sort(formats)
	left, of := "", map[string]string{}
	for _, format := range slices.Compact(formats) {
		message := mistakeOf(format)
		if !words.Has(message) {
			left += strconv.Quote(format) + "\n"
			continue
		}
		if got, want := len(words.Parameters(message)), len(verb.FindAllString(strings.ReplaceAll(format, "%%", ""), -1)); got != want || of[message] != "" {
			t.Errorf("%q and %q are %s, with %d parameters", of[message], format, message, got)
		}
		of[message] = format
	}
	golden.File(t, "testdata/untranslated.txt", left)
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
		if got := TellMistake(tt.err, "hr"); got.Message != tt.message+"." || got.MessageIn != tt.in {
			t.Errorf("%s: got %+v", tt.name, got)
		}
	}
}
