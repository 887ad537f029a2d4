//go:build cgo

package duckdb

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/backup"
)

// Backup implements catalogue.Backuper. One statement copies what is committed when it begins, while others ask and load. (The bytes of the file must
// not be read by this process: with that, the system would take its lock on the file away.)
//
// Published files lie beside the database. They never change, and are there before the version that has them is committed; so those that
// are there before and those that came until after the copy are all that it needs.
func (s *Store) Backup(ctx context.Context, file string, replace bool) error {
	if ours, err := os.Stat(s.file); err == nil {
		if there, err := os.Stat(file); err == nil && os.SameFile(ours, there) {
			return cube.Errorf(cube.CodeConflict, "%s is the database itself", file)
		}
	}
	return backup.Write(file, replace, func(path string) error {
		copyFiles := func() error { return backup.CopyFiles(s.files.folder, path+backup.FilesEnding) }
		if err := copyFiles(); err != nil {
			return err
		}
		if err := s.copyTo(ctx, path); err != nil {
			return err
		}
		return copyFiles()
	})
}

// copyTo copies the database into a new one.
func (s *Store) copyTo(ctx context.Context, path string) (err error) {
	conn, err := s.db.Load().Conn(ctx)
	if err != nil {
		return queryError(ctx, err)
	}
	defer func() { _ = conn.Close() }()
	ours, name := attached, "backup_"+strings.ToLower(rand.Text())
	if s.file == Memory {
		ours = "memory"
	}
	quoted := "'" + strings.ReplaceAll(path, "'", "''") + "'"
	if _, err := conn.ExecContext(ctx, "ATTACH "+quoted+" AS "+name+" (ROW_GROUP_SIZE "+strconv.Itoa(groupRows)+")"); err != nil {
		return queryError(ctx, err)
	}
	defer func() { // which writes the log into the file
		_, detached := conn.ExecContext(context.WithoutCancel(ctx), "DETACH "+name)
		err = errors.Join(err, queryError(ctx, detached))
	}()
	_, err = conn.ExecContext(ctx, "COPY FROM DATABASE "+ours+" TO "+name)
	if isNoSpace(err) {
		return cube.Wrap(cube.CodeNoSpace, "there is no space left on the disk of the backup", err)
	}
	return queryError(ctx, err)
}
