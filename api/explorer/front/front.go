// Package front has the start page: a card for each budget, with what was spent for each person, on what, and questions to begin with.
//
//	ask.go     what the page needs of the store, asked for all budgets at once
//	build.go   a page of plain values, made of the answers
package front

import (
	"embed"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
)

//go:embed home.html
var sources embed.FS

var template = layers.Template(sources, "home.html")

// Page shows the budgets that are loaded.
func Page(v *site.Visit) (*site.Frame, error) {
	budgets, err := Ask(v)
	if err != nil {
		return nil, err
	}
	return v.Frame(template, "fiscube", Build(v.Guest, budgets)), nil
}
