package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

// readerPages say to each kind of reader what he needs first.
var readerPages = []string{"docs/for-journalists.md", "docs/for-developers.md", "docs/for-publishers.md", "docs/for-operators.md"}

// pageLink is a link of a page to the server that the page starts.
var pageLink = regexp.MustCompile(`\]\((http://127\.0\.0\.1:8080[^)]*)\)`)

// Every command of a page is run, from its top to its end, in a folder with a package, and every link to the server that it starts is
// answered. What a command prints stands below it, where anything does; answers of the server are those of TestExamplePages.
func TestReaderPages_CommandsRun(t *testing.T) {
	for _, name := range readerPages {
		page := string(sure(os.ReadFile(name)))
		t.Run(filepath.Base(name), func(t *testing.T) {
			r := newPageReader(t)
			for _, found := range block.FindAllStringSubmatch(page, -1) {
				switch language, content := found[1], found[2]; {
				case language == "sh":
					r.run(t, content)
				case language == "text" && r.printed != content:
					t.Errorf("the page prints\n%s\nthe command\n%s", content, r.printed)
				}
			}
			for _, link := range pageLink.FindAllStringSubmatch(page, -1) {
				if status, body := answerTo(t, r.at(link[1])); status != http.StatusOK {
					t.Errorf("%s: %d %s", link[1], status, body)
				}
			}
			if r.commands < 2 || r.server == nil {
				t.Errorf("the page has %d commands", r.commands)
			}
		})
	}
}

// pageReader does what a page says.
type pageReader struct {
	db       string
	server   *service // nil until a command starts it
	printed  string   // by the last command
	commands int
}

// newPageReader is in a folder of his own, with a package and a store.
func newPageReader(t *testing.T) *pageReader {
	t.Helper()
	folder := t.TempDir()
	seed := slices.IndexFunc(seeds.All(), func(s seeds.Seed) bool { return s.Name == "example-croatia" })
	check(os.CopyFS(filepath.Join(folder, "my-budget"), seeds.All()[seed].FS))
	r := &pageReader{db: freshDuckDB(t)}
	t.Setenv("FISCUBE_DB", r.db)
	t.Chdir(folder)
	return r
}

// run runs the lines of a block. A program other than ours is run by the shell.
func (r *pageReader) run(t *testing.T, block string) {
	t.Helper()
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		r.commands++
		args := strings.Fields(line)
		switch {
		case args[0] == "fiscube" && args[1] == "serve":
			r.server = serve(t, r.db, args[2:]...)
			r.server.settles(t)
			t.Setenv("FISCUBE_ADDR", strings.TrimPrefix(r.server.url, "http://"))
		case args[0] == "fiscube":
			r.printed = must(t, args[1:]...)
		default:
			out, err := exec.Command("sh", "-c", r.at(line)).Output()
			if r.printed = string(out); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if strings.HasPrefix(line, "curl ") && r.printed == "" {
				t.Errorf("%s prints nothing", line)
			}
		}
	}
}

// at puts the address of the server in the place of the one on the page.
func (r *pageReader) at(text string) string {
	if r.server == nil {
		return text
	}
	return strings.ReplaceAll(text, "http://127.0.0.1:8080", r.server.url)
}

// slug is the anchor of a heading.
var slug = strings.NewReplacer(" ", "-", ",", "", ".", "", "`", "", ":", "", "’", "", "?", "", "(", "", ")", "")

// Links from page to page lead to headings that are there.
func TestDocs_LinksLeadSomewhere(t *testing.T) {
	pages := append(sure(filepath.Glob("docs/*.md")), "README.md")
	links, relative := 0, regexp.MustCompile(`\]\(([^):]*)\)`)
	for _, page := range pages {
		for _, found := range relative.FindAllStringSubmatch(string(sure(os.ReadFile(page))), -1) {
			links++
			file, anchor, _ := strings.Cut(found[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			content, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s: %s leads nowhere", page, found[1])
				continue
			}
			headings := regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(content), -1)
			if anchor != "" && !slices.ContainsFunc(headings, func(h []string) bool { return slug.Replace(strings.ToLower(h[1])) == anchor }) {
				t.Errorf("%s: %s has no such heading", page, found[1])
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links", links)
	}
}
