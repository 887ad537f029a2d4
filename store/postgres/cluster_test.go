package postgres_test

import (
	"fmt"
	"iter"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/sqlgen"
)

// What has to be distributed is refused where there is no cluster, and what may be is kept as it is.
func TestOpen_DistributesNothingWithoutACluster(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.Server(t).DSN(t)
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{Distribute: postgres.DistributeAlways}, slog.New(slog.DiscardHandler))
	if cube.CodeOf(err) != cube.CodeUnavailable || !strings.Contains(err.Error(), "citus_add_node") {
		t.Errorf("a store without a cluster that is to distribute: %v", err)
	}
	store := open(t, dsn)
	if nodes, err := store.Nodes(t.Context(), mustLoadSeed(t, store, "example-croatia")); err != nil || nodes != 0 {
		t.Errorf("a cube is on %d nodes, %v", nodes, err)
	}
}

// On a cluster the rows of facts and of the base cuboid are spread over the workers, and each of these has all members.
func TestLoad_DistributesOverACluster(t *testing.T) {
	t.Parallel()
	if !postgrestest.OnCluster() {
		t.Skip(postgrestest.CitusEnv + " names no Citus cluster")
	}
	for _, tt := range []struct {
		name    string
		options postgres.Options
		nodes   int
		want    map[string]string // kinds of tables by schema
	}{
		{"always", postgres.Options{Distribute: postgres.DistributeAlways}, 2, map[string]string{
			"fact": "distributed", "cuboid": "distributed", "member": "reference"}},
		{"auto, a few rows", postgres.Options{Distribute: postgres.DistributeAuto}, 0, map[string]string{}},
		{"never", postgres.Options{Distribute: postgres.DistributeNever}, 0, map[string]string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dsn := postgrestest.DSN(t)
			store, err := postgres.Open(t.Context(), dsn, tt.options, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = store.Close() })
			version := mustLoadSeed(t, store, "example-croatia")
			if nodes, err := store.Nodes(t.Context(), version); err != nil || nodes != tt.nodes {
				t.Errorf("it is on %d nodes, %v, want %d", nodes, err, tt.nodes)
			}
			rows, err := connect(t, dsn).Query(t.Context(), "SELECT table_name::text, citus_table_type FROM citus_tables")
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]string{}
			for rows.Next() {
				var table, kind string
				if err := rows.Scan(&table, &kind); err != nil {
					t.Fatal(err)
				}
				schema, _, _ := strings.Cut(table, ".")
				if kind != tt.want[schema] {
					t.Errorf("%s is %s, want %q", table, kind, tt.want[schema])
				}
				found[schema] = kind
			}
			if err := rows.Err(); err != nil || len(found) != len(tt.want) {
				t.Errorf("found %v, %v", found, err)
			}
		})
	}
}

// A question to a distributed cube says into how many tasks the workers split it, one to the members or to a cube on one machine none.
func TestTasks(t *testing.T) {
	t.Parallel()
	if !postgrestest.OnCluster() {
		t.Skip(postgrestest.CitusEnv + " names no Citus cluster")
	}
	for distribute, want := range map[postgres.Distribute]int{postgres.DistributeAlways: 4, postgres.DistributeNever: 0} {
		store, err := postgres.Open(t.Context(), postgrestest.DSN(t), postgres.Options{Distribute: distribute}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		version := mustLoadSeed(t, store, "example-croatia")
		text := "SELECT sum(f._line) FROM " + sqlgen.FactTable(version.ID) + " AS f WHERE f._line > $1"
		if tasks, err := store.Tasks(t.Context(), text, []any{int64(3)}); err != nil || tasks != want {
			t.Errorf("%s: %d tasks, %v, want %d", distribute, tasks, err, want)
		}
	}
}

// Workers that do not know their coordinator cannot answer it.
func TestOpen_NeedsACoordinatorThatIsKnown(t *testing.T) {
	t.Parallel()
	if !postgrestest.OnCluster() {
		t.Skip(postgrestest.CitusEnv + " names no Citus cluster")
	}
	dsn := postgrestest.DSN(t)
	script(t, dsn, "DELETE FROM pg_dist_node WHERE groupid = 0")
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{}, slog.New(slog.DiscardHandler))
	if cube.CodeOf(err) != cube.CodeUnavailable || !strings.Contains(err.Error(), "citus_set_coordinator_host") {
		t.Errorf("a coordinator that is not known: %v", err)
	}
}

// Readers ask all the time while a worker is stopped and started again. What they get is the right answer, or unavailable; without the
// worker only the latter, and after its start the former.
func TestWorkerAway(t *testing.T) {
	t.Parallel()
	nodes := postgrestest.StartNodes(t)
	store, err := postgres.Open(t.Context(), nodes.DSN(), postgres.Options{Distribute: postgres.DistributeAlways}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	version := mustLoadSeed(t, store, "example-croatia")
	p := bindEveryLevel(t, version)
	want, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		got, err := answer.Run(t.Context(), store, p, cube.English)
		if err == nil && !reflect.DeepEqual(got.Cells, want.Cells) {
			t.Error("a wrong answer")
		}
		if err != nil && cube.CodeOf(err) != cube.CodeUnavailable {
			t.Errorf("an answer: %v", err)
		}
		return err
	}
	var right, unavailable atomic.Int64
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if ask() == nil {
					right.Add(1)
				} else {
					unavailable.Add(1)
				}
			}
		})
	}
	nodes.StopWorker(t, 1)
	for range 10 {
		if ask() == nil {
			t.Error("without a worker there is an answer")
		}
	}
	if err := store.Ready(t.Context()); err != nil {
		t.Errorf("the store is not ready for cubes of which it has all rows: %v", err)
	}
	nodes.StartWorker(t, 1)
	for start := time.Now(); ask() != nil; time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > back {
			t.Fatalf("%v after the start there is no answer", back)
		}
	}
	for range 10 {
		if err := ask(); err != nil {
			t.Errorf("after the start: %v", err)
		}
	}
	close(done)
	readers.Wait()
	t.Logf("%d right answers, %d times unavailable", right.Load(), unavailable.Load())
}

// Some lines after the others have the same facts, in the same order, as all at once, however few of them pass the filters.
func TestFactsByLines(t *testing.T) {
	t.Parallel()
	store := open(t, postgrestest.DSN(t))
	version := mustLoadSeed(t, store, "example-croatia")
	for _, cut := range []string{"", "Year:2016", `admin1_code:"010"`, `admin1_code:"010"|Year:2019`, "Year:1900"} {
		q := query.FactQuery{Size: query.EveryFact}
		q.Cuts, _ = query.ParseCut(cut)
		p, err := plan.BindFacts(version, q)
		if err != nil {
			t.Fatal(err)
		}
		var want []plan.Fact
		for fact, err := range sqlgen.ReadFacts(p.Main(), store.Ask(t.Context(), sqlgen.Facts(p.Main()))) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, fact)
		}
		if (len(want) == 0) != (cut == "Year:1900") {
			t.Errorf("%q has %d facts", cut, len(want))
		}
		for _, size := range []int64{1, 7, 50, 10_000} {
			var got []plan.Fact
			for fact, err := range sqlgen.FactsByLines(p.Main(), size, func(q sqlgen.SQL) iter.Seq2[[]any, error] { return store.Ask(t.Context(), q) }) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fact)
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q by %d lines has %d facts, want %d", cut, size, len(got), len(want))
			}
		}
	}
}
