package cube

import "slices"

// Visibility says who sees a cube.
type Visibility string

// The visibilities.
const (
	Listed    Visibility = "listed"   // everybody; so is a cube of which nothing else is said
	Unlisted  Visibility = "unlisted" // who knows its name: no list and no search has it
	WithToken Visibility = "token"    // who shows a token: to others it is not there
)

// Visibilities are all of them.
var Visibilities = []Visibility{Listed, Unlisted, WithToken}

// ParseVisibility reads one; "" says nothing.
func ParseVisibility(text string) (Visibility, error) {
	if v := Visibility(text); v == "" || slices.Contains(Visibilities, v) {
		return v, nil
	}
	return "", Errorf(CodeBadValue, "no visibility %q", text).WithHint("a cube is listed, unlisted or for those who show a token: listed, unlisted, token")
}

// isListed tells whether everybody sees a cube.
func (c *Cube) isListed() bool { return c.Visibility == "" || c.Visibility == Listed }

// Public is the catalogue as it is to those who show no token: cubes for which they would need one are not there, and unlisted ones
// are found by their names alone.
func (c *Catalog) Public() *Catalog {
	if !slices.ContainsFunc(c.cubes, func(v *Cube) bool { return !v.isListed() }) {
		return c
	}
	public := &Catalog{isPublic: true, cubes: slices.DeleteFunc(slices.Clone(c.cubes), func(v *Cube) bool { return v.Visibility == WithToken })}
	public.markExcerpts()
	return public
}
