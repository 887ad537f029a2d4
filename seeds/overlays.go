package seeds

import (
	"embed"
	"fmt"
	"sync"

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
	for _, o := range shipped() {
		if o.AppliesByID(p) {
			return o.text, true
		}
		if byName != nil || !o.Applies(p) {
			continue
		}
		if _, err := o.Apply(p); err == nil {
			byName = o.text
		}
	}
	return byName, byName != nil
}

type shippedOverlay struct {
	*fdp.Overlay
	text []byte
}

// shipped reads the overlays, once.
var shipped = sync.OnceValue(func() []shippedOverlay {
	var all []shippedOverlay
	for _, named := range Overlays() {
		o, err := fdp.ReadOverlay(named.Text)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", named.Name, err)) // the tests read every one
		}
		all = append(all, shippedOverlay{o, named.Text})
	}
	return all
})
