package seeds

import (
	"embed"
	"fmt"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

//go:embed overlays/*.yaml
var overlays embed.FS

// NamedOverlay is an overlay that ships with fiscube, under the name of its file.
type NamedOverlay struct {
	Name string
	Text []byte
}

// Overlays returns the overlays that ship with fiscube, sorted by name: D1 to D8.
func Overlays() []NamedOverlay {
	entries, err := overlays.ReadDir("overlays")
	if err != nil {
		panic(err) // the folder is embedded
	}
	var all []NamedOverlay
	for _, entry := range entries {
		text, err := overlays.ReadFile("overlays/" + entry.Name())
		if err != nil {
			panic(err)
		}
		all = append(all, NamedOverlay{entry.Name(), text})
	}
	return all
}

// OverlayFor returns the overlay that ships for a package, and whether there is one. An id decides. A name
// alone does only if the overlay fits, for there may be another package called mexico.
func OverlayFor(p *cube.Package) ([]byte, bool) {
	var byName []byte
	for _, named := range Overlays() {
		o, err := fdp.ReadOverlay(named.Text)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", named.Name, err)) // the tests read every one
		}
		if o.AppliesByID(p) {
			return named.Text, true
		}
		if _, err := o.Apply(p); err == nil && byName == nil && o.Applies(p) {
			byName = named.Text
		}
	}
	return byName, byName != nil
}
