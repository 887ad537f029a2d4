// Package seeds holds small synthetic budget packages, embedded in the binary, so that a new
// installation has something to show and the tests something to load. Each has the form, the fields,
// the model and the irregularities of one published dataset; every row and amount is made up.
//
// The folders are edited by hand; whatever is named example-* is embedded. After an edit the descriptor has to
// follow: the tests print the bytes and hashes that a file has now.
package seeds

import (
	"embed"
	"io/fs"
)

//go:embed example-*
var files embed.FS

// Seed is one embedded package: FS holds its datapackage.json and data/*.csv.
type Seed struct {
	Name string
	FS   fs.FS
}

// All returns the seeds sorted by name.
func All() []Seed {
	entries, err := files.ReadDir(".") // sorted by name, as embed promises
	if err != nil {
		panic(err) // the root of an embed.FS can always be read
	}
	var seeds []Seed
	for _, entry := range entries {
		if sub, ok := Open(entry.Name()); ok {
			seeds = append(seeds, Seed{Name: entry.Name(), FS: sub})
		}
	}
	return seeds
}

// Open returns the folder of the seed of that name, and whether there is one. The name is untrusted:
// anything but the name of a seed, a path into one included, gives false.
func Open(name string) (fs.FS, bool) {
	if _, err := fs.Stat(files, name+"/datapackage.json"); err != nil {
		return nil, false
	}
	sub, err := fs.Sub(files, name)
	return sub, err == nil
}
