package seeds_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/jpeg"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fiscube/seeds"
)

// descriptor is what these tests read of a datapackage.json.
type descriptor struct {
	Name, Title, Description string
	Synthetic                bool
	Image                    string
	YearsIncluded            []string `json:"years_included"`
	Publisher                string   `json:"pub_institutional_name"`
	Website                  string   `json:"author_website"`
	Email                    string   `json:"author_email"`
	Disaggregation           []string
	Resources                []resource
}

type resource struct {
	Bytes                      int
	Hash, Hashcopy, Name, Path string
	Schema                     schema
	Sample                     [][]string
	Model                      struct {
		Dimensions map[string]struct {
			PrimaryKey []string
			Attributes map[string]attribute
		}
		Measures map[string]attribute
	}
}

type attribute struct{ Source, Parent, LabelFor string }

type schema struct {
	Fields []struct{ Name, Type, ColumnType, ConceptType, DecimalChar string }
}

// typeOf returns the declared type of a field.
func (s schema) typeOf(name string) string {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return ""
}

func (s schema) header() []string {
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	return names
}

func describe(t *testing.T, folder fs.FS) descriptor {
	t.Helper()
	return parse[descriptor](t, read(t, folder, "datapackage.json"))
}

// What the descriptors are to have in common with the published ones, mistakes included.
var descriptors = map[string]struct {
	first, last   string // of the years that are promised, whatever the files hold
	author, image bool
	sample        int // lines of the sample that the dataset repeats, with the schema; 0 where it repeats neither
	measures      int
	also          func(t *testing.T, d descriptor)
}{
	"example-ciudad-de-mexico": {
		first: "2018", last: "2020", image: true, sample: 30,
		also: func(t *testing.T, d descriptor) {
			for _, r := range d.Resources { // amounts are text in the key of a dimension of nearly all fields
				header := r.Schema.header()
				if len(header) != 63 || !slices.Equal(r.Model.Dimensions["activity"].PrimaryKey, header[2:]) {
					t.Errorf("%d fields, activity is keyed by %q", len(header), r.Model.Dimensions["activity"].PrimaryKey)
				}
				if !slices.Equal(r.Model.Dimensions["budget-line-id"].PrimaryKey, header[:1]) {
					t.Errorf("line id %q", r.Model.Dimensions["budget-line-id"].PrimaryKey)
				}
				for _, f := range r.Schema.Fields {
					if (f.Type == "string") == (f.Name == "ciclo") {
						t.Errorf("%s is %s", f.Name, f.Type)
					}
				}
				if got := header[len(header)-3:]; !slices.Equal(got, []string{"monto_aprobado", "monto_modificado", "monto_ejercido"}) {
					t.Errorf("the last fields are %s", got)
				}
			}
		},
	},
	"example-costa-rica-egresos": {
		first: "2017", last: "2020", measures: 8,
		also: func(t *testing.T, d descriptor) {
			want := []string{
				"mes", "cog_partida_codigo", "cog_partida_descripcion", "cog_grupo_codigo", "cog_grupo_descripcion",
				"cog_subpartida_codigo", "cog_subpartida_descripcion", "ff_clase1", "ff_clase2",
			}
			if key := d.Resources[0].Model.Dimensions["unknown"].PrimaryKey; !slices.Equal(key, want) {
				t.Errorf("unknown is keyed by %q", key)
			}
		},
	},
	"example-costa-rica-ingresos": {
		first: "2017", last: "2018", measures: 4, // there are rows of 2019 too
		also: func(t *testing.T, d descriptor) {
			if key := d.Resources[0].Model.Dimensions["unknown"].PrimaryKey; len(key) != 22 || key[0] != "mes" {
				t.Errorf("unknown is keyed by %q", key)
			}
		},
	},
	"example-croatia": {first: "2016", last: "2019", sample: 30, measures: 2},
	"example-dominicana": {
		first: "2014", last: "2021", author: true, sample: 21, measures: 3,
		also: func(t *testing.T, d descriptor) {
			if !strings.Contains(d.Title, "gasto") {
				t.Errorf("the title %q does not say expenditure, as the published one does", d.Title)
			}
		},
	},
	"example-mexico": {
		first: "2008", last: "2021", author: true, image: true, measures: 7, // there are no rows of 2021
		also: func(t *testing.T, d descriptor) {
			want := []string{"Public programs", "Line item", "Public investments", "State own enterprises"}
			if !slices.Equal(d.Disaggregation, want) {
				t.Errorf("disaggregation %q", d.Disaggregation)
			}
			for i, r := range d.Resources {
				if !slices.IsSorted(r.Schema.header()) || !strings.HasSuffix(r.Name, "__"+strconv.Itoa(2008+i)+".csv") {
					t.Errorf("%s: fields %q", r.Name, r.Schema.header())
				}
			}
		},
	},
	"example-paraguay": {
		first: "2017", last: "2017",
		also: func(t *testing.T, d descriptor) {
			r := d.Resources[0] // amounts and a text are integers in the key of a dimension
			for _, name := range []string{
				"departamento", "presupuestoInicialAprobado", "montoVigente", "montoPlanFinancieroVigente", "montoEjecutado", "montoTransferido", "montoPagado",
			} {
				if r.Schema.typeOf(name) != "integer" || !slices.Contains(r.Model.Dimensions["unknown"].PrimaryKey, name) {
					t.Errorf("%s: type %q, key %q", name, r.Schema.typeOf(name), r.Model.Dimensions["unknown"].PrimaryKey)
				}
			}
			if r.Schema.typeOf("fechaCorte") != "string" {
				t.Errorf("fechaCorte is %s", r.Schema.typeOf("fechaCorte"))
			}
		},
	},
	"example-uruguay": { // there are no rows of 2020 and 2021
		first: "2011", last: "2021", author: true, image: true, measures: 3,
	},
}

