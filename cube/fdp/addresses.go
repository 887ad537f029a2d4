package fdp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// A descriptor may name the file or the https address of a schema or of a dialect, instead of having it (Data Package: schema, dialect).

// Resolve puts what a descriptor names by paths or addresses in their place, read by a function; the paths are given too. A descriptor
// that names none, or that is broken, is given as it is.
func Resolve(descriptor []byte, read func(path string) ([]byte, error)) (whole []byte, paths []string, err error) {
	r := &report{}
	root := parseJSON(descriptor, r)
	if r.problems() != nil || root.kind() != isObject {
		return descriptor, nil, nil
	}
	a := addresses{report: r, read: read, known: map[string]json.RawMessage{}}
	o := root.object()
	d := published(o)
	a.replace(o, d)
	list := o.other("resources").list()
	resources := make([]any, len(list))
	for i, item := range list {
		resources[i] = item.raw
		if item.kind() == isObject {
			resource := published(item.object())
			a.replace(item.object(), resource)
			resources[i] = resource
		}
	}
	switch {
	case a.err != nil:
		return nil, nil, a.err
	case r.problems() != nil:
		return nil, nil, r.problems()
	case len(a.paths) == 0:
		return descriptor, nil, nil
	}
	d.set("resources", resources)
	whole, err = json.MarshalIndent(d, "", "  ")
	return append(whole, '\n'), a.paths, err
}

// addresses are what a descriptor names.
type addresses struct {
	report *report
	read   func(path string) ([]byte, error)
	known  map[string]json.RawMessage
	paths  []string
	err    error
}

// replace replaces the texts of an object that name a schema or a dialect.
func (a *addresses) replace(o *object, d *keyed) {
	for _, key := range []string{"schema", "dialect"} {
		n := o.other(key)
		if n.kind() != isText || a.err != nil {
			continue
		}
		before := len(a.report.kept)
		path := readPath(n)
		if path == "" || len(a.report.kept) > before {
			continue
		}
		if _, known := a.known[path]; !known {
			text, err := a.read(path)
			if errors.Is(err, fs.ErrNotExist) {
				n.problem("the package has no file %s", quote(path))
				continue
			}
			if err != nil {
				a.err = fmt.Errorf("%s: %s %s: %w", n.place, key, path, err)
				return
			}
			inner := &report{}
			if part := parseJSON(text, inner); inner.problems() != nil || part.kind() != isObject {
				n.problem("%s holds no JSON object", quote(path))
				continue
			}
			a.known[path] = text
			a.paths = append(a.paths, path)
		}
		d.set(key, a.known[path])
	}
}
