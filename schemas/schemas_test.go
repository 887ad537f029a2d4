package schemas_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/cube/fdp"
	"fiscube/schemas"
	"fiscube/seeds"
)

func TestCheck_AcceptsRealDescriptors(t *testing.T) {
	paths, _ := filepath.Glob("../../shared/data/*/datapackage.json")
	if len(paths) == 0 {
		t.Skip("the real packages are not beside the checkout")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if problems := schemas.Check(schemas.Descriptor, text); problems != nil {
			t.Errorf("%s:\n%v", path, problems)
		}
	}
}

func TestCheck_AcceptsTheSeeds(t *testing.T) {
	for _, seed := range seeds.All() {
		text, err := fs.ReadFile(seed.FS, "datapackage.json")
		if err != nil {
			t.Fatal(err)
		}
		if problems := schemas.Check(schemas.Descriptor, text); problems != nil {
			t.Errorf("%s:\n%v", seed.Name, problems)
		}
	}
}

func TestCheck_AcceptsTheOverlays(t *testing.T) {
	for _, o := range seeds.Overlays() {
		if problems := schemas.Check(schemas.Overlay, o.Text); problems != nil {
			t.Errorf("%s:\n%v", o.Name, problems)
		}
	}
}

func TestCheck_ReportsProblems(t *testing.T) {
	const resource = `"resources": [{"name": "a", "path": "a.csv"}]`
	tests := map[string]struct {
		kind       schemas.Kind
		text, want string
	}{
		"a descriptor":         {schemas.Descriptor, `{"name": "a", ` + resource + `}`, ""},
		"no name":              {schemas.Descriptor, `{` + resource + `}`, "missing property 'name'"},
		"no object":            {schemas.Descriptor, `[]`, "got array, want object"},
		"no JSON":              {schemas.Descriptor, `{`, "unexpected EOF"},
		"something after":      {schemas.Descriptor, `{} {}`, "invalid character after top-level value"},
		"a row of nothing":     {schemas.Descriptor, `{"name": "a", "resources": [{"name": "a", "data": "x"}]}`, "resources[0].data: got string, want null or array"},
		"negative bytes":       {schemas.Descriptor, `{"name": "a", "resources": [{"name": "a", "path": "a", "bytes": -1}]}`, "resources[0].bytes: minimum: got -1, want 0"},
		"an overlay":           {schemas.Overlay, "title: {en: A}\nsnapshots: none", ""},
		"an overlay as JSON":   {schemas.Overlay, `{"title": {"en": "A"}}`, ""},
		"unknown key":          {schemas.Overlay, "levels: {a: {paren: b}}", "levels.a: additional properties 'paren' not allowed"},
		"phase":                {schemas.Overlay, "measures: {a: {phase: enacted}}", "measures.a.phase: value must be one of 'proposed', 'approved', 'adjusted', 'executed'"},
		"snapshots":            {schemas.Overlay, "snapshots: [none]", "snapshots: value must be 'none'"},
		"snapshots by nothing": {schemas.Overlay, "snapshots: {per: [a]}", "snapshots: missing property 'by'"},
		"two problems":         {schemas.Overlay, "title: A\nnotes: B", "notes: got string, want array\ntitle: got string, want object"},
		"anchor":               {schemas.Overlay, "a: &a {}\nb: *a", "a (line 1): anchors and aliases are not supported\nb (line 2): anchors and aliases are not supported"},
		"key twice":            {schemas.Overlay, "a: 1\na: 2", "a (line 2): the key stands twice"},
		"no YAML":              {schemas.Overlay, "a: b: c", "line 1: no YAML: mapping values are not allowed in this context"},
		"empty":                {schemas.Overlay, "", "the overlay is empty"},
		"too deep":             {schemas.Overlay, strings.Repeat("[", 70) + strings.Repeat("]", 70), strings.Repeat("[0]", 65) + " (line 1): nested more than 64 deep"},
		"too long":             {schemas.Overlay, strings.Repeat("#", 256<<10+1), "an overlay of 262145 bytes; at most 262144 are read"},
		"no such kind":         {"model", "{}", `no schema of kind "model"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := schemas.Check(test.kind, []byte(test.text)).Error(); got != test.want {
				t.Errorf("problems\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// object is a JSON object of a schema.
type object = map[string]any

func schema(t *testing.T, kind schemas.Kind) object {
	t.Helper()
	text, err := schemas.Text(kind)
	if err != nil {
		t.Fatal(err)
	}
	var s object
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestText_DescribesEveryKey(t *testing.T) {
	for _, kind := range []schemas.Kind{schemas.Descriptor, schemas.Overlay} {
		var walk func(path string, value any)
		walk = func(path string, value any) {
			s, ok := value.(object)
			if !ok {
				return
			}
			for _, key := range []string{"properties", "$defs"} {
				properties, _ := s[key].(object)
				for name, property := range properties {
					if description, _ := property.(object)["description"].(string); !strings.HasSuffix(description, ".") && !strings.HasSuffix(description, ":") {
						t.Errorf("%s: %s/%s/%s has no description that is a sentence", kind, path, key, name)
					}
				}
			}
			for key, inner := range s {
				walk(path+"/"+key, inner)
			}
		}
		walk("", schema(t, kind))
	}
}

// keysOf lists the keys of every object of a schema by the path of the object. "name" is the path of any free key.
func keysOf(root object, place []string, value any, keys map[string][]string) {
	s, _ := value.(object)
	if reference, ok := s["$ref"].(string); ok {
		keysOf(root, place, root["$defs"].(object)[strings.TrimPrefix(reference, "#/$defs/")], keys)
	}
	keysWithin(root, place, s, keys)
}

func keysWithin(root object, place []string, s object, keys map[string][]string) {
	if properties, ok := s["properties"].(object); ok {
		keys[strings.Join(place, ".")] = slices.Sorted(maps.Keys(properties))
		for name, property := range properties {
			keysOf(root, append(slices.Clone(place), name), property, keys)
		}
	}
	if free, ok := s["additionalProperties"].(object); ok {
		keysOf(root, append(slices.Clone(place), "name"), free, keys)
	}
	if then, ok := s["then"]; ok {
		keysOf(root, place, then, keys)
	}
}

// An unknown key is put into every object of an overlay: the reader answers with the keys that it knows there.
func TestText_HasTheOverlayKeysOfTheReader(t *testing.T) {
	root := schema(t, schemas.Overlay)
	keys := map[string][]string{}
	keysOf(root, nil, root, keys)
	if len(keys) != 19 {
		t.Errorf("the schema has %d objects: %v", len(keys), slices.Sorted(maps.Keys(keys)))
	}
	for place, want := range keys {
		got := known(t, place)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("at %q the reader knows %v, the schema %v", place, got, want)
		}
	}
}

// known returns the keys that the reader knows in an object.
func known(t *testing.T, place string) []string {
	t.Helper()
	var document any = object{"zzzzzzzzzzzz": 1}
	if place != "" {
		names := strings.Split(place, ".")
		for _, name := range slices.Backward(names) {
			document = object{name: document}
		}
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fdp.ReadOverlay(text)
	if err == nil {
		t.Fatalf("the reader takes %s", text)
	}
	_, after, _ := strings.Cut(err.Error(), "zzzzzzzzzzzz (line 1): unknown key; write ")
	line, _, _ := strings.Cut(after, "\n")
	return strings.Split(strings.ReplaceAll(line, " or ", ", "), ", ")
}
