package explorer

import (
	"embed"
	"html/template"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
)

// visit is a request for one of the pages of this package.
type visit struct{ *asks.Visit }

//go:embed pages/*.html
var sources embed.FS

var templates = parsed("overview", "view", "compare", "number", "numberlines")

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
