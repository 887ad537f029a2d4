package postgres_test

import (
	"encoding/json"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/store/postgres/postgrestest"
)

// TestFollowerSeesWhatAStarterSees changes versions in one process. Another, which follows, has to get the picture of
// one that starts, and reads what a version holds once.
func TestFollowerSeesWhatAStarterSees(t *testing.T) {
	dsn := postgrestest.DSN(t)
	one, follower := open(t, dsn), open(t, dsn)
	load := func(rows table) func() { return func() { mustLoad(t, one, pack("small", rows, "")) } }
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"a load", load(first)},
		{"another", load(second)},
		{"a third", load(wider)},
		{"a rollback", func() { must(t, one.Serve(t.Context(), "small", 1)) }},
		{"a kept version loaded again", load(second)},
		{"a prune", func() { _, err := one.Prune(t.Context(), "small", 1); must(t, err) }},
		{"a pruned version loaded again", load(first)},
		{"a removal", func() { must(t, one.Remove(t.Context(), "small")) }},
		{"a removed version loaded again", load(first)},
		{"a database put back, where an id means another content", func() {
			script(t, dsn, `UPDATE fiscube.version SET fingerprint = 'another', content = replace(content, '"unit"', '"office"'), report = '{}'`,
				"NOTIFY fiscube")
		}},
	} {
		before := picture(t, follower)
		step.do()
		want := told(t, picture(t, open(t, dsn)))
		for start := time.Now(); told(t, picture(t, follower)) != want; time.Sleep(5 * time.Millisecond) {
			if time.Since(start) > soon {
				t.Fatalf("after %s the follower sees\n%s\nwant\n%s", step.name, told(t, picture(t, follower)), want)
			}
		}
		readOnce(t, before, picture(t, follower))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// picture gives the versions that a store has of the package small.
func picture(t testing.TB, store cube.Backend) []*cube.Cube {
	t.Helper()
	catalog, err := store.Catalog(t.Context())
	must(t, err)
	return catalog.Versions("small")
}

// told writes everything of versions.
func told(t testing.TB, versions []*cube.Cube) string {
	t.Helper()
	text := ""
	for _, one := range versions {
		rest := *one
		rest.Package = nil
		for _, part := range []any{rest, one.Package, one.Descriptor} {
			line, err := json.Marshal(part)
			must(t, err)
			text += string(line) + "\n"
		}
	}
	return text
}

// readOnce checks that versions of the same content hold the same package.
func readOnce(t testing.TB, before, after []*cube.Cube) {
	t.Helper()
	for _, old := range before {
		for _, one := range after {
			if same := old.Package == one.Package; same != (old.ID == one.ID && old.Fingerprint == one.Fingerprint) {
				t.Errorf("version %d: held as before %v", one.Version, same)
			}
		}
	}
}
