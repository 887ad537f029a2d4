package api_test

import (
	"context"
	"encoding/json"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/search"
)

// searchable is a service over the fake whose index is read.
func searchable(t testing.TB, f api.Store) http.Handler {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	index := search.New(f, log)
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return api.New(f, api.Options{Document: documentBytes(t), Log: log, Search: index})
}

// levelled is the fake with members of one level alone.
type levelled struct {
	*fake
	level string
}

// Members implements answer.Store.
func (l levelled) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	if s.Level().Ref == l.level {
		return l.fake.Members(ctx, s)
	}
	return plan.MemberRows{Members: endingIn[plan.MemberRow](nil, nil), Close: func() {}}, nil
}

// foundHit is what these tests read of a hit.
type foundHit struct {
	Kind, Cube, Href string
	Level            *string
	Path             string
	Label            string
	LabelNow         *string `json:"label_now"`
	Years            []int
	Amount           *struct {
		Measure     string
		Year, Value *json.Number
	}
}

type found struct {
	Total      int `json:"total_hit_count"`
	Incomplete bool
	Hits       []foundHit
	Page       int
	PageSize   int `json:"page_size"`
	Warnings   []struct{ Code, Message string }
}

func lookFor(t testing.TB, h http.Handler, target string) found {
	t.Helper()
	r := ask(t, h, target)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d %s", target, r.status, r.body)
	}
	var f found
	r.read(t, &f)
	return f
}

// amounted is the fake with two members of a level, of which one has an amount.
func amounted(t testing.TB) (*fake, levelled) {
	f := newFake(t)
	for _, key := range []string{"2", "3"} {
		f.members = append(f.members, plan.MemberRow{
			Path: []cube.Value{cube.Text("010"), cube.Text(key)}, Label: cube.Text("Novi naziv " + key), Rows: 1,
			First: cube.Integer(2014), Last: cube.Integer(2017),
		})
	}
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		cell := row{Keys: []cube.Value{cube.Integer(2016)}, Values: amounts("1234.5", "99")}
		if len(s.Keys()) > 1 {
			cell = row{Keys: []cube.Value{cube.Text("010"), cube.Text("2"), cube.Integer(2016)}, Values: amounts("12.5")}
		}
		return yielding(nothing(s), cell)(ctx, s)
	}
	return f, levelled{f, "admin2_code"}
}

func TestSearch_AmountsOfHits(t *testing.T) {
	_, l := amounted(t)
	h := searchable(t, l)
	for _, tt := range []struct{ query, path, measure, year, value string }{
		{"novi 2", "010/2", "approved_value", "2016", "12.50"},
		{"novi 3", "010/3", "approved_value", "2017", ""}, // none in any year: that of the last one
		{"croatia", "", "approved_value", "2016", "1234.50"},
		{"approved", "", "approved_value", "2016", "1234.50"},
		{"cash", "", "executed: cash", "2016", "99"},
	} {
		hit := lookFor(t, h, "/search/?cube=croatia&q="+url.QueryEscape(tt.query)).Hits[0]
		var value string
		if hit.Amount.Value != nil {
			value = hit.Amount.Value.String()
		}
		if hit.Path != tt.path || hit.Amount.Measure != tt.measure || hit.Amount.Year.String() != tt.year || value != tt.value {
			t.Errorf("%s: %+v of %+v, want %+v", tt.query, *hit.Amount, hit, tt)
		}
	}
}

// A member with several names is shown by the one that matches, and its link counts the years in which it is called so.
func TestSearch_AmountsAsStrings(t *testing.T) {
	_, l := amounted(t)
	h := searchable(t, l)
	for words, want := range map[string]string{"novi 2": `"value":"12.50"`, "novi 3": `"value":null`} {
		if r := ask(t, h, "/search?numbers=string&q="+url.QueryEscape(words)); !strings.Contains(r.body, want) {
			t.Errorf("%s: %s, want %s", words, r.body, want)
		}
	}
}

func TestSearch_NamesOfOtherYears(t *testing.T) {
	_, l := amounted(t)
	l.members[0].Labels = []plan.LabelUse{{Text: "Novi naziv 2", Years: []int64{2017}}, {Text: "Stari", Years: []int64{2014, 2016}}}
	hit := lookFor(t, searchable(t, l), "/search/?cube=croatia&q=stari").Hits[0]
	if hit.Label != "Stari" || hit.LabelNow == nil || *hit.LabelNow != "Novi naziv 2" || !slices.Equal(hit.Years, []int{2014, 2016}) {
		t.Errorf("got %+v", hit)
	}
	if want := "Year:2014;2016"; !strings.Contains(hit.Href, url.QueryEscape(want)) {
		t.Errorf("the link is %s, without %s", hit.Href, want)
	}
}

// What is searched is in memory: nothing is asked of the store, which may fail or be busy with others.
func TestSearch_AsksNothingOfTheStore(t *testing.T) {
	f, l := amounted(t)
	log := slog.New(slog.DiscardHandler)
	index := search.New(l, log)
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	begun, end := make(chan struct{}), make(chan struct{})
	f.asked()
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			close(begun)
			<-end
			yield(nothing(s), nil)
		}
	}
	h := api.New(l, api.Options{
		Document: documentBytes(t), Log: log, Search: index, Limits: limits.Options{Queries: 1},
	})
	var busy sync.WaitGroup
	busy.Go(func() { ask(t, h, "/cubes/croatia/aggregate") })
	defer busy.Wait()
	defer close(end)
	<-begun
	if got := lookFor(t, h, "/search?q=novi"); got.Total != 2 || got.Hits[0].Amount.Value.String() != "12.50" {
		t.Errorf("while the one turn is taken: %+v", got)
	}
	if s := f.asked(); len(s.Keys()) > 0 {
		t.Errorf("the search asked for %v", s.Keys())
	}
}

