package fdp

import (
	"bytes"
	"cmp"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/internal/each"
)

// Read reads a descriptor. What is wrong with it comes back as Problems, all at once. With names, the package
// is that of the resources of these names alone.
func Read(data []byte, only ...string) (*cube.Package, error) {
	r, data := &report{}, bytes.Clone(data) // parts of which the package keeps
	root := parseJSON(data, r)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	p := readPackage(root, only)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	p.Descriptor = data
	return p, nil
}

func readPackage(n node, only []string) *cube.Package {
	o := n.mustObject()
	if o == nil {
		return nil
	}
	p := &cube.Package{
		Name:          o.take("name").text(),
		ID:            o.take("id").text(),
		Title:         o.take("title").prose(),
		Description:   o.take("description").prose(),
		Encoding:      o.take("encoding").text(),
		Format:        o.take("format").text(),
		YearsIncluded: o.take("years_included").texts(),
		Publisher:     o.take("pub_institutional_name").prose(),
		BudgetStage:   o.take("budget_stage").texts(),
		GovtLevel:     o.take("govt_level").prose(),
		Continent:     o.take("continent").prose(),
		Region:        o.take("region").prose(),
		Country:       o.take("country").prose(),
		Periodicity:   o.take("periodicity").prose(),
		StartDate:     o.take("start_date").text(),
		EndDate:       o.take("end_date").text(),
		Tags:          o.take("tags").texts(),
		CreatedAt:     o.take("createdAt").text(),
		UpdatedAt:     o.take("updatedAt").text(),
		Image:         o.take("image").text(),
		AuthorWebsite: o.take("author_website").prose(),
		AuthorEmail:   o.take("author_email").prose(),
		Synthetic:     o.take("synthetic").truth(),
		Sample:        o.take("sample").rows(),
	}
	schema := readSchema(o.take("schema"))
	if schema != nil {
		p.Schema = &schema.Schema
	}
	checkPackageName(o.take("name"), p.Name)
	checkEncoding(o.take("encoding"), p.Encoding)
	checkFormat(o.take("format"), p.Format)
	shared := readModel(o.take("model"))
	if shared == nil {
		shared = readModel(o.take("mapping")) // its name before 0.3.0-alpha9
	}
	read := readResources(o.take("resources"), schema, only)
	measuresOfResources(n.report, read, modelsOf(read, shared))
	tables := withParts(read)
	saidAlike(n.report, tables, modelsOf(read, shared))
	resources := makePoints(n.report, tables)
	checkQualifierFields(n.report, resources)
	models := modelsOf(resources, shared)
	for _, m := range models {
		m.takeNormalized(resources)
	}
	nameFields(resources, models)
	markYear(resources, models)
	addYears(o, resources, models)
	types, addresses := readTaxonomy(o.take("columnTypes"))
	p.TypesElsewhere = addresses
	if len(models) == 0 {
		models, p.Guessed = modelWithout(types, resources)
		markYear(resources, models)
	}
	p.Country = cmp.Or(p.Country, o.other("countryCode").text())
	for _, r := range resources {
		r.Encoding = cmp.Or(r.Encoding, p.Encoding)
		p.Resources = append(p.Resources, r.Resource)
	}
	p.Model = makeModel(n.report, resources, models)
	p.Functions = functionsOfTypes(p)
	p.Extra = o.rest()
	return p
}

// modelWithout gives the model of a package that publishes none: what the column types of its fields say, else a guess.
func modelWithout(types taxonomy, resources []resource) (models []*declaredModel, guessed bool) {
	if m := types.modelOfTypes(resources, "columnTypes"); m != nil {
		return []*declaredModel{m}, false
	}
	return []*declaredModel{guessedModel(resources)}, true
}

// checkPackageName checks that a package's name can be a part of a URL and does not look like one of fiscube's own.
func checkPackageName(n node, name string) {
	if name == "" {
		n.require("a package needs a name")
		return
	}
	if utf8.RuneCountInString(name) > mostNameRunes {
		n.problem("a name has at most %d characters", mostNameRunes)
	}
	if strings.ContainsRune(name, '/') || strings.ContainsFunc(name, unicode.IsControl) {
		n.problem("the name %s must hold no / and no control character", quote(name))
	}
	if name[0] == '_' || name[0] == '.' {
		n.problem("the name %s must not begin with _ or .", quote(name))
	}
}

// resource is a resource with what is only needed to make the model of its package.
type resource struct {
	cube.Resource
	schema      *tableSchema
	parts       []string        // the paths of the other files of its table
	normalized  []string        // the measures that its normalizationTarget becomes
	target      string          // the name of that
	partOf      string          // the resource whose table's other file it is
	fieldsPlace string          // the place of the fields of its schema: its own, or the package's
	model       *declaredModel  // its own; nil where it has none
	inPoints    map[string]bool // the qualifiers that are fields of its data points also where normalize says them
}

