// Package catalogue is what the stores share about their catalogue: the statements, which mean the same on
// each, how versions are read, and how a load enters its version.
package catalogue

import (
	"encoding/json"
	"fmt"
	"time"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// Schema is where the catalogue's tables are.
const Schema = "fiscube"

// CreateSchemas makes the schema that holds golang-migrate's own table, and those of the views and of the cuboids, which a
// database of an earlier release does not have.
const CreateSchemas = "CREATE SCHEMA IF NOT EXISTS " + Schema + "; CREATE SCHEMA IF NOT EXISTS " + sqlgen.ViewSchema +
	"; CREATE SCHEMA IF NOT EXISTS " + sqlgen.CuboidSchema

// The statements on the catalogue.
const (
	// selectVersions gives the columns of row, without those that are gone. Those whose key is in $1 come without content,
	// descriptor and report.
	selectVersions = `SELECT v.id, v.number, v.fingerprint, v.loaded_at, v.rows, CASE WHEN k.key IS NULL THEN v.content ELSE '' END,
	CASE WHEN k.key IS NULL THEN v.descriptor END, CASE WHEN k.key IS NULL THEN v.report ELSE '' END,
	coalesce(p.served = v.number, false), p.last, coalesce(p.visibility, ''), ` + filesKept + ` FROM fiscube.version v
	LEFT JOIN unnest($1::text[]) AS k (key) ON k.key = v.id || ' ' || v.fingerprint` + ofPackage
	// selectServed gives the columns of row of the version that serves package $1, if any.
	selectServed = `SELECT v.id, v.number, v.fingerprint, v.loaded_at, v.rows, v.content, v.descriptor, v.report, true, p.last, coalesce(p.visibility, ''), false
	FROM fiscube.version v` + ofPackage + ` AND p.name = $1 AND p.served = v.number`
	ofPackage = ` JOIN fiscube.package p ON p.name = v.package WHERE NOT v.gone`
	// selectNames gives the names of the packages that are served, but for $1.
	selectNames = `SELECT name FROM fiscube.package WHERE served IS NOT NULL AND name <> $1 ORDER BY name`
	// selectGone gives the columns of row that wait for their tables to be dropped.
	selectGone = `SELECT id, number, fingerprint, loaded_at, rows, content, descriptor, '', false, 0, '', false
	FROM fiscube.version WHERE gone`
	// nextID gives the number of the next version's tables.
	nextID = `SELECT nextval('fiscube.version_id')`
	// selectLast gives the last number ever used for the package $1, if any.
	selectLast = `SELECT last FROM fiscube.package WHERE name = $1`
	// selectKept gives the number of the version of package $1 with fingerprint $2, whether it is served, and its id.
	selectKept = `SELECT v.number, coalesce(p.served = v.number, false), v.id FROM fiscube.version v
	JOIN fiscube.package p ON p.name = v.package
	WHERE v.package = $1 AND v.fingerprint = $2 AND NOT v.gone ORDER BY v.number DESC LIMIT 1`
	// insertVersion takes what row.Args gives.
	insertVersion = `INSERT INTO fiscube.version
	(id, package, number, fingerprint, loaded_at, rows, content, descriptor, report, gone)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false)`
	// insertPackage makes a package $1 without versions.
	insertPackage = `INSERT INTO fiscube.package (name, last, served) VALUES ($1, 0, NULL)`
	// publish serves version $2 of package $1 as the last one used.
	publish = `UPDATE fiscube.package SET last = $2, served = $2 WHERE name = $1`
	// Serve serves version $2 of package $1, where it is kept.
	Serve = `UPDATE fiscube.package SET served = $2 WHERE name = $1
	AND EXISTS (SELECT 1 FROM fiscube.version WHERE package = $1 AND number = $2 AND NOT gone)`
	// Show makes $2 the visibility of package $1.
	Show = `UPDATE fiscube.package SET visibility = $2 WHERE name = $1`
	// Withdraw serves no version of package $1.
	Withdraw = `UPDATE fiscube.package SET served = NULL WHERE name = $1`
	// MarkGone gives up all versions of package $1.
	MarkGone = `UPDATE fiscube.version SET gone = true WHERE package = $1 AND NOT gone`
	// prune gives up the versions of package $1 but for the newest $2 and the served one, and returns their
	// numbers.
	prune = `UPDATE fiscube.version SET gone = true WHERE package = $1 AND NOT gone
	AND number NOT IN (SELECT served FROM fiscube.package WHERE name = $1 AND served IS NOT NULL)
	AND number NOT IN (SELECT number FROM fiscube.version WHERE package = $1 AND NOT gone ORDER BY number DESC LIMIT $2)
	RETURNING number`
	// selectSeries gives the series that were added, file by file.
	selectSeries = `SELECT content FROM fiscube.series ORDER BY name`
	// upsertSeries adds the series of a file $1, in place of those of an earlier file of the name.
	upsertSeries = `INSERT INTO fiscube.series (name, content) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET content = excluded.content`
	// deleteSeries removes the series of a file $1.
	deleteSeries = `DELETE FROM fiscube.series WHERE name = $1 RETURNING name`
	// DeleteVersion forgets version $1, by id, once its tables are dropped.
	DeleteVersion = `DELETE FROM fiscube.version WHERE id = $1`
)

// row is one version in the catalogue.
type row struct {
	id          int64
	number      int32
	fingerprint string
	loadedAt    time.Time
	rows        int64
	content     string
	descriptor  []byte
	report      string
	served      bool
	last        int32 // the last number ever used for the package
	visibility  string
	filesKept   bool
}

// newRow takes the values of a row of selectVersions, selectServed or selectGone.
func newRow(values []any) *row {
	r := &row{
		id: values[0].(int64), number: values[1].(int32), fingerprint: values[2].(string), loadedAt: values[3].(time.Time),
		rows: values[4].(int64), content: values[5].(string), report: values[7].(string),
		served: values[8].(bool), last: values[9].(int32), visibility: values[10].(string), filesKept: values[11].(bool),
	}
	r.descriptor, _ = values[6].([]byte) // NULL where the version is known
	return r
}

// cube makes the version that the row describes.
func (r *row) cube() (*cube.Cube, error) {
	pkg := &cube.Package{}
	if err := json.Unmarshal([]byte(r.content), pkg); err != nil {
		return nil, fmt.Errorf("read version %d from the catalogue: %w", r.id, err)
	}
	pkg.Descriptor = r.descriptor
	return r.with(pkg, r.report), nil
}

// with gives the version of a package and a report; the row says the rest.
func (r *row) with(pkg *cube.Package, report string) *cube.Cube {
	return &cube.Cube{
		Package: pkg, ID: r.id, Version: int(r.number), Fingerprint: r.fingerprint,
		LoadedAt: r.loadedAt.UTC(), Rows: r.rows, Served: r.served, Last: int(r.last), Report: report,
		Visibility: cube.Visibility(r.visibility), FilesKept: r.filesKept,
	}
}
