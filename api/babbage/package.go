package babbage

import (
	"bytes"
	"cmp"
	_ "embed" // the script below
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"fiscube/cube"
)

// Package is the published descriptor with what dashboards look for in one: a model of the whole package, who
// published it and where. What the descriptor says itself stays as it is, but for the paths of its files: dashboards
// link them, so they are addresses. Origin is where the descriptor is served, and the files below it.
func Package(cb *cube.Cube, origin string) (json.RawMessage, error) {
	published, err := publishedKeys(cb)
	if err != nil {
		return nil, err
	}
	entry := newEntry(cb, origin, published)
	body := map[string]any{
		"name": cb.Name, "title": entry.Package.Title, "description": cb.Description,
		"owner": entry.Package.Owner, "author": entry.Package.Author, "model": packageModel(cb.Model), "__origin_url": origin,
	}
	for name, value := range published {
		body[name] = value
	}
	list := files(cb, published["resources"], origin)
	if _, declared := published["model"]; !declared {
		for _, file := range list {
			delete(file, "model") // ours, of the whole package, has what the overlay says too
		}
	}
	body["resources"] = list
	return json.Marshal(body)
}

// publishedKeys gives what the descriptor says, without what is null.
func publishedKeys(cb *cube.Cube) (map[string]json.RawMessage, error) {
	published := map[string]json.RawMessage{}
	if text := bytes.TrimPrefix(cb.Descriptor, []byte("\ufeff")); len(text) > 0 {
		if err := json.Unmarshal(text, &published); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(published, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	return published, nil
}

// files gives the resources of the version as they are published, with the addresses of their files. Where a file is
// not to be had where it was published, that is the one that is kept, or else its rows, written anew: what is declared of its bytes is
// then left out.
func files(cb *cube.Cube, published json.RawMessage, origin string) []map[string]any {
	var declared []map[string]json.RawMessage
	_ = json.Unmarshal(published, &declared) // what is no list of objects declares nothing
	list := []map[string]any{}
	for _, r := range cb.Resources {
		file := map[string]any{}
		for _, d := range declared {
			if text(d["name"]) == r.Name {
				for name, value := range d {
					file[name] = value
				}
			}
		}
		file["name"], file["path"] = r.Name, r.URL
		at := strings.TrimSuffix(origin, "datapackage.json") + "resources/" + url.PathEscape(r.Name)
		switch {
		case r.URL != "":
		case cb.FilesKept:
			file["path"], file["bytes"], file["hash"] = at, r.Found.Bytes, r.Found.Hash
			delete(file, "compression")
		default:
			file["path"] = at + "/rows.csv"
			for _, name := range []string{"bytes", "hash", "hashcopy", "encoding", "dialect"} {
				delete(file, name)
			}
			if schema, ok := file["schema"].(json.RawMessage); ok {
				file["schema"] = served(schema)
			}
		}
		list = append(list, file)
	}
	return list
}

// served gives a schema without the fields that no column is of.
func served(schema json.RawMessage) json.RawMessage {
	var declared map[string]json.RawMessage
	var fields []map[string]json.RawMessage
	if json.Unmarshal(schema, &declared) != nil || json.Unmarshal(declared["fields"], &fields) != nil {
		return schema
	}
	kept := slices.DeleteFunc(slices.Clone(fields), func(f map[string]json.RawMessage) bool { return cube.IsOwnName(text(f["name"])) })
	if len(kept) == len(fields) {
		return schema
	}
	declared["fields"], _ = json.Marshal(kept)
	schema, _ = json.Marshal(declared)
	return schema
}

// text reads a JSON string; of anything else it is empty.
func text(raw json.RawMessage) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}

// packageModel says what dashboards ask of the fields: currencies, and which dimensions are times and places.
func packageModel(model *cube.Model) any {
	var measures, dimensions object
	for _, m := range model.Measures() {
		measures.add(m.Ref, packageMeasure{m.Ref, m.Title, m.Currency, m.Direction, m.Phase})
	}
	for _, d := range model.Dimensions() {
		dimension := packageDimension{DimensionType: d.Type, ClassificationType: d.Classification, PrimaryKey: []string{}}
		for _, l := range d.Levels {
			dimension.PrimaryKey = append(dimension.PrimaryKey, l.Ref)
			dimension.Attributes.add(l.Ref, packageAttribute{Source: l.Ref, Parent: l.Parent})
			if l.LabelRef != "" {
				dimension.Attributes.add(l.LabelRef, packageAttribute{Source: l.LabelRef, LabelFor: l.Ref})
			}
		}
		dimensions.add(d.Name, dimension)
	}
	return struct {
		Measures   object `json:"measures"`
		Dimensions object `json:"dimensions"`
	}{measures, dimensions}
}

type packageMeasure struct {
	Source    string `json:"source"`
	Title     string `json:"title,omitempty"`
	Currency  string `json:"currency,omitempty"`
	Direction string `json:"direction,omitempty"`
	Phase     string `json:"phase,omitempty"`
}

type packageDimension struct {
	DimensionType      string   `json:"dimensionType,omitempty"`
	ClassificationType string   `json:"classificationType,omitempty"`
	PrimaryKey         []string `json:"primaryKey"`
	Attributes         object   `json:"attributes"`
}

type packageAttribute struct {
	Source   string `json:"source"`
	Parent   string `json:"parent,omitempty"`
	LabelFor string `json:"labelfor,omitempty"`
}

// Entry is a package in the list that viewers choose from.
type Entry struct {
	ID         string       `json:"id"`
	Package    EntryPackage `json:"package"`
	OriginURL  string       `json:"origin_url"`
	Loaded     bool         `json:"loaded"`
	LastUpdate string       `json:"last_update,omitempty"`
}

// EntryPackage says whose a package is and what it is about.
type EntryPackage struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Owner       string `json:"owner"`
	Author      string `json:"author"`

	CountryCode json.RawMessage `json:"countryCode,omitempty"` // as published: a text or a list
	RegionCode  json.RawMessage `json:"regionCode,omitempty"`
	Resources   []EntryResource `json:"resources"`
}

