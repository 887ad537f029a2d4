package api_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/search"
	"fiscube/internal/each"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
)

var update = flag.Bool("update", false, "write what pages show into testdata/pages; review the difference")

// Each file in testdata/pages is a story: budgets, addresses, and what the parts of their pages that it is about say, which begins with a tab. Those
// in testdata/answers are about what programs get: see asking.
// go test ./api -run Stories -update writes that. What leads elsewhere in these parts is followed. The other lines are
//
//	# text                what the story is about
//	budget NAME {JSON}    begins with a budget like that in testdata/budgets, with changes; its rows are usually those of that
//	and {JSON}            another budget, or another version, like the first, with changes
//	member {JSON}         a member that can be found, in the years from first to last
//	2017 1 x 7.5          a row of the budget above, as cubetest.NewStore reads it
//	times 9 2017 # 5      so many rows or members, in which # is their number from 0
//	seeds NAME NAME       begins with packages that come with fiscube
//	sums                  waits until all is added up, so that amounts can be found
//	show h1 .note -#cite  which elements of the pages below it shows, and which in these it does not
func TestExplorer_Stories(t *testing.T) {
	files, err := filepath.Glob("testdata/[ap]*/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txt"), func(t *testing.T) {
			t.Parallel()
			was, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			told := (&story{T: t}).tell(string(was))
			if *update {
				err = os.WriteFile(file, []byte(told), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			now, then, about := strings.Split(told, "\n"), append(strings.Split(string(was), "\n"), "(nothing)"), ""
			for i, line := range now {
				if strings.HasPrefix(line, "/") {
					about = line
				}
				if !*update && line != then[i] {
					t.Fatalf("%s:%d: %s now has\n%s\nand no more\n%s", file, i+1, about, line, then[i])
				}
			}
		})
	}
}

// story is a file of testdata/pages as far as it is told.
type story struct {
	*testing.T
	store   *fake
	rows    map[int64][]string          // of each budget, by its ID
	listed  map[string][]plan.MemberRow // by level
	index   *search.Index
	handler http.Handler // nil until the first address
	shown   []string
	seen    map[string]bool // what was followed
	canned  canned
}

// tell tells a story again.
func (s *story) tell(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "\t") {
			continue
		}
		b.WriteString(line + "\n")
		line = written(line)
		switch verb, rest, _ := strings.Cut(line, " "); {
		case verb == "budget":
			s.begins(newFake(s))
			name, changes, _ := strings.Cut(rest, " ")
			base, err := os.ReadFile("testdata/budgets/" + name + ".json")
			s.must(err)
			var usual struct {
				Lines  []string
				Report json.RawMessage
			}
			s.must(json.Unmarshal(base, &usual))
			s.must(json.Unmarshal(base, s.last().Package))
			if s.rows[0] = usual.Lines; usual.Report != nil {
				s.last().Report = string(usual.Report)
			}
			s.change(changes)
		case verb == "and":
			other, described := *s.store.cubes[0], *s.store.cubes[0].Package
			var err error
			described.Model, err = described.Model.Draft().Model()
			s.must(err)
			other.Package, other.ID = &described, int64(10+len(s.store.cubes))
			s.store.cubes = append(s.store.cubes, &other)
			s.change(rest)
		case verb == "member":
			s.addMember(rest)
		case verb == "seeds":
			s.begins(nil)
			s.handler = s.loaded(strings.Fields(rest))
		case verb == "sums":
			s.must(s.index.RefreshSums(s.Context()))
		case verb == "show":
			s.shown = strings.Fields(rest)
		case verb == "times":
			count, row, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(count)
			s.must(err)
			for i := range n {
				if row := strings.ReplaceAll(row, "#", strconv.Itoa(i)); strings.HasPrefix(row, "member ") {
					s.addMember(row[len("member "):])
				} else {
					s.addRow(row)
				}
			}
		case verb == "" || verb == "#":
		case line[0] == '/' || asking.MatchString(line):
			for line := range strings.Lines(s.page(line)) {
				b.WriteString("\t" + line)
			}
		case line[0] >= '0' && line[0] <= '9' || verb == "-":
			s.addRow(line)
		case s.prepare(verb, rest):
		default:
			s.Fatalf("%q is no line of a story", line)
		}
	}
	return b.String()
}

