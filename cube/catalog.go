package cube

import (
	"cmp"
	"slices"
)

// Catalog is the immutable picture of a store: every version of every package.
type Catalog struct {
	cubes []*Cube // by name, then version
}

// NewCatalog makes a picture of the given versions.
func NewCatalog(cubes []*Cube) *Catalog {
	sorted := slices.SortedFunc(slices.Values(cubes), func(a, b *Cube) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return &Catalog{cubes: sorted}
}

// Served lists the served version of each package, by name.
func (c *Catalog) Served() []*Cube {
	var served []*Cube
	for _, one := range c.cubes {
		if one.Served {
			served = append(served, one)
		}
	}
	return served
}

// Cube gives the served version of the named package, or unknown-cube with the nearest name.
func (c *Catalog) Cube(name string) (*Cube, error) {
	i := slices.IndexFunc(c.cubes, func(one *Cube) bool { return one.Served && one.Name == name })
	if i >= 0 {
		return c.cubes[i], nil
	}
	names := texts(c.Served(), func(one *Cube) string { return one.Name })
	return nil, Errorf(CodeUnknownCube, "no cube %q", name).or(didYouMean(name, names))
}

// Versions lists the versions of the named package, oldest first; none when nothing of the name is loaded.
func (c *Catalog) Versions(name string) []*Cube {
	var versions []*Cube
	for _, one := range c.cubes {
		if one.Name == name {
			versions = append(versions, one)
		}
	}
	return versions
}
