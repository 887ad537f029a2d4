// Command generate writes the synthetic packages of package seeds into the current folder. It is run
// by go generate ./seeds and always writes the same bytes.
//
// A seed is a file named for its country, such as croatia.go: a table of fields with their columnTypes and
// a function that makes the rows. Beside it stand the members of its classifications and the lines of its
// budget, as tables. Everything else follows from the fields, as it did for the published packages: schema
// and model from the columnTypes, sizes, hashes and samples from the rows.
package main

import (
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	if err := write(".", generate(all())); err != nil {
		log.Fatal(err)
	}
}

// all lists the seeds, D1 to D8.
func all() []seed {
	return []seed{
		paraguay(), croatia(), dominicana(), ciudadDeMexico(), costaRicaIngresos(), uruguay(), mexico(),
		costaRicaEgresos(),
	}
}

// generate returns the content of every file of the seeds by its slash-separated path.
func generate(seeds []seed) map[string][]byte {
	files := map[string][]byte{}
	for _, s := range seeds {
		var made []file
		for _, r := range s.resources {
			f := s.file(r)
			made = append(made, f)
			files[s.name+"/data/"+f.name] = f.content
		}
		files[s.name+"/datapackage.json"] = encodeJSON(s.descriptor(made))
	}
	return files
}

// write puts the files below the folder root.
func write(root string, files map[string][]byte) error {
	for path, content := range files {
		full := filepath.Join(root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(full, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
