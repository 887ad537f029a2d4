package explorer

import (
	"fiscube/api/explorer/site"
	"fiscube/cube"
)

// homePage is the start page.
type homePage struct {
	site.Reader
	Cards []card
}

// card is a cube on the start page.
type card struct {
	Title, Link               string
	Country, Publisher, Years string
	Rows, Loaded              string
	MadeUp                    bool
	Questions                 []site.Choice
}

// showHome shows the cubes that are loaded, each with questions to begin with.
func showHome(v *visit) (*site.Frame, error) {
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	main := homePage{Reader: v.Reader}
	for _, cb := range site.Listed(catalog) {
		main.Cards = append(main.Cards, v.card(cb))
	}
	return v.Frame(templates["home"], "fiscube", main), nil
}

func (v *visit) card(cb *cube.Cube) card {
	a := v.Explore(cb)
	return card{
		Title: v.TitleOfCube(cb), Link: a.String(), Country: cb.Country, Publisher: cb.Publisher,
		Years: site.YearsOf(cb), Rows: v.Whole(cb.Rows), Loaded: site.DateOf(cb),
		MadeUp: cb.Synthetic, Questions: v.questions(cb, a),
	}
}
