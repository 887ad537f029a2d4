package explorer

import (
	"embed"
	"html/template"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/search"
)

// visit is a request for one of the pages of this package.
type visit struct {
	*site.Visit
	search *search.Index // nil where nothing is searched
}

//go:embed pages/*.html
var sources embed.FS

var templates = parsed("home", "overview", "view", "compare", "number", "numberlines", "lines")

// reportOf leads to how the data of a cube was loaded.
func (v *visit) reportOf(cb *cube.Cube) string {
	a := v.Explore(cb)
	return a.At(a.Path + "/report").String()
}

// embedTemplate is that of a figure in other pages.
var embedTemplate = site.Embedded(sources, "pages/embed.html")

// parsed gives the template of each page, with the parts that several of them have.
func parsed(names ...string) map[string]*template.Template {
	pages := map[string]*template.Template{}
	for _, name := range names {
		pages[name] = layers.Template(sources, "pages/parts.html", "pages/"+name+".html")
	}
	return pages
}
