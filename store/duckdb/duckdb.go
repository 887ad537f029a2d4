//go:build cgo

// Package duckdb keeps cubes in an embedded DuckDB file: nothing to install, and one process owns the file.
// It needs cgo; without it Open says so.
package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"math/big"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/migrations"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Store is a DuckDB database of cubes.
type Store struct {
	sqlgen.Reader // answers statements (answer.Store)

	file     string // the path, or Memory
	files    files
	options  Options
	db       atomic.Pointer[sql.DB]
	readOnly error // why the file cannot be written; nil where it can
	log      *slog.Logger
	catalog  atomic.Pointer[cube.Catalog]
	chunk    atomic.Pointer[chunk] // what a load inserts now
	writing  chan struct{}         // holds one token: one load or removal writes at a time
	versions catalogue.Reader
}

// Open opens or creates the file at path, or Memory. The error is in-use where another process owns the file. A file that
// cannot be written is opened to be read.
func Open(ctx context.Context, path string, options Options, log *slog.Logger) (*Store, error) {
	s := &Store{file: path, options: options, log: log, writing: make(chan struct{}, 1)}
	s.Reader = sqlgen.NewReader(s.Ask)
	s.versions = catalogue.Reader{Ask: s.Ask, Log: log}
	var err error
	if s.files, err = filesBeside(path); err != nil {
		return nil, err
	}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.files.close())
	}
	if err := s.start(ctx); err != nil {
		return nil, errors.Join(err, s.db.Load().Close(), s.files.close())
	}
	return s, nil
}

// open connects to the file.
func (s *Store) open(ctx context.Context) error {
	db, err := s.connect(ctx, "")
	if why := whyReadOnly(s.file, err); why != nil {
		s.readOnly = why
		s.log.Warn("the store can only be read", "error", why)
		db, err = s.connect(ctx, ", READ_ONLY")
	}
	if err == nil {
		s.db.Store(db)
	}
	return err
}

// readersPatience is how long those who read may keep a file from being closed.
const readersPatience = 5 * time.Second

// closeAfterReaders closes connections and waits for those that are being read from, since DuckDB writes the log to the file when the last
// one is closed.
func closeAfterReaders(db *sql.DB) error {
	err := db.Close()
	for end := time.Now().Add(readersPatience); db.Stats().OpenConnections > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return err
}

// reopenIfFatal opens the file again after an error that makes DuckDB refuse all questions, as a full disk does when the log
// is written to the file. The file has what was committed. Only who writes may call it.
func (s *Store) reopenIfFatal(ctx context.Context, err error) {
	if s.file == Memory || !isFatal(err) {
		return
	}
	s.log.Warn("the database file is opened again", "error", err)
	_ = closeAfterReaders(s.db.Load()) // questions that come meanwhile fail
	if err := s.open(ctx); err != nil {
		s.log.Error("the database file cannot be opened again", "error", err)
	} else if err := s.refresh(ctx); err != nil {
		s.log.Error("the catalogue cannot be read", "error", err)
	}
}

// isFatal tells whether DuckDB has refused a question because of an error before, or refuses all from now on.
func isFatal(err error) bool {
	var engine *duckdb.Error
	return errors.As(err, &engine) && engine.Type == duckdb.ErrorTypeFatal
}

// mostIdle is how many connections stay open while nobody asks: as many as questions run at once on a large machine.
const mostIdle = 64

