package files

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/charmap"

	"fiscube/cube"
)

// wideFile makes a file of some 60 MB in the shape of D7: long labels with accents and commas, codes, amounts
// of which most are missing.
func wideFile() (string, cube.Schema) {
	var text bytes.Buffer
	var schema cube.Schema
	for i := range 20 {
		fmt.Fprintf(&text, "field_%02d,", i)
		schema.Fields = append(schema.Fields, cube.Field{Name: fmt.Sprintf("field_%02d", i), Type: "string"})
	}
	text.Truncate(text.Len() - 1)
	for i := range 150_000 {
		fmt.Fprintf(&text, "\n2008,Fiscalización de la Cuenta de la Hacienda Pública Federal,Servicios personales,"+
			"\"Remuneraciones al personal, de carácter permanente\",Recursos fiscales,Legislación,Gobierno,Otras actividades relevantes,,"+
			"Sueldos base,\"Presentar el informe de \"\"resultados\"\"\",Poder Legislativo %d,Gasto corriente,Auditoría Superior de la Federación,%d,1100,R,%d.00,,%d.50",
			i%37, i%400, i*7919, i*104729)
	}
	text.WriteByte('\n')
	return text.String(), schema
}

// BenchmarkReading measures the reading of rows alone, as a load does it.
func BenchmarkReading(b *testing.B) {
	text, schema := wideFile()
	foreign, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		b.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	for _, bench := range []struct {
		name, path string
		data       []byte
		resource   cube.Resource
	}{
		{"survey", "f.csv", []byte(text), cube.Resource{}},
		{"windows-1252", "f.csv", []byte(foreign), cube.Resource{Encoding: "windows-1252"}},
		{"compressed", "f.csv.gz", packed.Bytes(), cube.Resource{}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := bench.resource
			r.Path, r.Schema = bench.path, schema
			files := &Folder{files: fstest.MapFS{bench.path: {Data: bench.data}}, most: 1 << 40}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				readAll(b, files, &r)
			}
		})
	}
}

func readAll(b *testing.B, files *Folder, r *cube.Resource) {
	read, err := OpenTable(b.Context(), files, r, func([]byte) {})
	if err != nil {
		b.Fatal(err)
	}
	defer read.Close()
	if err := read.Header(); err != nil {
		b.Fatal(err)
	}
	rows := 0
	for _, err := range read.records() {
		if err != nil {
			b.Fatal(err)
		}
		rows++
	}
	if err := read.file.drain(); err != nil || rows != 150_000 {
		b.Fatal(rows, err)
	}
}