func (s *story) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// begins begins with a store.
func (s *story) begins(store *fake) {
	s.store, s.rows, s.listed, s.handler, s.seen = store, map[int64][]string{}, map[string][]plan.MemberRow{}, nil, map[string]bool{}
	s.canned = canned{last: s.canned.last}
	if store != nil {
		store.remove = func(_ context.Context, name string) error {
			catalog := cube.NewCatalog(store.cubes)
			_, err := catalog.Cube(name)
			store.cubes = slices.DeleteFunc(store.cubes, func(c *cube.Cube) bool { return c.Name == name })
			return err
		}
	}
}

// last is the budget that was named last: the fake has another behind the first one.
func (s *story) last() *cube.Cube {
	if len(s.store.cubes) == 2 {
		return s.store.cubes[0]
	}
	return s.store.cubes[len(s.store.cubes)-1]
}

// change changes the last budget: what an object or a list does not name stays.
func (s *story) change(text string) {
	s.Helper()
	changes := map[string]json.RawMessage{}
	s.must(json.Unmarshal([]byte(cmp.Or(text, "{}")), &changes))
	if changes["model"] != nil {
		draft := s.last().Model.Draft()
		s.must(json.Unmarshal(changes["model"], draft))
		made, err := draft.Model()
		s.must(err)
		s.last().Model = made
		delete(changes, "model")
	}
	rest, _ := json.Marshal(changes)
	s.must(json.Unmarshal(rest, s.last()))
	if changes["resources"] != nil {
		s.last().Descriptor = descriptorOf(s.last().Model.Columns(), each.Text(s.last().Resources, func(r cube.Resource) string { return r.Name })...)
	}
	s.handler = nil
}

func (s *story) addRow(row string) { s.rows[s.last().ID] = append(s.rows[s.last().ID], row) }

func (s *story) addMember(text string) {
	var m struct {
		Level, Label, First, Last any
		Path                      []any
		Labels                    []plan.LabelUse
	}
	s.read(text, &m)
	level, _ := m.Level.(string)
	s.listed[level] = append(s.listed[level], plan.MemberRow{
		Path: valuesOf(m.Path), Label: valueOf(m.Label), Rows: 1, First: valueOf(m.First), Last: valueOf(m.Last), Labels: m.Labels,
	})
}

// told is the store of a story.
type told struct {
	*fake
	*story
}

// Members implements answer.Store.
func (s told) Members(_ context.Context, asked *plan.MemberStatement) (plan.MemberRows, error) {
	s.canned.asked++
	rows := slices.DeleteFunc(slices.Clone(s.listed[asked.Level().Ref]), func(m plan.MemberRow) bool {
		return !strings.Contains(strings.ToLower(m.Label.String()), strings.ToLower(asked.Search()))
	})
	return plan.MemberRows{Count: int64(len(rows)), Members: endingIn(s.canned.err, rows), Close: func() {}}, nil
}

// served gives the handler of the story.
func (s *story) served() http.Handler {
	if s.handler != nil {
		return s.handler
	}
	s.store.run = s.run(func(ctx context.Context, asked *plan.Statement) iter.Seq2[row, error] {
		cb := asked.Cube()
		rows := s.rows[cb.ID]
		if rows == nil {
			rows = s.rows[0]
		}
		if len(rows) == 0 {
			return yielding(something(asked))(ctx, asked)
		}
		return runOver(cubetest.NewStore(cb.Model, rows...))(ctx, asked)
	})
	store, log := told{s.store, s}, slog.New(slog.DiscardHandler)
	s.index = search.New(store, log)
	canned := s.canned
	if s.canned.cells, s.canned.err = nil, nil; s.store.catalogErr == nil {
		s.must(s.index.Refresh(s.Context()))
	}
	s.canned = canned
	s.handler = s.serve(store, api.Options{Document: documentBytes(s), Log: log, Search: s.index})
	return s.handler
}

