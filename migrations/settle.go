package migrations

import "github.com/golang-migrate/migrate/v4/database"

// CountTables counts the tables of version 1 that a database has.
const CountTables = `SELECT count(*) FROM information_schema.tables
WHERE table_catalog = current_database() AND table_schema = 'fiscube' AND table_name IN ('package', 'version')`

// tablesOfFirst is how many CountTables counts when version 1 is there.
const tablesOfFirst = 2

// settle says which version a database has that is marked as dirty at version and has so many tables of
// version 1. Such a mark was left by a process that was killed between the mark and its removal; the migration
// itself was a transaction even then, so it is there as a whole or not at all. No later version was ever marked.
// What is neither was made by somebody else: then it is not known.
func settle(version, tables int) (settled int, known bool) {
	switch {
	case version == 1 && tables == 0:
		return database.NilVersion, true
	case version == 1 && tables == tablesOfFirst:
		return version, true
	}
	return version, false
}
