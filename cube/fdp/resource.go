package fdp

import (
	"cmp"
	"net/url"
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

// readResources reads the resources of a package: all, or only those of the given names. The others are not
// looked at, so that one resource can be loaded although another is broken.
func readResources(v value, shared *cube.Schema, only []string) []resource {
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
	if len(only) > 0 {
		items = chosen(v, items, only)
	}
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

// chosen gives the items of the names asked for.
func chosen(v value, items []value, only []string) []value {
	var list []value
	var names []string
	for _, item := range items {
		var name string
		if o := item.object(); o != nil {
			name = o.take("name").text()
		}
		names = append(names, name)
		if slices.Contains(only, name) {
			list = append(list, item)
		}
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			v.problem("no resource is named %s; there are %s", quote(name), quote(strings.Join(names, ", ")))
		}
	}
	return list
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
	r.Schema.Fields = withNumberForm(r.Schema.Fields, r.Dialect)
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

// readPath reads the path of a file below the package's folder, or the https URL of one. A path may not lead
// outside: a package can come from anywhere. It is returned clean, as io/fs wants it.
func readPath(v value) string {
	p := v.text()
	switch {
	case p == "":
		v.require("a resource needs a path")
	case IsURL(p):
		checkURL(v, p)
	case strings.Contains(p, "://"):
		v.problem("%s is neither a path in the package nor an https URL", quote(p))
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

// IsURL tells the path of a resource that is an https URL from one in the package.
func IsURL(path string) bool {
	const scheme = "https://"
	return len(path) >= len(scheme) && strings.EqualFold(path[:len(scheme)], scheme)
}

// checkURL refuses what no file can be fetched by, and a password, which would be published with the cube.
func checkURL(v value, published string) {
	switch u, err := url.Parse(published); {
	case err != nil || u.Hostname() == "":
		v.problem("%s is no URL", quote(published))
	case u.User != nil:
		v.problem("the URL holds a name or password")
	case strings.HasSuffix(u.Path, "/") || u.Path == "":
		v.problem("%s names a folder, not a file", quote(published))
	}
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

// checkEncoding refuses what fiscube cannot read rather than load it garbled.
func checkEncoding(v value, declared string) {
	if _, ok := Encoding(declared); !ok {
		v.problem("encoding %s is not supported; known are %s", quote(declared), strings.Join(encodingNames(), ", "))
	}
}

func readDialect(v value) cube.Dialect {
	o := v.object()
	if o == nil {
		return cube.Dialect{}
	}
	d := cube.Dialect{
		Delimiter:   readMark(o.take("delimiter")),
		QuoteChar:   readMark(o.take("quoteChar")),
		DecimalChar: readSeparator(o.take("decimalChar")),
		GroupChar:   readSeparator(o.take("groupChar")),
		Extra:       o.rest(),
	}
	if d.Delimiter == quoteMark {
		o.take("delimiter").problem("%s encloses cells, so it cannot set them apart", quote(d.Delimiter))
	}
	if utf8.RuneCountInString(d.QuoteChar) == 1 && d.QuoteChar != quoteMark {
		o.take("quoteChar").problem("%s is not supported; cells are enclosed in %s", quote(d.QuoteChar), quoteMark)
	}
	return d
}

// quoteMark is the only character that encloses cells.
const quoteMark = `"`

// readMark reads the one character that sets cells apart or encloses them.
func readMark(v value) string {
	mark := v.text()
	if !v.absent() && (utf8.RuneCountInString(mark) != 1 || strings.ContainsAny(mark, "\r\n\x00\ufffd")) {
		v.problem("must be one character, not %s", quote(mark))
	}
	return mark
}

// withNumberForm gives the fields that name no decimal or group character those of the dialect. The fields may
// be the package's, shared with other resources, so they are copied.
func withNumberForm(fields []cube.Field, d cube.Dialect) []cube.Field {
	if d.DecimalChar == "" && d.GroupChar == "" {
		return fields
	}
	fields = slices.Clone(fields)
	for i := range fields {
		fields[i].DecimalChar = cmp.Or(fields[i].DecimalChar, d.DecimalChar)
		fields[i].GroupChar = cmp.Or(fields[i].GroupChar, d.GroupChar)
	}
	return fields
}
