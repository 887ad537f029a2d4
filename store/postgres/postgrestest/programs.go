package postgrestest

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// errAbsent says that the programs of a server are not there.
var errAbsent = errors.New("this machine has no PostgreSQL server (initdb with pg_ctl and postgres beside it)")

// packaged are the folders outside PATH where Debian, the PostgreSQL RPMs and Homebrew put the programs.
var packaged = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql*/bin",
	"/usr/local/opt/postgresql*/bin",
}

// findPrograms gives the folder of the server's programs: the first on PATH, else the newest packaged one.
func findPrograms() (string, error) {
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), newestFirst(packaged)...) {
		initdb, err := filepath.EvalSymlinks(filepath.Join(dir, "initdb"))
		if err == nil && complete(filepath.Dir(initdb)) {
			return filepath.Dir(initdb), nil
		}
	}
	return "", errAbsent
}

// complete tells whether a folder has every program that keeper.sh needs.
func complete(dir string) bool {
	for _, program := range []string{"initdb", "pg_ctl", "postgres"} {
		if info, err := os.Stat(filepath.Join(dir, program)); err != nil || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return filepath.IsAbs(dir)
}

// newestFirst gives the folders that match the patterns, those of the highest version first.
func newestFirst(patterns []string) []string {
	var dirs []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // fails only on a bad pattern
		dirs = append(dirs, found...)
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return cmp.Compare(version(b), version(a)) })
	return dirs
}

var number = regexp.MustCompile(`\d+`)

// version is the first number in a folder's name, 0 without any.
func version(dir string) int {
	v, _ := strconv.Atoi(number.FindString(dir))
	return v
}