// readResources reads the resources of a package: all, or only those of the given names. The others are not
// looked at, so that one resource can be loaded although another is broken.
func readResources(n node, shared *tableSchema, only []string) []resource {
	items := n.list()
	if len(items) == 0 {
		n.require("a package needs at least one resource")
	}
	if len(items) > mostResources {
		n.problem("%d resources; at most %d are supported", len(items), mostResources)
		return nil
	}
	if len(only) > 0 {
		items = selectResources(n, items, only)
	}
	var resources []resource
	first := map[string]string{}
	for _, item := range items {
		r := readResource(item, shared)
		if other, twice := first[r.Name]; twice && r.Name != "" {
			n.report.add(at(item.place, "name"), "%s is the name of %s too", quote(r.Name), other)
		} else {
			first[r.Name] = item.place
		}
		resources = append(resources, r)
	}
	return resources
}

// selectResources gives the items of the given names.
func selectResources(n node, items []node, only []string) []node {
	var selected []node
	var names []string
	for _, item := range items {
		var name string
		if o := item.object(); o != nil {
			name = o.take("name").text()
		}
		names = append(names, name)
		if slices.Contains(only, name) {
			selected = append(selected, item)
		}
	}
	for _, name := range only {
		if !slices.Contains(names, name) {
			n.problem("no resource is named %s; there are %s", quote(name), quote(strings.Join(names, ", ")))
		}
	}
	return selected
}