// EntryResource is a file of a package, in the list.
type EntryResource struct {
	Name   string `json:"name"`
	Format string `json:"format"`
}

// NewEntry makes the entry of a cube.
func NewEntry(cb *cube.Cube, origin string) (Entry, error) {
	published, err := publishedKeys(cb)
	return newEntry(cb, origin, published), err
}

// newEntry makes the entry of a cube with the title and description that its descriptor publishes, as Package does.
func newEntry(cb *cube.Cube, origin string, published map[string]json.RawMessage) Entry {
	e := Entry{ID: cb.Name, OriginURL: origin, Loaded: true, LastUpdate: cb.UpdatedAt}
	publisher := cmp.Or(cb.Publisher, "fiscube")
	// A viewer drops the last word of the author, which is an address where OpenSpending wrote it.
	e.Package = EntryPackage{
		Name: cb.Name, Title: cmp.Or(text(published["title"]), cb.Title, cb.Name),
		Description: cmp.Or(text(published["description"]), cb.Description), Owner: publisher,
		Author:      publisher + " <" + strings.ReplaceAll(cmp.Or(cb.AuthorEmail, cb.AuthorWebsite), " ", "") + ">",
		CountryCode: published["countryCode"], RegionCode: published["regionCode"], Resources: []EntryResource{},
	}
	for _, r := range cb.Resources {
		e.Package.Resources = append(e.Package.Resources, EntryResource{r.Name, cmp.Or(r.Format, "csv")})
	}
	return e
}

// Matches reports whether the entry has all that is asked: values by name, which viewers write as JSON strings. An id may
// have an owner before it.
func (e Entry) Matches(given map[string]string) bool {
	has := map[string]string{
		"id": e.ID, "package.name": e.Package.Name, "package.title": e.Package.Title,
		"package.owner": e.Package.Owner, "package.author": e.Package.Author,
	}
	for name, value := range has {
		wanted, ok := given[name]
		wanted = Unquoted(wanted)
		if _, unowned, owned := strings.Cut(wanted, ":"); name == "id" && owned && unowned == value {
			continue
		}
		if ok && wanted != value {
			return false
		}
	}
	return true
}

// Unquoted reads what a viewer writes as a JSON string, or as it is.
func Unquoted(value string) string {
	var s string
	if !strings.HasPrefix(value, `"`) || json.Unmarshal([]byte(value), &s) != nil {
		return value
	}
	return s
}

// UserScript says to a viewer that no user is signed in. Without it a viewer does not start.
//
//go:embed user.js
var UserScript []byte

// User says who looks at a viewer.
type User struct {
	Authenticated bool                `json:"authenticated"`
	Providers     map[string]Provider `json:"providers"`
}

// Provider is a place to sign in. There is none.
type Provider struct {
	URL *string `json:"url"`
}

// Nobody is who looks at a viewer of fiscube. A viewer reads the address of the one provider it knows.
func Nobody() User { return User{Providers: map[string]Provider{"google": {}}} }
