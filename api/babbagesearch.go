package api

import (
	"strconv"
	"strings"

	"fiscube/api/babbage"
	"fiscube/internal/fold"
)

// babbageSearchParameters are what a viewer looks for packages by. The rest of what it sends is about users, whom there
// are none of.
var babbageSearchParameters = []parameter{
	{name: "id"}, {name: "package.name"}, {name: "package.title"}, {name: "package.owner"}, {name: "package.author"},
	{name: "q"}, {name: "size"}, {name: "jwt"},
}

// babbageSearch lists the packages that have all of the values, and say all of the words of q; the first of them where
// a size is given.
func (a *api) babbageSearch(c asking) ([]byte, error) {
	catalog, err := a.engine.Catalog(c.Request().Context())
	if err != nil {
		return nil, err
	}
	hits := []babbage.Entry{}
	for _, one := range catalog.Served() {
		entry := babbage.NewEntry(one, a.origin(c, one))
		if entry.Matches(c.given) && mentions(entry.Package, babbage.Unquoted(c.given["q"])) {
			hits = append(hits, entry)
		}
	}
	if size, err := strconv.Atoi(babbage.Unquoted(c.given["size"])); err == nil {
		hits = hits[:min(max(size, 0), len(hits))]
	}
	return marshal(hits), nil
}

// mentions tells whether a package says all words of a text, in any order, without regard to case and accents.
func mentions(p babbage.EntryPackage, text string) bool {
	said := fold.Text(strings.Join([]string{p.Name, p.Title, p.Description, p.Owner, p.Author}, " "))
	for word := range strings.FieldsSeq(fold.Text(text)) {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}