func (s *Store) connect(ctx context.Context, mode string) (*sql.DB, error) {
	settings := url.Values{
		"allocator_background_threads": {"true"}, // gives memory that is free back to the system
		"allocator_flush_threshold":    {"16MB"},
		"write_buffer_row_group_count": {"1"}, // a load holds no full row group in memory; five by default
	}
	if s.file != Memory { // where DuckDB writes what has no room in memory; it would take the working folder
		settings.Set("temp_directory", s.file+".tmp")
	}
	if s.options.Threads > 0 {
		settings.Set("threads", strconv.Itoa(s.options.Threads))
	}
	if s.options.Memory != "" {
		settings.Set("memory_limit", s.options.Memory)
	}
	connector, err := duckdb.NewConnector("?"+settings.Encode(), attach(s.file, mode))
	if err != nil {
		return nil, openError(s.file, err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxIdleConns(mostIdle)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(openError(s.file, err), db.Close())
	}
	if err := makeChunkTables(ctx, db, &s.chunk); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// whyReadOnly gives the error of writing to a file that could not be opened; nil where that is not what was wrong.
func whyReadOnly(path string, failed error) error {
	if failed == nil || cube.CodeOf(failed) == cube.CodeInUse {
		return nil
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_ = file.Close()
	}
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// attached is what the file is called inside DuckDB, whatever its own name: DuckDB would call it by that, and a
// file fiscube.duckdb or fact.duckdb would then hide the schema of that name.
const attached = "cubes"

// attach gives each connection the file at path to work in.
func attach(path, mode string) func(driver.ExecerContext) error {
	if path == Memory {
		return nil
	}
	quoted := "'" + strings.ReplaceAll(path, "'", "''") + "'"
	return func(conn driver.ExecerContext) error {
		_, err := conn.ExecContext(context.Background(), "ATTACH IF NOT EXISTS "+quoted+" AS "+attached+" (ROW_GROUP_SIZE "+strconv.Itoa(groupRows)+mode+"); USE "+attached, nil)
		return err
	}
}

func openError(path string, err error) error {
	if strings.Contains(err.Error(), "Could not set lock on file") {
		return cube.Wrap(cube.CodeInUse, "another process has "+path+" open", err)
	}
	return cube.Wrap(cube.CodeUnavailable, fmt.Sprintf("%s cannot be opened as a DuckDB file: %v", path, err), err)
}

func (s *Store) start(ctx context.Context) error {
	left := s.hasLog(ctx)
	if err := migrateUp(ctx, s.db.Load(), s.readOnly); err != nil {
		return err
	}
	if err := s.refresh(ctx); err != nil || s.readOnly != nil {
		return err
	}
	if err := catalogue.DropCuboids(ctx, s.Ask); err != nil {
		s.log.Warn("cuboids of an earlier release remain", "error", err)
	}
	s.makeViews(ctx)
	s.sweep(ctx)
	if !left {
		return nil
	}
	return s.checkpoint(ctx)
}

// checkpoint writes the log that a killed process left to the file. Otherwise each start would read it again,
// and it would stay as large as what that process had loaded. A failure harms nothing but that; DuckDB takes no more
// questions after it, and is opened again.
func (s *Store) checkpoint(ctx context.Context) error {
	err := errors.Join(s.rewriteVersion(ctx), s.exec(ctx, "CHECKPOINT"))
	if err == nil {
		return nil
	}
	s.log.Warn("the log is not written to the file", "error", err)
	_ = s.db.Load().Close() // which is of no use any more
	return s.open(ctx)
}

// rewriteVersion writes the schema's version anew. CHECKPOINT alone leaves a log without any commit, that of a
// process killed in its commit; DuckDB begins a new one in its place with the next write, so here is one that
// changes nothing. (An UPDATE that changes nothing is not written.)
func (s *Store) rewriteVersion(ctx context.Context) error {
	m := migrations.NewMigrator(ctx, s.db.Load(), owned{})
	version, _, err := m.Version()
	if err != nil {
		return err
	}
	return m.SetVersion(version, false)
}

func (s *Store) exec(ctx context.Context, statement string) error {
	_, err := s.db.Load().ExecContext(ctx, statement)
	return err
}

// hasLog says whether there is a log beside the file. Before something is written there is one only if the process before was
// killed, and memory has none.
func (s *Store) hasLog(ctx context.Context) bool {
	path := s.path(ctx)
	if path == "" {
		return false
	}
	_, err := os.Stat(path + ".wal")
	return err == nil
}

// path gives the file of the database, or "" where it is in memory.
func (s *Store) path(ctx context.Context) string {
	var path sql.NullString
	err := s.db.Load().QueryRowContext(ctx, "SELECT path FROM duckdb_databases() WHERE database_name = current_database()").Scan(&path)
	if err != nil {
		return ""
	}
	return path.String
}

// Close writes what is in the log to the file and closes it, after those who still read. Closing alone would leave the log where DuckDB still
// keeps something of a reader that was cancelled. The next start reads a log that is left.
func (s *Store) Close() error {
	if s.file != Memory && s.readOnly == nil {
		ctx, cancel := context.WithTimeout(context.Background(), readersPatience)
		defer cancel()
		if err := s.exec(ctx, "CHECKPOINT"); err != nil {
			s.log.Debug("the log is left until the file is closed", "error", err)
		}
	}
	return errors.Join(closeAfterReaders(s.db.Load()), s.files.close())
}

// Ready implements catalogue.Serving.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.db.Load().PingContext(ctx); err != nil {
		return cube.Wrap(cube.CodeUnavailable, "the embedded database does not answer", err)
	}
	return nil
}

// Catalog implements catalogue.Serving.
func (s *Store) Catalog(context.Context) (*cube.Catalog, error) { return s.catalog.Load(), nil }

// refresh swaps the picture of the catalogue for a new one.
func (s *Store) refresh(ctx context.Context) error {
	catalog, err := s.versions.Catalog(ctx)
	if err == nil {
		s.catalog.Store(catalog)
	}
	return err
}

// Facts implements answer.Store. The driver holds an answer as a whole, so an export is read by pages, all in one
// transaction: a version that is removed meanwhile stays for it.
func (s *Store) Facts(ctx context.Context, statement *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	if statement.Size() != query.EveryFact {
		return s.Reader.Facts(ctx, statement)
	}
	return func(yield func(plan.Fact, error) bool) {
		tx, err := s.db.Load().BeginTx(ctx, nil)
		if err != nil {
			yield(plan.Fact{}, queryError(ctx, err))
			return
		}
		defer func() { _ = tx.Rollback() }() // nothing was written
		sqlgen.FactPages(statement, exportPage, func(page *plan.FactStatement) iter.Seq2[plan.Fact, error] {
			return sqlgen.ReadFacts(page, rowsOf(ctx, tx, sqlgen.Facts(page)))
		})(yield)
	}
}

// exportPage is how many facts of an export are held at once: some tens of megabytes.
const exportPage = 20_000

// Ask gives the rows of a statement as they are read.
func (s *Store) Ask(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error] {
	return rowsOf(ctx, s.db.Load(), statement)
}

// querier is the database, or a transaction in it.
type querier interface {
	QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error)
}