func TestDescriptors_AreLikeThePublishedOnes(t *testing.T) {
	for _, s := range seeds.All() {
		t.Run(s.Name, func(t *testing.T) {
			d, want := describe(t, s.FS), descriptors[s.Name]
			if n := len(d.YearsIncluded); d.YearsIncluded[0] != want.first || d.YearsIncluded[n-1] != want.last {
				t.Errorf("the years are %q", d.YearsIncluded)
			}
			website, email := "", ""
			if want.author {
				website, email = "https://example.org/", "budget@example.org"
			}
			if d.Website != website || d.Email != email {
				t.Errorf("author %q, %q", d.Website, d.Email)
			}
			if want.image {
				data, ok := strings.CutPrefix(d.Image, "data:image/jpeg;base64,")
				if _, err := jpeg.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); err != nil || !ok {
					t.Errorf("the image is no JPEG: %v", err)
				}
			} else if d.Image != "" {
				t.Errorf("image %q", d.Image)
			}
			for _, r := range d.Resources {
				if len(r.Model.Measures) != want.measures {
					t.Errorf("%s: measures %v", r.Name, r.Model.Measures)
				}
			}
			if want.also != nil {
				want.also(t, d)
			}
		})
	}
}

// All files of a package have the schema and the model of the first, and the dataset's schema and sample are its
// copies.
func TestDescriptors_RepeatTheFirstFile(t *testing.T) {
	for _, s := range seeds.All() {
		whole := parse[object](t, read(t, s.FS, "datapackage.json"))
		resources := parse[[]object](t, whole.values["resources"])
		for i, r := range resources {
			sameJSON(t, s.Name+": schema "+strconv.Itoa(i), r.values["schema"], resources[0].values["schema"])
			sameJSON(t, s.Name+": model "+strconv.Itoa(i), r.values["model"], resources[0].values["model"])
		}
		if lines := descriptors[s.Name].sample; lines > 0 {
			sameJSON(t, s.Name+": schema", whole.values["schema"], resources[0].values["schema"])
			sameJSON(t, s.Name+": sample", whole.values["sample"], resources[0].values["sample"])
			if n := len(parse[[]any](t, whole.values["sample"])); n != lines {
				t.Errorf("%s: the sample has %d lines, want %d", s.Name, n, lines)
			}
		} else if whole.values["schema"] != nil || whole.values["sample"] != nil {
			t.Errorf("%s: the dataset has a schema or a sample", s.Name)
		}
	}
}

