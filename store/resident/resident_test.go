//go:build cgo

package resident_test

import (
	"context"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/seeds"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/resident"
	"fiscube/store/sqlgen"
)

// listening is a store that remembers what it is asked.
type listening struct {
	*duckdb.Store
	putBack bool // its base cuboid is that of another content, with more members
	mu      sync.Mutex
	asked   []string
}

func (l *listening) hear(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, text)
}

// heard gives what it was asked since the last time.
func (l *listening) heard() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	asked := l.asked
	l.asked = nil
	return asked
}

func (l *listening) Ask(ctx context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
	l.hear(s.Text)
	rows := l.Store.Ask(ctx, s)
	if !l.putBack || !strings.Contains(s.Text, "cuboid.") {
		return rows
	}
	return func(yield func([]any, error) bool) {
		for row, err := range rows {
			if err == nil {
				row[0] = int32(1 << 20)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

func (l *listening) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	l.hear("the facts")
	return l.Store.Cells(ctx, s)
}

func (l *listening) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	l.hear("the members")
	return l.Store.Members(ctx, s)
}

func (l *listening) Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error) {
	l.hear("what is near")
	return l.Store.Unknown(ctx, c, named, near)
}

// loaded gives a store with the example of Croatia, and what it asks.
func loaded(t *testing.T, o resident.Options) (*resident.Store, *listening, *cube.Cube) {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	inner, err := duckdb.Open(t.Context(), duckdb.Memory, duckdb.Options{Threads: 1}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inner.Close() })
	files, _ := seeds.Open("example-croatia")
	source, err := load.OpenFS(t.Context(), files, load.Options{Shipped: seeds.OverlayFor})
	if err != nil {
		t.Fatal(err)
	}
	made, err := load.Run(t.Context(), inner, source, load.Silent{})
	if err != nil {
		t.Fatal(err)
	}
	l := &listening{Store: inner}
	return resident.New(l, o, quiet), l, made.Cube
}

func ask(t *testing.T, s *resident.Store, c *cube.Cube, question string) *answer.Answer {
	t.Helper()
	a, err := answer.Run(t.Context(), s, cubetest.Bind(t, c, question), cube.English)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return a
}

// listMembers lists bodies, and counts them.
func listMembers(t *testing.T, s *resident.Store, c *cube.Cube, given map[string]string) int64 {
	t.Helper()
	q, err := query.ParseMembers("admin2_code", given)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.BindMembers(c, q)
	if err != nil {
		t.Fatal(err)
	}
	page, err := answer.Members(t.Context(), s, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	return page.Count
}

func TestStore_AsksNothingForWhatIsInMemory(t *testing.T) {
	s, inner, c := loaded(t, resident.Options{Bytes: 1 << 28, Few: 50})
	s.Refresh(t.Context())
	questions := []string{"drilldown=admin2_code|Year&order=admin2_label:desc", "cut=admin1_label:~a&drilldown=Year", "cut=Year:1999", `cut=admin1_code:"no such"`,
		"drilldown=func1_code&cut=Year:2016..2018&having=approved_value.sum>100&top=3&order=approved_value.sum:desc&aggregates=approved_value.min|approved_value.sum"}
	for _, question := range questions {
		ask(t, s, c, question) // reads labels
	}
	listMembers(t, s, c, map[string]string{"q": "a"})
	inner.heard()
	for _, question := range questions {
		ask(t, s, c, question)
		for _, asked := range inner.heard() {
			if asked != "what is near" {
				t.Errorf("%s asks %s", question, asked)
			}
		}
	}
	for _, given := range []map[string]string{{"q": "a"}, {"cut": "Year:2018", "order": "rows:desc"}, {"order": "label"}} {
		count := listMembers(t, s, c, given)
		if asked := inner.heard(); count == 0 || len(asked) > 0 {
			t.Errorf("members %v: %d, asked %q", given, count, asked)
		}
	}
	if bytes := s.Resident(c); bytes < c.Rows || bytes > 200*c.Rows {
		t.Errorf("%d rows take %d bytes", c.Rows, bytes)
	}
}

// Where the base cuboid is not in memory, the store is asked for an aggregate once, by how many who ask at once.
func TestStore_AsksForAnAggregateOnce(t *testing.T) {
	s, inner, c := loaded(t, resident.Options{Bytes: 1 << 28})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { ask(t, s, c, "drilldown=admin1_code&cut=Year:2018") })
	}
	all.Wait()
	ask(t, s, c, "drilldown=Year&aggregates=approved_value.sum|approved_value.count|_count")
	times := map[string]int{}
	for _, text := range inner.heard() {
		if strings.Contains(text, sqlgen.CuboidTable(c.ID, 0)) {
			times[text]++
		}
		if text == "the facts" {
			t.Error("the facts are asked")
		}
	}
	for text, n := range times {
		if n != 1 {
			t.Errorf("%d times asked is %s", n, text)
		}
	}
	source, err := s.Source(t.Context(), cubetest.Bind(t, c, "drilldown=Year").Main())
	if err != nil || !source.Resident || source.Text != "" || len(source.Levels) != 2 || source.Rows >= c.Rows {
		t.Errorf("the years come from %+v (%v)", source, err)
	}
}

