package fdp

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
)

// resource is a resource with what is only needed to make the model of its package.
type resource struct {
	cube.Resource
	fieldsPlace string         // where the fields of its schema stand: its own, or the package's
	model       *declaredModel // its own; nil where it has none
}

func readResources(v value, shared *cube.Schema) []resource {
	items := v.list()
	if len(items) == 0 {
		v.require("a package needs at least one resource")
	}
	if len(items) > mostResources {
		v.problem("%d resources; at most %d are supported", len(items), mostResources)
		return nil
	}
	var resources []resource
	first := map[string]string{}
	for _, item := range items {
		r := readResource(item, shared)
		if other, twice := first[r.Name]; twice && r.Name != "" {
			item.report.add(at(item.place, "name"), "%s is the name of %s too", quote(r.Name), other)
		} else {
			first[r.Name] = item.place
		}
		resources = append(resources, r)
	}
	return resources
}

func readResource(v value, shared *cube.Schema) resource {
	o := v.mustObject()
	if o == nil {
		return resource{}
	}
	r := resource{Resource: cube.Resource{
		Name:      o.take("name").text(),
		Path:      readPath(o.take("path")),
		Bytes:     readBytes(o.take("bytes")),
		Hash:      readHash(o.take("hash")),
		HashCopy:  readHash(o.take("hashcopy")),
		Format:    o.take("format").text(),
		Encoding:  o.take("encoding").text(),
		MediaType: o.take("mediatype").text(),
		Dialect:   readDialect(o.take("dialect")),
		Sample:    o.take("sample").rows(),
	}}
	if r.Name == "" {
		o.take("name").require("a resource needs a name")
	}
	checkFormat(o.take("format"), r.Format)
	checkEncoding(o.take("encoding"), r.Encoding)
	r.takeSchema(o.take("schema"), shared)
	r.model = readModel(o.take("model"))
	r.Extra = o.rest()
	return r
}

// takeSchema gives r its own schema, else the one that the package declares for all.
func (r *resource) takeSchema(v value, shared *cube.Schema) {
	r.fieldsPlace = at(v.place, "fields")
	switch own := readSchema(v); {
	case own != nil:
		r.Schema = *own
	case shared != nil:
		r.Schema, r.fieldsPlace = *shared, at("schema", "fields")
	default:
		v.require("neither the resource nor the package has a schema")
	}
}

func readBytes(v value) int64 {
	n := v.whole()
	if n < 0 {
		v.problem("%d is negative", n)
	}
	return n
}

var driveLetter = regexp.MustCompile(`^[A-Za-z]:`)

// readPath reads the path of a file below the package's folder. It may not lead outside: a package can come
// from anywhere. The path is returned clean, as io/fs wants it.
func readPath(v value) string {
	p := v.text()
	switch {
	case p == "":
		v.require("a resource needs a path")
	case strings.HasPrefix(strings.ToLower(p), "https://"):
		v.problem("resources by URL are not supported yet")
	case strings.Contains(p, "://"):
		v.problem("%s is not a path in the package", quote(p))
	case strings.HasPrefix(p, "/") || driveLetter.MatchString(p):
		v.problem("%s is absolute; a path starts at the package's folder", quote(p))
	case strings.ContainsRune(p, '\\'):
		v.problem("%s holds a backslash; folders are set apart by /", quote(p))
	case slices.Contains(strings.Split(p, "/"), ".."):
		v.problem("%s leads out of a folder by ..", quote(p))
	case strings.ContainsFunc(p, unicode.IsControl):
		v.problem("%s holds a control character", quote(p))
	case strings.HasSuffix(p, "/") || path.Clean(p) == ".":
		v.problem("%s names a folder, not a file", quote(p))
	default:
		return path.Clean(p)
	}
	return p
}

// hexDigest matches the digests in use by their length: MD5, SHA-1, SHA-256 and SHA-512.
var hexDigest = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$`)

// readHash reads a digest and returns it in lower case and without the name of its algorithm, so that equal
// digests are equal texts.
func readHash(v value) string {
	published := v.text()
	digest, sha256 := strings.CutPrefix(strings.ToLower(published), "sha256:")
	if published == "" {
		return ""
	}
	if !hexDigest.MatchString(digest) || sha256 && len(digest) != 64 {
		v.problem("%s is no hash: 32, 40, 64 or 128 hexadecimal digits, 64 after sha256:", quote(published))
	}
	return digest
}

func checkFormat(v value, format string) {
	if format != "" && !strings.EqualFold(format, "csv") {
		v.problem("format %s is not supported; resources are csv", quote(format))
	}
}

// checkEncoding accepts every spelling of UTF-8: real descriptors say utf_8 and utf-8.
func checkEncoding(v value, encoding string) {
	letters := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(encoding))
	if letters != "" && letters != "utf8" {
		v.problem("encoding %s is not supported yet", quote(encoding))
	}
}

func readDialect(v value) cube.Dialect {
	o := v.object()
	if o == nil {
		return cube.Dialect{}
	}
	return cube.Dialect{
		Delimiter: readMark(o.take("delimiter")),
		QuoteChar: readMark(o.take("quoteChar")),
		Extra:     o.rest(),
	}
}

// readMark reads the one character that sets cells apart or encloses them.
func readMark(v value) string {
	mark := v.text()
	if !v.absent() && (utf8.RuneCountInString(mark) != 1 || strings.ContainsAny(mark, "\r\n\x00")) {
		v.problem("must be one character, not %s", quote(mark))
	}
	return mark
}