func rowsOf(ctx context.Context, q querier, statement sqlgen.SQL) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		rows, err := q.QueryContext(ctx, statement.Text, statement.Args...)
		if err != nil {
			yield(nil, queryError(ctx, err))
			return
		}
		defer func() { _ = rows.Close() }()
		row := newRow(rows)
		for rows.Next() {
			err := rows.Scan(row.targets...)
			if !yield(row.normal(), queryError(ctx, err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, queryError(ctx, err))
		}
	}
}

// row is where each row is scanned to.
type row struct {
	values  []any
	targets []any
}

func newRow(rows *sql.Rows) *row {
	columns, _ := rows.Columns() // fails only on closed rows
	r := &row{values: make([]any, len(columns)), targets: make([]any, len(columns))}
	for i := range r.values {
		r.targets[i] = &r.values[i]
	}
	return r
}

// normal turns DuckDB's own types into those of sqlgen.Cells.
func (r *row) normal() []any {
	for i, v := range r.values {
		switch v := v.(type) {
		case duckdb.Decimal:
			r.values[i] = decimal.NewFromBigInt(v.Value, -int32(v.Scale))
		case *big.Int:
			r.values[i] = decimal.NewFromBigInt(v, 0)
		}
	}
	return r.values
}

// queryError turns what the driver says into what a caller may see.
func queryError(ctx context.Context, err error) error {
	var engine *duckdb.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &engine) && engine.Type == duckdb.ErrorTypeCatalog:
		return cube.Wrap(cube.CodeGone, "the cube was removed while it was asked", err)
	case isFatal(err), err.Error() == "sql: database is closed":
		return cube.Wrap(cube.CodeUnavailable, "the database file is being opened again", err)
	case isDamaged(err):
		return cube.Wrap(cube.CodeDamaged, "a part of the database file that this question reads is damaged", err).
			WithHint("stop the server and restore a backup of the file; fiscube load makes a new one from the packages")
	}
	return fmt.Errorf("ask DuckDB: %w", err)
}

// isDamaged tells whether DuckDB read something else than it wrote.
func isDamaged(err error) bool {
	var engine *duckdb.Error
	if !errors.As(err, &engine) {
		return false
	}
	return engine.Type == duckdb.ErrorTypeSerialization || strings.Contains(engine.Msg, "Corrupt")
}
