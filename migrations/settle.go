package migrations

import "github.com/golang-migrate/migrate/v4/database"

// CountTables counts the tables of version 1 that a database has.
const CountTables = `SELECT count(*) FROM information_schema.tables
WHERE table_catalog = current_database() AND table_schema = 'fiscube' AND table_name IN ('package', 'version')`

// tablesOfFirst is how many CountTables counts when version 1 is there.
const tablesOfFirst = 2

// settle returns the version of a database that is marked as dirty at version and has this number of tables of
// version 1. A process that was killed before it removed its mark has left it. The migration itself was a transaction
// even then, so it ran completely or not at all. No fiscube has marked a later version. The version of any
// other database is not known.
func settle(version, tables int) (settled int, known bool) {
	switch {
	case version == 1 && tables == 0:
		return database.NilVersion, true
	case version == 1 && tables == tablesOfFirst:
		return version, true
	}
	return version, false
}
