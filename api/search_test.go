package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/search"
)

// searchable is a service over the fake whose index is read.
func searchable(t testing.TB, f cube.Backend) http.Handler {
	t.Helper()
	engine, log := cube.NewEngine(f), slog.New(slog.DiscardHandler)
	index := search.New(engine, log)
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return api.New(engine, api.Options{Document: documentBytes(t), Log: log, Search: index})
}

// levelled is the fake with members of one level alone.
type levelled struct {
	*fake
	level string
}

// Members implements cube.Backend.
func (l levelled) Members(ctx context.Context, plan *cube.MemberPlan) iter.Seq2[cube.MemberRow, error] {
	if plan.Level().Ref == l.level {
		return l.fake.Members(ctx, plan)
	}
	return func(yield func(cube.MemberRow, error) bool) { yield(cube.MemberRow{}, nil) }
}

// foundHit is what these tests read of a hit.
type foundHit struct {
	Kind, Cube, Href string
	Level            *string
	Path             string
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

// Hits of one level are one question, which asks for their members and years alone.
func TestAmountsOfHitsAreAskedTogether(t *testing.T) {
	f := newFake(t)
	for _, key := range []string{"2", "3"} {
		f.members = append(f.members, cube.MemberRow{
			Path: []cube.Value{cube.Text("010"), cube.Text(key)}, Label: cube.Text("Novi naziv " + key), Rows: 1,
			First: cube.Integer(2014), Last: cube.Integer(2017),
		})
	}
	var mu sync.Mutex
	var asked []string
	f.run = func(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, plan.String())
		return yielding(nothing(plan), cube.Cell{
			Keys:   []cube.Value{cube.Text("010"), cube.Text("2"), cube.Integer(2017)}[:len(plan.Keys())],
			Values: amounts("12.5"),
		})(ctx, plan)
	}
	members := lookFor(t, searchable(t, levelled{f, "admin2_code"}), "/search/?q=novi&cube=croatia").Hits
	if len(members) != 2 || members[0].Path != "010/2" {
		t.Fatalf("of two members are found %+v", members)
	}
	if there, absent := members[0].Amount, members[1].Amount; there.Value.String() != "12.50" || absent.Value != nil {
		t.Errorf("amounts %v and %v", there, absent)
	}
	if len(asked) != 1 {
		t.Fatalf("%d questions about two members of a level: %q", len(asked), asked)
	}
	want := `drilldown=admin2_code|Year&cut=Year:2017|admin1_code:"010"|admin2_code:"2";"3"&aggregates=approved_value.sum`
	if !strings.HasPrefix(asked[0], want) {
		t.Errorf("the question is %s", asked[0])
	}
}

func TestACubeOfAnyName(t *testing.T) {
	h := searchable(t, newFake(t))
	hit := lookFor(t, h, "/search?q=own:h%22r&pagesize=1").Hits[0]
	if hit.Cube != `own:h"r 100%/ž` || hit.Amount != nil || hit.Href != "/cubes/own:h%22r%20100%25%2F%C5%BE/aggregate" {
		t.Errorf("got %+v", hit)
	}
	if r := ask(t, h, hit.Href); r.status != http.StatusOK {
		t.Errorf("%s: %d", hit.Href, r.status)
	}
}

func TestASearchOfWhatIsNotReadYet(t *testing.T) {
	got := lookFor(t, handler(t, newFake(t)), "/search?q=novi&cube=croatia")
	if !got.Incomplete || got.Total != 0 || len(got.Warnings) != 1 || got.Warnings[0].Code != "search-pending" {
		t.Errorf("got %+v", got)
	}
	if got.Page != 1 || got.PageSize != 20 {
		t.Errorf("page %d of %d", got.Page, got.PageSize)
	}
}

// A cube that goes while it is searched leaves its hits without amounts; a store that does not answer is an error.
func TestASearchThatTheStoreFails(t *testing.T) {
	f := newFake(t)
	h := searchable(t, f)
	for _, tt := range []struct {
		err    error
		status int
	}{
		{cube.Errorf(cube.CodeGone, "the cube was removed while it was asked"), http.StatusOK},
		{cube.Errorf(cube.CodeUnavailable, "the database cannot be reached"), http.StatusServiceUnavailable},
		{errors.New("a secret cause"), http.StatusInternalServerError},
	} {
		f.run = func(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
			return failing(tt.err)(ctx, plan)
		}
		r := ask(t, h, "/search?q=croatia")
		if r.status != tt.status || strings.Contains(r.body, "secret") {
			t.Errorf("%v: %d %s", tt.err, r.status, r.body)
		}
	}
}

// An asker who has gone is not searched for.
func TestASearchNobodyWaitsFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	recorder := httptest.NewRecorder()
	searchable(t, newFake(t)).ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodGet, "/search?q=e", nil))
	if recorder.Code == http.StatusOK {
		t.Errorf("it is answered: %s", recorder.Body)
	}
}
