package duckdb

// Options are settings of DuckDB.
type Options struct {
	Threads int    // that work on questions and loads; 0: as many as there are cores
	Memory  string // that DuckDB may take, as 256MB; "": four fifths of the machine's
}

// Memory is the path of a database that lives in memory alone.
const Memory = ":memory:"