// loaded serves packages that come with fiscube.
func (s *story) loaded(names []string) http.Handler {
	log := slog.New(slog.DiscardHandler)
	opened, err := store.Open(s.Context(), "duckdb::memory:", postgres.Options{}, log)
	s.must(err)
	s.Cleanup(func() { _ = opened.Close() })
	for _, name := range names {
		folder, _ := seeds.Open(name)
		source, err := load.OpenFS(s.Context(), folder, load.Options{Shipped: seeds.OverlayFor})
		s.must(err)
		_, err = load.Run(s.Context(), opened, source, load.Silent{})
		s.must(err)
	}
	s.index = search.New(opened, log)
	s.must(s.index.Refresh(s.Context()))
	return api.New(opened, api.Options{Document: documentBytes(s), Log: log, Search: s.index, Limits: limits.Options{Query: time.Minute, Queries: 16, Dear: 1, Queue: 256}})
}

// page gives what is shown of an address: of a page its parts, else all of it.
func (s *story) page(address string) string {
	s.Helper()
	if s.isAnswer() {
		return s.exchange(address)
	}
	r, text := ask(s, s.served(), address), ""
	if r.status != http.StatusOK {
		text = strconv.Itoa(r.status) + " " + r.header.Get("Location") + "\n"
	}
	kind := r.header.Get("Content-Type")
	switch {
	case r.status == http.StatusSeeOther:
		s.follow(address, r.header.Get("Location"))
		return text
	case strings.HasPrefix(kind, "text/html") && !strings.HasPrefix(r.header.Get("Content-Security-Policy"), "default-src 'none'; "), strings.Contains(r.body, "<script>"):
		s.Errorf("%s may be told to run what is written into it", address)
	case !strings.HasPrefix(kind, "text/html") && kind != "image/svg+xml":
		return text + strings.TrimSpace(r.body) + "\n"
	}
	root, err := html.Parse(strings.NewReader(r.body))
	s.must(err)
	for n := range root.Descendants() {
		if s.isShown(n) && !slices.ContainsFunc(slices.Collect(n.Ancestors()), func(above *html.Node) bool { return s.isShown(above) || s.isHidden(above) }) {
			p := plainPart{isHidden: s.isHidden}
			p.node(n)
			text += p.done()
			for _, link := range p.links {
				s.follow(address, link)
			}
		}
	}
	today := time.Now().UTC().Format(time.DateOnly)
	return strings.ReplaceAll(cmp.Or(text, "(nothing)\n"), today, "today")
}

// follow asks for what a page leads to.
func (s *story) follow(address, link string) {
	s.Helper()
	base, err := url.Parse("http://example.com" + address)
	s.must(err)
	to, err := base.Parse(link)
	s.must(err)
	if path := to.RequestURI(); !s.seen[path] && to.Host == base.Host {
		s.seen[path] = true
		if r := ask(s, s.served(), path); r.status >= 400 {
			s.Errorf("%s leads to %s: status %d", address, path, r.status)
		}
	}
}

var selector = regexp.MustCompile(`^([a-z0-9]*)(?:([.#\[])([^\]]*)\]?)?$`)

// isShown tells whether an element is one that the story shows.
func (s *story) isShown(n *html.Node) bool {
	return slices.ContainsFunc(s.shown, func(text string) bool { return isSelected(n, text) })
}

// isHidden tells whether an element is one that it does not show. All pages have the same foot.
func (s *story) isHidden(n *html.Node) bool {
	return n.Data == "footer" || slices.ContainsFunc(s.shown, func(text string) bool { return text[0] == '-' && isSelected(n, text[1:]) })
}

// isSelected tells whether an element has the name, and the class, the identifier or the attribute, of a selector.
func isSelected(n *html.Node, text string) bool {
	part := selector.FindStringSubmatch(text)
	if n.Type != html.ElementNode || part == nil || part[1] != "" && part[1] != n.Data {
		return false
	}
	has := attributes(n)
	_, hasIt := has[part[3]]
	return part[2] == "" || part[2] == "." && slices.Contains(strings.Fields(has["class"]), part[3]) || part[2] == "#" && has["id"] == part[3] || part[2] == "[" && hasIt
}

