package cube

import (
	"cmp"
	"encoding/json"
	"net/url"
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

// knownLicenses are the addresses of licences that packages call by their identifier.
var knownLicenses = map[string]string{
	"cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/", "cc-by-3.0": "https://creativecommons.org/licenses/by/3.0/",
	"cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/", "cc-by-sa-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
	"odc-by-1.0": "https://opendatacommons.org/licenses/by/1-0/", "odbl-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
	"pddl-1.0": "https://opendatacommons.org/licenses/pddl/1-0/",
}

// LicenseLink gives the address of the licence: the one that the descriptor names, or that of an identifier that is known; "" for neither.
func (p *Package) LicenseLink() string {
	name := p.License()
	address := cmp.Or(knownLicenses[strings.ToLower(name)], name)
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}