func TestSearch_CubeOfAnyName(t *testing.T) {
	h := searchable(t, newFake(t))
	hit := lookFor(t, h, "/search?q=own:h%22r&pagesize=1").Hits[0]
	if hit.Cube != `own:h"r 100%/ž` || hit.Amount != nil || hit.Href != "cubes/own:h%22r%20100%25%2F%C5%BE/aggregate" {
		t.Errorf("got %+v", hit)
	}
	if r := ask(t, h, "/"+hit.Href); r.status != http.StatusOK {
		t.Errorf("%s: %d", hit.Href, r.status)
	}
}

func TestSearch_CubeThatIsNotReadYet(t *testing.T) {
	got := lookFor(t, handler(t, newFake(t)), "/search?q=novi&cube=croatia")
	if !got.Incomplete || got.Total != 0 || len(got.Warnings) != 1 || got.Warnings[0].Code != "search-pending" {
		t.Errorf("got %+v", got)
	}
	if said := lookFor(t, handler(t, newFake(t)), "/search?q=novi&cube=croatia&lang=es").Warnings[0].Message; !strings.Contains(said, "todavía se está leyendo") {
		t.Errorf("in Spanish: %s", said)
	}
	if got.Page != 1 || got.PageSize != 20 {
		t.Errorf("page %d of %d", got.Page, got.PageSize)
	}
}

func TestSearch_PagesAreLinked(t *testing.T) {
	f := newFake(t)
	for i := range 1100 {
		f.members = append(f.members, plan.MemberRow{
			Path: []cube.Value{cube.Text(strconv.Itoa(i))}, Label: cube.Text("Novi naziv"), Rows: 1,
		})
	}
	h := searchable(t, levelled{f, "admin1_code"})
	for _, tt := range []struct {
		query string
		links []string
	}{
		{"q=novi+naziv&pagesize=100&page=2", []string{
			`<?q=novi+naziv&pagesize=100&page=3>; rel="next"`, `<?q=novi+naziv&pagesize=100&page=1>; rel="prev"`,
			`<?q=novi+naziv&pagesize=100&page=1>; rel="first"`, `<?q=novi+naziv&pagesize=100&page=10>; rel="last"`}},
		{"q=novi&pagesize=30&page=33", []string{ // page 34 would reach beyond the end
			`<?q=novi&pagesize=30&page=32>; rel="prev"`, `<?q=novi&pagesize=30&page=1>; rel="first"`,
			`<?q=novi&pagesize=30&page=33>; rel="last"`}},
		{"q=nothing", []string{`<?q=nothing&page=1>; rel="first"`, `<?q=nothing&page=1>; rel="last"`}},
		{"q=novi&pagesize=0", nil},
	} {
		links := paging(ask(t, h, "/search?"+tt.query))
		if !slices.Equal(links, tt.links) {
			t.Errorf("%s: %q", tt.query, links)
		}
		for _, link := range links {
			target, _, _ := strings.Cut(strings.TrimPrefix(link, "<"), ">")
			if r := ask(t, h, "/search"+target); r.status != http.StatusOK {
				t.Errorf("%s: %d %s", target, r.status, r.body)
			}
		}
	}
}

// The search ends when the client has gone.
func TestSearch_ClientLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	recorder := httptest.NewRecorder()
	searchable(t, newFake(t)).ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodGet, "/search?q=e", nil))
	if recorder.Code == http.StatusOK {
		t.Errorf("it is answered: %s", recorder.Body)
	}
}

// A member has those above it, with their names.
func TestSearch_Parents(t *testing.T) {
	f := newFake(t)
	f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		return yielding(nothing(s))(ctx, s)
	}
	h := searchable(t, above{f})
	if r := ask(t, h, "/search?q=unit"); !strings.Contains(r.body, `"path":"010/2","parents":[{"level":"admin1_code","key":"010","label":"Sabor"}],"label":"Unit"`) {
		t.Errorf("got %s", r.body)
	}
	if r := ask(t, h, "/search?q=sabor&pagesize=1"); !strings.Contains(r.body, `"path":"010","parents":[],"label":"Sabor"`) {
		t.Errorf("got %s", r.body)
	}
}

// above is the fake with a member of a level and one of the level below.
type above struct{ *fake }

// Members implements answer.Store.
func (a above) Members(_ context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	rows := map[string][]plan.MemberRow{
		"admin1_code": {{Path: []cube.Value{cube.Text("010")}, Label: cube.Text("Sabor"), Rows: 2, First: cube.Integer(2014), Last: cube.Integer(2017)}},
		"admin2_code": {{Path: []cube.Value{cube.Text("010"), cube.Text("2")}, Label: cube.Text("Unit"), Rows: 1, First: cube.Integer(2014), Last: cube.Integer(2016)}},
	}[s.Level().Ref]
	return plan.MemberRows{Count: int64(len(rows)), Members: endingIn(nil, rows), Close: func() {}}, nil
}
