package cube

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// License names the licences of a package as its descriptor has them: by title, name or address. It is "" where the
// descriptor names none.
func (p *Package) License() string {
	var list []json.RawMessage
	if json.Unmarshal(p.Extra["licenses"], &list) != nil {
		list = nil
	}
	var names []string
	for _, published := range append(list, p.Extra["license"]) {
		if name := licenseName(published); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// licenseName reads a licence, which is a text or an object.
func licenseName(published json.RawMessage) string {
	var name string
	if json.Unmarshal(published, &name) == nil {
		return strings.TrimSpace(name)
	}
	var object struct{ Title, Name, Path, URL any } // descriptors put anything there
	if json.Unmarshal(published, &object) != nil {
		return ""
	}
	var texts []string
	for _, value := range []any{object.Title, object.Name, object.Path, object.URL} {
		text, _ := value.(string)
		texts = append(texts, strings.TrimSpace(text))
	}
	return cmp.Or(texts...)
}
