package postgres_test

import (
	"context"
	"io/fs"
	"log/slog"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/differencetest"
	"fiscube/store/load"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	if postgrestest.OnCluster() { // whose databases cannot be copied
		storetest.Run(t, func(t testing.TB) storetest.Place { return newDatabase(t) })
		return
	}
	empty := postgrestest.DSN(t) // with the schema
	if err := open(t, empty).Close(); err != nil {
		t.Fatal(err)
	}
	storetest.Run(t, func(t testing.TB) storetest.Place { return databaseAt(t, postgrestest.Copy(t, empty)) })
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	storetest.Answers(t, storetest.Odd, func(t testing.TB) storetest.Place { return newDatabase(t) })
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	storetest.Questions(t, func(t testing.TB) storetest.Place { return newDatabase(t) }, false)
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	differencetest.Run(t, newDatabase(t), mustLoad)
}

// A store whose cubes are in memory answers as others do.
func TestResident(t *testing.T) {
	t.Parallel()
	inMemory := func(t testing.TB) storetest.Place { return storetest.Resident(newDatabase(t)) }
	t.Run("store", func(t *testing.T) { storetest.Run(t, inMemory) })
	t.Run("answers", func(t *testing.T) { storetest.Answers(t, storetest.Even, inMemory) })
	t.Run("answers of base cuboids", func(t *testing.T) {
		storetest.Answers(t, storetest.Odd, func(t testing.TB) storetest.Place { return storetest.Asked(newDatabase(t)) })
	})
	t.Run("questions", func(t *testing.T) { storetest.Questions(t, inMemory, false) })
}

// database is a database with a connection of its own to look at it.
type database struct {
	dsn  string
	look *pgx.Conn
}

func newDatabase(t testing.TB) database {
	t.Helper()
	return databaseAt(t, postgrestest.DSN(t))
}

func databaseAt(t testing.TB, dsn string) database {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return database{dsn, conn}
}

func (d database) Open(t testing.TB) storetest.Store {
	t.Helper()
	return open(t, d.dsn)
}

func (d database) Tables(t testing.TB, _ storetest.Store) (n int) {
	t.Helper()
	const count = "SELECT count(*) FROM pg_tables WHERE schemaname IN ('fact', 'member', 'cuboid')"
	if err := d.look.QueryRow(t.Context(), count).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func (d database) Query(t testing.TB, _ storetest.Store, text string) [][]string {
	t.Helper()
	rows, err := d.look.Query(t.Context(), text, pgx.QueryExecModeExec) // not prepared: what it reads may change
	if err != nil {
		t.Fatal(err)
	}
	texts, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]string, error) {
		values, err := row.Values()
		one := make([]string, len(values))
		for i, v := range values {
			one[i], _ = v.(string)
		}
		return one, err
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return texts
}

// open opens the store in a database; it is closed when t ends.
func open(t testing.TB, dsn string) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), dsn, options(t, dsn), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// ask gives the one value that a query answers with, over a connection of its own.
func ask[T any](t testing.TB, dsn, query string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var value T
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

// servedCube gives the served version of a package.
func servedCube(ctx context.Context, store catalogue.Store, name string) (*cube.Cube, error) {
	catalog, err := store.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	return catalog.Cube(name)
}

// mustLoad loads a package with the overlay that is beside it or ships for it.
func mustLoad(t testing.TB, store catalogue.Store, files fs.FS) *cube.Cube {
	t.Helper()
	loaded, err := loadFS(t, store, files)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

func loadFS(t testing.TB, store catalogue.Store, files fs.FS) (findings.Loaded, error) {
	t.Helper()
	return loadShown(t, store, files, load.Silent{})
}

// loadShown loads and shows how far that is.
func loadShown(t testing.TB, store catalogue.Store, files fs.FS, progress load.Progress) (findings.Loaded, error) {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, load.Options{Shipped: seeds.OverlayFor, Allow: findings.Allowable})
	if err != nil {
		t.Fatal(err)
	}
	return load.Run(t.Context(), store, source, progress)
}

// loadSeed loads a seed.
func loadSeed(t testing.TB, store catalogue.Store, name string) (findings.Loaded, error) {
	t.Helper()
	files, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("no seed %s", name)
	}
	return loadFS(t, store, files)
}

func mustLoadSeed(t testing.TB, store catalogue.Store, name string) *cube.Cube {
	t.Helper()
	loaded, err := loadSeed(t, store, name)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

// options are those of the tests: in a database of a cluster every cube is distributed, however small.
func options(t testing.TB, dsn string) postgres.Options {
	t.Helper()
	if postgrestest.IsOnCluster(t, dsn) {
		return postgres.Options{Distribute: postgres.DistributeAlways, AccessMethod: os.Getenv(postgrestest.AccessMethodEnv)}
	}
	return postgres.Options{}
}
