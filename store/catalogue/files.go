package catalogue

import (
	"context"

	"fiscube/cube"
)

// The statements on the files of versions.
const (
	// filesKept tells of a version v whether its files are kept.
	filesKept = `EXISTS (SELECT 1 FROM fiscube.version_file f WHERE f.version = v.id)`
	// insertFile says that version $1 has the file $2.
	insertFile = `INSERT INTO fiscube.version_file (version, hash) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash`
	// selectFiles gives the files that versions have.
	selectFiles = `SELECT DISTINCT hash FROM fiscube.version_file`
	ofNoVersion = ` FROM fiscube.version_file WHERE version NOT IN (SELECT id FROM fiscube.version WHERE NOT gone)`
	// SelectForgotten tells whether there are files of versions that are gone, and ForgetFiles forgets them.
	SelectForgotten = `SELECT EXISTS (SELECT 1` + ofNoVersion + `)`
	ForgetFiles     = `DELETE` + ofNoVersion
)

// KeepFile keeps the parts of a file, unless they are kept already.
type KeepFile func(ctx context.Context, file File) error

// keepFiles keeps the files of a version. It has all of them, or none.
func (e *Entry) keepFiles(ctx context.Context, id int64) error {
	for _, file := range e.content.Files() {
		if err := e.keep(ctx, file); err != nil {
			return err
		}
		added, err := e.ask.rows(ctx, "enter a file of the version", insertFile, id, file.Hash)
		if err != nil {
			return err
		}
		e.FilesAdded = e.FilesAdded || len(added) > 0
	}
	return nil
}

// Files gives the hashes of the files that versions have.
func (r *Reader) Files(ctx context.Context) (map[string]bool, error) {
	rows, err := r.Ask.rows(ctx, "list the kept files", selectFiles)
	files := make(map[string]bool, len(rows))
	for _, row := range rows {
		files[row[0].(string)] = true
	}
	return files, err
}

// NotKept is the error of a file whose bytes nobody has.
func NotKept() error {
	return cube.Errorf(cube.CodeNotKept, "the file is not kept as it was published").
		WithHint("fiscube load keeps the files of a package, unless it is told --keep-files no; load it again, also if it was loaded by an earlier release")
}