// A field of columnType value is a measure. Every other field is an attribute of the dimension that the first part
// of its columnType names, and what the dimension says of an attribute names another one of it.
func TestDescriptors_ModelEveryFieldOnce(t *testing.T) {
	for _, s := range seeds.All() {
		r := describe(t, s.FS).Resources[0]
		attributes := len(r.Model.Measures)
		for name, d := range r.Model.Dimensions {
			attributes += len(d.Attributes)
			refs := slices.Clone(d.PrimaryKey)
			for _, a := range d.Attributes {
				refs = append(refs, a.Parent, a.LabelFor)
			}
			for _, ref := range refs {
				if _, ok := d.Attributes[ref]; !ok && ref != "" {
					t.Errorf("%s: %s has no attribute %s", s.Name, name, ref)
				}
			}
		}
		if attributes != len(r.Schema.Fields) {
			t.Errorf("%s: %d attributes and measures for %d fields", s.Name, attributes, len(r.Schema.Fields))
		}
		for _, f := range r.Schema.Fields {
			concept, _, _ := strings.Cut(f.ColumnType, ":")
			in, decimalChar := r.Model.Dimensions[concept].Attributes, ""
			if concept == "value" {
				in = r.Model.Measures
			}
			if f.Type == "number" {
				decimalChar = "."
			}
			if in[f.Name].Source != f.Name || f.ConceptType != concept || f.DecimalChar != decimalChar {
				t.Errorf("%s: %+v is not in the model as its columnType says", s.Name, f)
			}
		}
	}
}

// Keys in their order, schema, dialect and model are those of the published descriptor. Beyond that there are
// synthetic, and for D2 the dataset's schema and sample, which the specification has and the published file has not.
func TestDescriptors_HaveTheFormOfTheRealOnes(t *testing.T) {
	for folder, name := range map[string]string{
		"D1-paraguay": "example-paraguay", "D2-croatia": "example-croatia",
		"D5-costa-rica-ingresos": "example-costa-rica-ingresos", "D6-uruguay": "example-uruguay",
		"D7-mexico": "example-mexico", "D8-costa-rica-egresos": "example-costa-rica-egresos",
	} {
		t.Run(folder, func(t *testing.T) {
			published := parse[object](t, realDescriptor(t, folder))
			ours := parse[object](t, read(t, open(t, name), "datapackage.json"))
			keys := slices.DeleteFunc(ours.keys, func(key string) bool {
				return slices.Contains([]string{"synthetic", "schema", "sample"}, key)
			})
			if !slices.Equal(keys, published.keys) {
				t.Errorf("keys %q, published %q", keys, published.keys)
			}
			a := parse[[]object](t, ours.values["resources"])[0]
			b := parse[[]object](t, published.values["resources"])[0]
			if !slices.Equal(a.keys, b.keys) {
				t.Errorf("keys of a resource %q, published %q", a.keys, b.keys)
			}
			for _, key := range []string{"schema", "dialect", "model"} {
				sameJSON(t, key, a.values[key], b.values[key])
			}
		})
	}
}

// The descriptor of the real D3 was written from the specification; its fields are those of ours.
func TestDescriptors_HaveTheFieldsOfTheRealD3(t *testing.T) {
	real := parse[descriptor](t, realDescriptor(t, "D3-dominicana-ingresos")).Resources[0].Schema
	if ours := describe(t, open(t, "example-dominicana")).Resources[0].Schema; !reflect.DeepEqual(ours, real) {
		t.Errorf("fields %v, published %v", ours, real)
	}
}

const realData = "../../shared/data"

// realDescriptor returns the descriptor of a real package, or skips the test where there are none beside the checkout.
func realDescriptor(t *testing.T, folder string) []byte {
	t.Helper()
	if _, err := os.Stat(realData); err != nil {
		t.Skip("the real packages are not beside the checkout")
	}
	text, err := os.ReadFile(filepath.Join(realData, folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An object is a JSON object that keeps the order of its keys.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

func (o *object) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &o.values); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token() // {
	for d.More() {
		key, _ := d.Token()
		o.keys = append(o.keys, key.(string))
		if err := d.Decode(new(json.RawMessage)); err != nil {
			return err
		}
	}
	return nil
}

func parse[T any](t *testing.T, text []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// sameJSON compares two JSON values with the order of their keys, but without white space.
func sameJSON(t *testing.T, what string, got, want json.RawMessage) {
	t.Helper()
	a, b := tokens(t, got), tokens(t, want)
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s differs: got %v, want %v", what, a[max(0, i-5):i+1], b[max(0, i-5):i+1])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: one of them ends earlier", what)
	}
}

func tokens(t *testing.T, text json.RawMessage) []json.Token {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var all []json.Token
	for {
		token, err := d.Token()
		switch {
		case err == io.EOF:
			return all
		case err != nil:
			t.Fatal(err)
		}
		all = append(all, token)
	}
}