// A base that turns out to take more than there is room for is read once, and drives nothing out.
func TestStore_ReadsWhatHasNoRoomOnce(t *testing.T) {
	s, inner, c := loaded(t, resident.Options{Bytes: 20_000})
	larger := cube.Cube{Package: c.Package, ID: c.ID, Fingerprint: "larger", Rows: 100} // than these rows let expect
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go s.Follow(ctx)
	ask(t, s, c, "drilldown=func1_code")
	before := s.Resident(c)
	read := 0
	for asked, since := 0, 0; asked < 500 && since < 50; asked++ {
		ask(t, s, &larger, "drilldown=func1_code|admin1_code|econ3_code|Year")
		time.Sleep(10 * time.Millisecond)
		for _, text := range inner.heard() {
			if text == sqlgen.SelectBase(c).Text {
				read++
			}
		}
		if read > 0 {
			since++ // it is asked on, and not read again
		}
	}
	if read != 1 || before == 0 || s.Resident(c) != before {
		t.Errorf("its base is read %d times; of another cube %d bytes stay of %d", read, s.Resident(c), before)
	}
}

// While a database is put back to another state, its base cuboid may have numbers of members that the version in the catalogue does not have.
func TestStore_RefusesNumbersOfNoMember(t *testing.T) {
	s, inner, c := loaded(t, resident.Options{Bytes: 1 << 28})
	inner.putBack = true
	s.Refresh(t.Context())
	if s.Resident(c) != 0 {
		t.Errorf("%d bytes are kept", s.Resident(c))
	}
	_, err := answer.Run(t.Context(), s, cubetest.Bind(t, c, "drilldown=admin2_code"), cube.English)
	if cube.CodeOf(err) != cube.CodeUnavailable {
		t.Errorf("got %v", err)
	}
	inner.putBack = false
	ask(t, s, c, "drilldown=admin2_code")
}

// Without memory each question is put to the base cuboid.
func TestStore_KeepsNothingWithoutMemory(t *testing.T) {
	s, inner, c := loaded(t, resident.Options{})
	s.Refresh(t.Context())
	inner.heard()
	for range 2 {
		ask(t, s, c, "drilldown=admin1_code&cut=Year:2018")
		if asked := strings.Join(inner.heard(), "\n"); !strings.Contains(asked, sqlgen.CuboidTable(c.ID, 0)) || !strings.Contains(asked, " WHERE ") {
			t.Errorf("asked is %s", asked)
		}
	}
	source, err := s.Source(t.Context(), cubetest.Bind(t, c, "drilldown=Year").Main())
	if err != nil || source.Resident || !strings.Contains(source.Text, "GROUP BY") || source.Rows != c.Rows {
		t.Errorf("the years come from %+v (%v)", source, err)
	}
	if s.Resident(c) != 0 {
		t.Errorf("%d bytes are kept", s.Resident(c))
	}
}

// A cube that is asked takes the place of one that is not.
func TestStore_MakesRoomForWhatIsAsked(t *testing.T) {
	s, _, c := loaded(t, resident.Options{Bytes: 60_000})                                // of which each takes more than half
	other := cube.Cube{Package: c.Package, ID: c.ID, Fingerprint: "other", Rows: c.Rows} // of the same tables
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go s.Follow(ctx)
	for _, asked := range []*cube.Cube{c, &other, c} {
		for took := 0; ; took++ {
			ask(t, s, asked, "drilldown=func1_code|admin1_code|econ3_code|Year")
			if s.Resident(asked) > 30_000 {
				break
			}
			if took == 500 {
				t.Fatalf("it is asked and is not in memory, but %d and %d bytes", s.Resident(c), s.Resident(&other))
			}
			time.Sleep(10 * time.Millisecond)
		}
		if both := s.Resident(c) + s.Resident(&other); both > 60_000 {
			t.Errorf("both take %d bytes", both)
		}
	}
}
