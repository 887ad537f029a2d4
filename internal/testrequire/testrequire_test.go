package testrequire_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

func TestSkip_FailsWhatIsRequired(t *testing.T) {
	for _, test := range []struct{ list, what, want string }{
		{"", "postgres", "skip: there is none"},
		{"postgres", "postgres", "fatal: FISCUBE_TEST_REQUIRE=postgres, but there is none"},
		{"node, postgres", "postgres", "fatal: FISCUBE_TEST_REQUIRE=node, postgres, but there is none"},
		{"node,chromium", "postgres", "skip: there is none"},
		{"postgresql", "postgres", "skip: there is none"},
	} {
		t.Run(test.list, func(t *testing.T) {
			t.Setenv(testrequire.Env, test.list)
			ended := &ending{TB: t}
			testrequire.Skip(ended, test.what, "there is none")
			if ended.as != test.want {
				t.Errorf("ended as %q, want %q", ended.as, test.want)
			}
		})
	}
}

// ending is a test that records how it was first ended, and goes on.
type ending struct {
	testing.TB
	as string
}

func (e *ending) Helper() {}

func (e *ending) Skip(args ...any) { e.end("skip: " + fmt.Sprint(args...)) }

func (e *ending) Fatalf(format string, args ...any) { e.end("fatal: " + fmt.Sprintf(format, args...)) }

func (e *ending) end(as string) {
	if e.as == "" {
		e.as = as
	}
}

// What the ordinary run leaves out, the step long of CI runs: its pattern matches each test that calls Long, IsLong or Share by
// itself, and its packages have it.
func TestLong_CIRunsEachTest(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	script, err := os.ReadFile(filepath.Join(".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	_, step, _ := strings.Cut(string(script), "\nlong() {\n")
	step, _, _ = strings.Cut(step, "\n}\n")
	var pattern strings.Builder
	for _, part := range regexp.MustCompile(`tests\+?='([^']*)'`).FindAllStringSubmatch(step, -1) {
		pattern.WriteString(part[1])
	}
	runs := regexp.MustCompile(regexp.MustCompile(`/(\([^)]*\)|[^|(])*`).ReplaceAllString(pattern.String(), "")) // without subtests
	packages := regexp.MustCompile(`\./\S+`).FindAllString(step, -1)
	found := 0
	for _, path := range testFiles(t) {
		for _, name := range longTests(t, path) {
			found++
			if folder := "./" + filepath.ToSlash(filepath.Dir(path)); !runs.MatchString(name) || !slices.Contains(packages, folder) {
				t.Errorf("the step long of .ci/run leaves out %s of %s", name, folder)
			}
		}
	}
	if found < 15 {
		t.Errorf("%d tests that take long are found", found)
	}
}

func testFiles(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, "_test.go") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// longTests names the tests of a file that ask for a run that has time.
func longTests(t *testing.T, path string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(function.Name.Name, "Test") {
			continue
		}
		ast.Inspect(function, func(node ast.Node) bool {
			called, ok := node.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Long", "IsLong", "Share"}, called.Sel.Name) {
				return true
			}
			if of, ok := called.X.(*ast.Ident); ok && of.Name == "testrequire" && !slices.Contains(names, function.Name.Name) {
				names = append(names, function.Name.Name)
			}
			return true
		})
	}
	return names
}