func readResource(n node, shared *tableSchema) resource {
	o := n.mustObject()
	if o == nil {
		return resource{schema: &tableSchema{}}
	}
	r := resource{Resource: cube.Resource{
		Name:      o.take("name").text(),
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
	if strings.EqualFold(r.Format, "tsv") {
		r.Dialect.Delimiter = cmp.Or(r.Dialect.Delimiter, "\t")
	}
	schema := o.take("schema")
	r.fieldsPlace = at(schema.place, "fields")
	switch own := readSchema(schema); {
	case own != nil:
		r.schema = own
	case shared != nil:
		r.schema, r.fieldsPlace = shared, at("schema", "fields")
	default:
		schema.require("neither the resource nor the package has a schema")
		r.schema = &tableSchema{}
	}
	r.Schema = r.schema.Schema
	if d := r.Dialect; d.DecimalChar != "" || d.GroupChar != "" {
		r.Schema.Fields = slices.Clone(r.Schema.Fields) // they may be the package's, shared with other resources
		for i := range r.Schema.Fields {
			f := &r.Schema.Fields[i]
			f.DecimalChar, f.GroupChar = cmp.Or(f.DecimalChar, d.DecimalChar), cmp.Or(f.GroupChar, d.GroupChar)
		}
	}
	r.readTable(o)
	r.checkWorkbook(o)
	r.model = readModel(o.take("model"))
	r.Extra = o.rest()
	return r
}

// readTable reads where the rows of a resource are: in a file, in several that are one table, or in the descriptor.
func (r *resource) readTable(o *object) {
	path, data := o.take("path"), o.take("data")
	switch r.Packed = strings.ToLower(o.take("compression").text()); r.Packed {
	case "gzip":
		r.Packed = "gz"
	case "", "no", "gz", "zip":
	default:
		o.take("compression").problem("compression %s is not supported; files are packed by gz or zip, or not at all", quote(r.Packed))
	}
	if null := o.take("dialect").object(); null != nil {
		if text := null.take("nullSequence").text(); text != "" && !slices.Contains(r.Schema.MissingValues, text) {
			r.Schema.MissingValues = append(slices.Clone(r.Schema.MissingValues), text)
		}
	}
	switch {
	case !data.absent() && !path.absent():
		data.problem("a resource has a path or data: leave out one")
	case !data.absent():
		r.Path, r.Data = "datapackage.json", readData(data, r.Schema.Fields)
	case path.kind() == isList && len(path.list()) > 0:
		r.parts = append(r.parts, each.Text(path.list(), readPath)...)
		r.Path = r.parts[0]
		if r.parts = r.parts[1:]; len(r.parts) > 0 {
			r.Bytes, r.Hash, r.HashCopy = 0, "", "" // of all together
		}
	default:
		r.Path = readPath(path)
	}
}

// readData reads rows that stand in the descriptor: lists of cells below their names, or objects.
func readData(n node, fields []cube.Field) [][]string {
	names := each.Text(fields, func(f cube.Field) string { return f.Name })
	lines := [][]string{}
	for _, row := range n.list() {
		var cells []string
		switch row.kind() {
		case isList:
			cells = append(cells, each.Text(row.list(), dataCell)...)
		case isObject:
			if len(lines) == 0 {
				lines = append(lines, names)
			}
			o := row.object()
			cells = append(cells, each.Text(names, func(name string) string { return dataCell(o.take(name)) })...)
			for _, key := range slices.Sorted(maps.Keys(o.rest())) {
				o.other(key).problem("%s is no field of the schema%s", quote(key), n.report.didYouMean(key, names))
			}
		default:
			row.problem("a row is a list of cells or an object, not %s", row.kind())
		}
		lines = append(lines, cells)
	}
	return lines
}

func dataCell(n node) string {
	text, ok := n.scalar()
	switch {
	case n.kind() == isBoolean:
		return string(n.raw)
	case !ok && !n.absent():
		n.problem("a cell must be text, not %s", n.kind())
	}
	return text
}

// withParts gives the resources with the files of tables that are in several, each as a resource of its own.
func withParts(resources []resource) []resource {
	var all []resource
	taken := map[string]bool{}
	for _, r := range resources {
		taken[r.Name] = true
	}
	for _, r := range resources {
		all = append(all, r)
		number := 2
		for _, path := range r.parts {
			part := r
			part.Path, part.Part, part.parts, part.partOf = path, true, nil, r.Name
			for taken[part.Name] {
				part.Name = r.Name + "-" + strconv.Itoa(number)
				number++
			}
			taken[part.Name] = true
			all = append(all, part)
		}
	}
	return all
}

// readBytes reads a size, which may be published as text.
func readBytes(n node) int64 {
	s := n.text()
	if s == "" {
		return 0
	}
	size, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n.problem("must be a whole number, not %s", quote(s))
	}
	if size < 0 {
		n.problem("%d is negative", size)
	}
	return size
}

var driveLetter = regexp.MustCompile(`^[A-Za-z]:`)

// readPath reads the path of a file below the package's folder, or the https URL of one. A path may not lead
// outside: a package can come from anywhere. It is returned clean, as io/fs wants it.
func readPath(n node) string {
	p := n.text()
	switch {
	case p == "":
		n.require("a resource needs a path")
	case IsURL(p):
		checkURL(n, p)
	case strings.Contains(p, "://"):
		n.problem("%s is neither a path in the package nor an https URL", quote(p))
	case strings.HasPrefix(p, "/") || driveLetter.MatchString(p):
		n.problem("%s is absolute; a path starts at the package's folder", quote(p))
	case strings.ContainsRune(p, '\\'):
		n.problem("%s holds a backslash; folders are set apart by /", quote(p))
	case slices.Contains(strings.Split(p, "/"), ".."):
		n.problem("%s leads out of a folder by ..", quote(p))
	case strings.ContainsFunc(p, unicode.IsControl):
		n.problem("%s holds a control character", quote(p))
	case strings.HasSuffix(p, "/") || path.Clean(p) == ".":
		n.problem("%s names a folder, not a file", quote(p))
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
func checkURL(n node, published string) {
	switch u, err := url.Parse(published); {
	case err != nil || u.Hostname() == "":
		n.problem("%s is no URL", quote(published))
	case u.User != nil:
		n.problem("the URL holds a name or password")
	case strings.HasSuffix(u.Path, "/") || u.Path == "":
		n.problem("%s names a folder, not a file", quote(published))
	}
}

// hexDigest matches the digests in use by their length: MD5, SHA-1, SHA-256 and SHA-512.
var hexDigest = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$`)

// readHash reads a digest and returns it in lower case and without the name of its algorithm, so that equal
// digests are equal texts.
func readHash(n node) string {
	published := n.text()
	digest, sha256 := strings.CutPrefix(strings.ToLower(published), "sha256:")
	if published == "" {
		return ""
	}
	if !hexDigest.MatchString(digest) || sha256 && len(digest) != 64 {
		n.problem("%s is no hash: 32, 40, 64 or 128 hexadecimal digits, 64 after sha256:", quote(published))
	}
	return digest
}

func checkFormat(n node, format string) {
	switch lower := strings.ToLower(format); {
	case isOtherWorkbook(format):
		n.problem("workbooks are read as XLSX alone, not %s: save it as XLSX, or its sheet as CSV", strings.ToUpper(format))
	case lower != "" && lower != "csv" && lower != "tsv" && lower != "xlsx":
		n.problem("format %s is not supported; resources are csv, tsv or xlsx", quote(format))
	}
}

// checkEncoding refuses what fiscube cannot read rather than load it garbled.
func checkEncoding(n node, declared string) {
	if _, ok := Encoding(declared); !ok {
		n.problem("encoding %s is not supported; known are %s", quote(declared), strings.Join(encodingNames(), ", "))
	}
}
