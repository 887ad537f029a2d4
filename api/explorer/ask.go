package explorer

import (
	"fiscube/api/explorer/site"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
)

// questionParameters are those of …/aggregate that say what is asked, and which version.
var questionParameters = append(request.Clauses(),
	request.Parameter{Name: "page", Twice: cube.CodeBadPage}, request.Parameter{Name: "pagesize", Twice: cube.CodeBadPage}, request.Pin)

// asked is the address of the page that the request asks for.
func (v *visit) asked(cb *cube.Cube) (site.Address, error) {
	a := v.Explore(cb)
	var err error
	a.Query, err = query.Parse(v.Given)
	a.View, a.Financing = v.PageParameter("_view"), v.PageParameter("_financing")
	return a, err
}
