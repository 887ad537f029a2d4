package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
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
			r.server.settles(t)
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

// The other pages with commands are for looking things up: each command is run as it stands, but for those that need what is not here.
func TestManualPages_CommandsRun(t *testing.T) {
	for _, name := range []string{"README.md", "docs/operating.md", "docs/packages.md", "docs/recipes.md"} {
		page := string(sure(os.ReadFile(name)))
		t.Run(filepath.Base(name), func(t *testing.T) {
			r := newPageReader(t)
			must(t, "load", "my-town")
			r.run(t, "fiscube serve --seed")
			for _, found := range block.FindAllStringSubmatch(page, -1) {
				if found[1] == "sh" {
					r.run(t, found[2])
				}
			}
			if r.commands < 3 {
				t.Errorf("%d commands were run", r.commands)
			}
		})
	}
}

// elsewhere are the beginnings of commands that are not run, with what they need.
var elsewhere = map[string]string{
	"fiscube bench": "a minute; the tests of the command have it", "sudo ": "root and systemd", "sha256sum --check": "an archive", "tar -xzf": "an archive", "fiscube_": "an archive; packaging/try has one",
	"go run": "the program is built here already", "go test": "the tests run", "docker ": "Docker", "echo ": "Docker", "POSTGRES_PASSWORD": "Docker",
	"fiscube serve --db postgres": "a PostgreSQL of that name; the tests of stores have one", "fiscube serve --db 'postgres": "a pooler; the tests of store/postgres have one",
	"pg_dump": "a PostgreSQL of that name", "createdb": "a PostgreSQL of that name", "pg_restore": "a PostgreSQL of that name", "fiscube backup --db postgres": "the same; TestBackup has one", "OTEL_": "a collector; TestTraces has one", "fiscube list --db postgres": "a PostgreSQL of that name",
	`curl -H "Authorization: Bearer $(cat token)" -H 'Content-Type: application/json'`: "a server on the web",
}

// pageReader does what a page says.
type pageReader struct {
	server   *service // nil until a command starts it
	printed  string   // by the last command
	commands int
}

// newPageReader is in a folder with packages, and with the store that a page means where it names none. The store has the examples already,
// which serve --seed would load.
func newPageReader(t *testing.T) *pageReader {
	t.Helper()
	folder := t.TempDir()
	seed := slices.IndexFunc(seeds.All(), func(s seeds.Seed) bool { return s.Name == "example-croatia" })
	for _, name := range []string{"my-budget", "my-town", "path/to/package"} {
		folderOf := filepath.Join(folder, name)
		check(os.CopyFS(folderOf, seeds.All()[seed].FS))
		if descriptor := filepath.Join(folderOf, "datapackage.json"); name != "my-budget" {
			write(descriptor, bytes.Replace(sure(os.ReadFile(descriptor)), []byte(`"example-croatia"`), []byte(`"my-town"`), 1))
		}
	}
	check(os.Rename(zippedFolder(t, filepath.Join(folder, "my-town")), filepath.Join(folder, "package.zip")))
	for _, name := range []string{"path/to/budget.csv", "spending.csv"} {
		write(filepath.Join(folder, name), []byte("year;office;name;approved\n2023;01;Mayor;1200\n2023;02;Schools;9500\n2024;01;Mayor;1300\n2024;02;Schools;9900\n"))
	}
	write(filepath.Join(folder, "fiscube.duckdb"), sure(os.ReadFile(fileOf(kinds[0].withExamples(t)))))
	t.Setenv("FISCUBE_DB", "duckdb:"+filepath.Join(folder, "fiscube.duckdb"))
	t.Chdir(folder)
	return &pageReader{}
}

// run runs the lines of a block. A program other than ours is run by the shell.
func (r *pageReader) run(t *testing.T, block string) {
	t.Helper()
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(line, " #")
		line = strings.TrimSpace(line)
		if line == "" || slices.ContainsFunc(slices.Collect(maps.Keys(elsewhere)), func(beginning string) bool { return strings.HasPrefix(line, beginning) }) {
			continue
		}
		r.commands++
		args := strings.Fields(r.at(line))
		switch {
		case args[0] == "fiscube" && args[1] == "serve":
			r.stop(t)
			t.Setenv("FISCUBE_ADDR", "")
			r.server = serving(t, startIn(t, ".", nil, append([]string{"serve", "--addr", "127.0.0.1:0"}, args[2:]...)...))
			t.Setenv("FISCUBE_ADDR", strings.TrimPrefix(r.server.url, "http://"))
		case args[0] == "fiscube":
			r.printed = must(t, args[1:]...)
		default:
			r.shell(t, line)
		}
	}
}

// shell has the shell run a line. A job that it starts is waited for.
func (r *pageReader) shell(t *testing.T, line string) {
	t.Helper()
	if strings.Contains(line, "fiscube.duckdb") {
		r.stop(t) // as pages say
	}
	out, err := exec.Command("sh", "-c", r.at(line)).Output()
	if r.printed = string(out); err != nil {
		t.Errorf("%s: %v", line, err)
	}
	if strings.HasPrefix(line, "curl ") && r.printed == "" && !strings.Contains(line, "-X DELETE") && !strings.Contains(line, "-sJO") {
		t.Errorf("%s prints nothing", line)
	}
	var started job
	if strings.Contains(line, "--data-binary") && json.Unmarshal(out, &started) == nil {
		eventually(t, "the job ends", patience, func() bool {
			now := sure(exec.Command("sh", "-c", `curl -s -H "Authorization: Bearer $(cat token)" `+r.server.url+"/jobs/"+started.ID).Output())
			return json.Unmarshal(now, &started) == nil && started.hasEnded()
		})
		if started.State != "done" {
			t.Errorf("%s: the job is %+v", line, started)
		}
	}
}

// stop stops the server, if there is one.
func (r *pageReader) stop(t *testing.T) {
	t.Helper()
	if r.server != nil {
		r.server.stop(t)
		r.server = nil
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
var slug = strings.NewReplacer(" ", "-", ",", "", ".", "", "`", "", ":", "", "’", "", "?", "", "…", "", "(", "", ")", "")

// Links from page to page lead to headings that are there.
func TestDocs_LinksLeadSomewhere(t *testing.T) {
	pages := append(sure(filepath.Glob("docs/*.md")), "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
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
