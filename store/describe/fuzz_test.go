package describe_test

import (
	"testing"
	"testing/fstest"

	"fiscube/store/describe"
	"fiscube/store/load"
)

// Whatever a file holds, it is refused or described by a descriptor and an overlay that are read back.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"year,office,amount\n2024,A,100\n2024,B,20.5\n",
		"anio;mes;ramo;desc_ramo;monto\n2024;1;01;Salud;1.234,50\n2024;2;01;Salud;2.234,50\n",
		"a\tb\n\"x\ny\"\t2024\n", "\xff\xfea\x00", "year|~|#: {|amount\n2024|- x|true|-5\n",
		"ejercicio,enero,febrero,marzo\n2024,1,2,3\n", "year,x_id,x_name,v\n2024,1 - a,No informado,\n2024,,-,7E3\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files := fstest.MapFS{"file.csv": &fstest.MapFile{Data: data}}
		d, err := describe.Read(t.Context(), files, []string{"file.csv"}, describe.Options{}, load.Silent{})
		if err != nil {
			return
		}
		descriptor, err := d.Descriptor()
		if err != nil {
			t.Fatal(err)
		}
		source, err := load.OpenMade(t.Context(), files, descriptor, d.Overlay(), load.Options{})
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, descriptor, d.Overlay())
		}
		_ = source.Close()
	})
}
