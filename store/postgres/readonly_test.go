package postgres_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// withSetting makes the address of connections that have a setting from their start.
func withSetting(t *testing.T, dsn, setting string) string {
	t.Helper()
	return withParameter(t, dsn, "options", "-c "+setting)
}

// A database that can only be read is served where its schema is current; nothing is loaded into it.
func TestOpen_ReadOnly(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.Server(t)
	primary := cluster.DSN(t)
	mustLoadSeed(t, open(t, primary), "example-croatia")
	empty := cluster.DSN(t)
	const load = "the database can only be read"
	t.Run("default_transaction_read_only", func(t *testing.T) {
		readOnly(t, withSetting(t, primary, "default_transaction_read_only=on"), withSetting(t, empty, "default_transaction_read_only=on"), load)
	})
	cluster.Standby(t)
	t.Run("replica", func(t *testing.T) { readOnly(t, primary, empty, load) })
}

// So is a database that only the role may not write.
func TestOpen_RoleThatMayOnlyRead(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.Server(t)
	dsn, empty := cluster.DSN(t), cluster.DSN(t)
	mustLoadSeed(t, open(t, dsn), "example-croatia")
	roles(t, dsn, "only_reads")
	script(t, dsn, `GRANT USAGE ON SCHEMA fiscube, fact, member, cuboid, cube TO only_reads;
		GRANT SELECT ON ALL TABLES IN SCHEMA fiscube, fact, member, cuboid, cube TO only_reads`)
	readOnly(t, inRole(t, dsn, "only_reads"), inRole(t, empty, "only_reads"), "the role of the database's address may not do that: permission denied")
}

func readOnly(t *testing.T, dsn, empty, load string) {
	t.Helper()
	var log bytes.Buffer
	store, err := postgres.Open(t.Context(), dsn, options(t, dsn), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := servedCube(t.Context(), store, "example-croatia"); err != nil {
		t.Error(err)
	}
	if _, err := loadSeed(t, store, "example-uruguay"); cube.CodeOf(err) != cube.CodeUnavailable ||
		!strings.Contains(err.Error(), load) {
		t.Errorf("a load says %v", err)
	}
	if err := store.Close(); err != nil || log.Len() > 0 {
		t.Errorf("%v, and the log says\n%s", err, log.String())
	}
	if _, err := postgres.Open(t.Context(), empty, options(t, empty), slog.New(slog.DiscardHandler)); cube.CodeOf(err) != cube.CodeUnavailable ||
		!strings.Contains(err.Error(), "run fiscube migrate where it can be written") {
		t.Errorf("a database without a schema says %v", err)
	}
}
