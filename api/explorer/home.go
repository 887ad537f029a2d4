package explorer

import "fiscube/cube"

// homePage is the start page.
type homePage struct {
	reader
	Cards []card
}

// card is a cube on the start page.
type card struct {
	Title, Link               string
	Country, Publisher, Years string
	Rows, Loaded              string
	MadeUp                    bool
	Questions                 []choice
}

// homePage shows the cubes that are loaded, each with questions to begin with.
func (v *visit) homePage() (*frame, error) {
	catalog, err := v.limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	main := homePage{reader: v.reader}
	for _, cb := range listed(catalog) {
		main.Cards = append(main.Cards, v.card(cb))
	}
	return v.frame("home", "fiscube", main), nil
}

func (v *visit) card(cb *cube.Cube) card {
	a := v.explore(cb)
	return card{
		Title: v.titleOfCube(cb), Link: a.String(), Country: cb.Country, Publisher: cb.Publisher,
		Years: yearsOf(cb), Rows: v.Whole(cb.Rows), Loaded: dateOf(cb),
		MadeUp: cb.Synthetic, Questions: v.questions(cb, a),
	}
}
