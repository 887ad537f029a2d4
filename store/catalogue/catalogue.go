// Package catalogue is what the stores share about their catalogue: the statements, which mean the same on
// each, the form of a version's row, how a load enters its version, and what is remembered of versions that were read.
package catalogue

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fiscube/cube"
)

// Schema is where the catalogue's tables are.
const Schema = "fiscube"

// The statements on the catalogue.
const (
	// SelectVersions gives the rows of Row, without those that are gone. Those that Memory.Keys, which is $1, has come
	// without what is remembered of them.
	SelectVersions = `SELECT v.id, v.number, v.fingerprint, v.loaded_at, v.rows, CASE WHEN k.key IS NULL THEN v.content ELSE '' END,
	CASE WHEN k.key IS NULL THEN v.descriptor END, CASE WHEN k.key IS NULL THEN v.report ELSE '' END,
	coalesce(p.served = v.number, false), p.last FROM fiscube.version v
	LEFT JOIN unnest($1::text[]) AS k (key) ON k.key = v.id || ' ' || v.fingerprint` + ofPackage
	// SelectServed gives the row of Row of the version that serves package $1, if any.
	SelectServed = `SELECT v.id, v.number, v.fingerprint, v.loaded_at, v.rows, v.content, v.descriptor, v.report, true, p.last
	FROM fiscube.version v` + ofPackage + ` AND p.name = $1 AND p.served = v.number`
	ofPackage = ` JOIN fiscube.package p ON p.name = v.package WHERE NOT v.gone`
	// SelectNames gives the names of the packages that are served, but for $1.
	SelectNames = `SELECT name FROM fiscube.package WHERE served IS NOT NULL AND name <> $1 ORDER BY name`
	// SelectGone gives the rows of Row that wait for their tables to be dropped.
	SelectGone = `SELECT id, number, fingerprint, loaded_at, rows, content, descriptor, '', false, 0
	FROM fiscube.version WHERE gone`
	// NextID gives the number of the next version's tables.
	NextID = `SELECT nextval('fiscube.version_id')`
	// SelectLast gives the last number ever used for the package $1, if any.
	SelectLast = `SELECT last FROM fiscube.package WHERE name = $1`
	// SelectKept gives the number of the version of package $1 with fingerprint $2, and whether it is served.
	SelectKept = `SELECT v.number, coalesce(p.served = v.number, false) FROM fiscube.version v
	JOIN fiscube.package p ON p.name = v.package
	WHERE v.package = $1 AND v.fingerprint = $2 AND NOT v.gone ORDER BY v.number DESC LIMIT 1`
	// InsertVersion takes what Row.Args gives.
	InsertVersion = `INSERT INTO fiscube.version
	(id, package, number, fingerprint, loaded_at, rows, content, descriptor, report, gone)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false)`
	// InsertPackage makes a package $1 without versions.
	InsertPackage = `INSERT INTO fiscube.package (name, last, served) VALUES ($1, 0, NULL)`
	// Publish serves version $2 of package $1 as the last one used.
	Publish = `UPDATE fiscube.package SET last = $2, served = $2 WHERE name = $1`
	// Serve serves version $2 of package $1, where it is kept.
	Serve = `UPDATE fiscube.package SET served = $2 WHERE name = $1
	AND EXISTS (SELECT 1 FROM fiscube.version WHERE package = $1 AND number = $2 AND NOT gone)`
	// Withdraw serves no version of package $1.
	Withdraw = `UPDATE fiscube.package SET served = NULL WHERE name = $1`
	// MarkGone gives up all versions of package $1.
	MarkGone = `UPDATE fiscube.version SET gone = true WHERE package = $1 AND NOT gone`
	// Prune gives up the versions of package $1 but for the newest $2 and the served one, and returns their
	// numbers.
	Prune = `UPDATE fiscube.version SET gone = true WHERE package = $1 AND NOT gone
	AND number NOT IN (SELECT served FROM fiscube.package WHERE name = $1 AND served IS NOT NULL)
	AND number NOT IN (SELECT number FROM fiscube.version WHERE package = $1 AND NOT gone ORDER BY number DESC LIMIT $2)
	RETURNING number`
	// DeleteVersion forgets version $1, by id, once its tables are dropped.
	DeleteVersion = `DELETE FROM fiscube.version WHERE id = $1`
)

// Row is one version as it stands in the catalogue.
type Row struct {
	ID          int64
	Number      int32
	Fingerprint string
	LoadedAt    time.Time
	Rows        int64
	Content     string
	Descriptor  []byte
	Report      string
	Served      bool
	Last        int32 // the last number ever used for the package
}

// Targets are where a row of SelectVersions is scanned to.
func (r *Row) Targets() []any {
	return []any{&r.ID, &r.Number, &r.Fingerprint, &r.LoadedAt, &r.Rows, &r.Content, &r.Descriptor, &r.Report,
		&r.Served, &r.Last}
}

// Cube makes the version that the row describes.
func (r *Row) Cube() (*cube.Cube, error) {
	pkg := &cube.Package{}
	if err := json.Unmarshal([]byte(r.Content), pkg); err != nil {
		return nil, fmt.Errorf("read version %d from the catalogue: %w", r.ID, err)
	}
	pkg.Descriptor = r.Descriptor
	return r.with(pkg, r.Report), nil
}

// with gives the version of a package and a report; the row says the rest.
func (r *Row) with(pkg *cube.Package, report string) *cube.Cube {
	return &cube.Cube{
		Package: pkg, ID: r.ID, Version: int(r.Number), Fingerprint: r.Fingerprint,
		LoadedAt: r.LoadedAt.UTC(), Rows: r.Rows, Served: r.Served, Last: int(r.Last), Report: report,
	}
}

// NewRow describes a version that is being loaded.
func NewRow(id int64, number int32, content cube.Content, rows int64) (*Row, error) {
	text, errText := json.Marshal(content.Package())
	report, errReport := json.Marshal(content.Report())
	if err := errors.Join(errText, errReport); err != nil {
		return nil, fmt.Errorf("write version %d to the catalogue: %w", id, err)
	}
	return &Row{
		ID: id, Number: number, Fingerprint: content.Fingerprint(), LoadedAt: time.Now().UTC(),
		Rows: rows, Content: string(text), Descriptor: content.Package().Descriptor, Report: string(report),
		Served: true, Last: number,
	}, nil
}

// Args are the arguments of InsertVersion.
func (r *Row) Args(name string) []any {
	return []any{r.ID, name, r.Number, r.Fingerprint, r.LoadedAt, r.Rows, r.Content, r.Descriptor, r.Report}
}