// attributes are those of an element, by name.
func attributes(n *html.Node) map[string]string {
	all := map[string]string{}
	for _, a := range n.Attr {
		all[a.Key] = a.Val
	}
	return all
}

// plainPart is a part of a page as plain text.
type plainPart struct {
	bytes.Buffer
	links    []string
	isHidden func(*html.Node) bool
}

var (
	blanks  = regexp.MustCompile(`[ \t\r\n]+`)
	ofLines = regexp.MustCompile(` ?\n[ \n]*`)
	blocks  = []string{
		"blockquote", "caption", "details", "div", "figcaption", "figure", "form", "h1", "h2", "h3", "li", "link", "meta", "nav", "p", "pre", "section", "summary", "svg", "text", "title", "tr",
	}
	signals = []string{"doubtful", "doubt", "refused", "madeup"} // classes that say something
)

// node writes an element or a text: each block as a line, links with where they lead, what is chosen with a sign, and figures by the names of their marks.
func (p *plainPart) node(n *html.Node) {
	if n.Type == html.TextNode {
		p.WriteString(blanks.ReplaceAllString(n.Data, " "))
	}
	has := attributes(n)
	if n.Type != html.ElementNode || has["aria-hidden"] != "" || n.Data == "script" || n.Data == "text" && p.Len() > 0 || p.isHidden(n) {
		return
	}
	isBlock := slices.Contains(blocks, n.Data)
	if isBlock {
		p.WriteString("\n")
	}
	for _, class := range strings.Fields(has["class"]) {
		if slices.Contains(signals, class) {
			p.WriteString("(" + class + ") ")
		}
	}
	if has["lang"] != "" {
		p.WriteString("(" + has["lang"] + ") ")
	}
	switch n.Data {
	case "h1", "h2", "h3":
		p.WriteString(n.Data + " ")
	case "meta", "link":
		p.WriteString(has["property"] + has["rel"] + " " + has["content"] + has["href"])
		if link := has["content"] + has["href"]; strings.HasPrefix(link, "http") {
			p.links = append(p.links, link)
		}
	case "input":
		p.WriteString(" [" + has["name"] + "=" + has["value"] + "] ")
	case "select":
		p.WriteString(" [" + has["name"] + "] ")
	case "optgroup":
		p.WriteString(has["label"] + ": ")
	case "svg":
		p.WriteString(has["aria-label"])
	case "rect":
		if attributes(n.Parent.Parent)["class"] == "years" {
			p.WriteString(" " + has["x"] + "/" + has["height"])
		}
	}
	for child := range n.ChildNodes() {
		p.node(child)
	}
	switch n.Data {
	case "a":
		p.WriteString(" <" + has["href"] + ">")
		p.links = append(p.links, has["href"])
	case "td", "th":
		p.WriteString(" | ")
	case "dt":
		p.WriteString(": ")
	case "option":
		p.WriteString(" (" + has["value"] + ")")
	}
	for _, name := range []string{"title", "aria-sort", "data-retry"} {
		if text := has[name]; text != "" && (name != "title" || n.Parent.Data != "th") {
			p.WriteString(" {" + text + "}")
		}
	}
	if _, isTaken := has["selected"]; isTaken || has["aria-current"] != "" {
		p.WriteString(" *")
	}
	if n.Data == "option" {
		p.WriteString("; ")
	} else if isBlock && n.Data != "title" {
		p.WriteString("\n")
	}
}

// done gives the lines.
func (p *plainPart) done() string {
	lines := strings.Split(ofLines.ReplaceAllString(p.String(), "\n"), "\n")
	lines = each.Text(lines, func(line string) string { return strings.Trim(blanks.ReplaceAllString(line, " "), " |") })
	return strings.Join(append(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), ""), "\n")
}
