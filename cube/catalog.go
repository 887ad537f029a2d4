package cube

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
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

// Version gives a version of the named package by its number. The error is unknown-version for a number that
// was never used, and gone for one that is kept no more.
func (c *Catalog) Version(name string, number int) (*Cube, error) {
	served, err := c.Cube(name)
	if err != nil {
		return nil, err
	}
	versions := c.Versions(name)
	i := slices.IndexFunc(versions, func(one *Cube) bool { return one.Version == number })
	last := max(served.Last, versions[len(versions)-1].Version)
	switch {
	case i >= 0:
		return versions[i], nil
	case number < 1 || number > last:
		return nil, Errorf(CodeUnknownVersion, "%s has no version %d", name, number).or(kept(served, versions))
	}
	return nil, Errorf(CodeGone, "version %d of %s is kept no more", number, name).or(kept(served, versions))
}

// mostListed bounds how many versions a hint names: the latest.
const mostListed = 10

// kept says which version is served, and which can be asked beside it.
func kept(served *Cube, versions []*Cube) string {
	hint := "version " + strconv.Itoa(served.Version) + " is served"
	if len(versions) == 1 {
		return hint
	}
	which := "; kept are "
	if len(versions) > mostListed {
		which = "; the latest kept are "
		versions = versions[len(versions)-mostListed:]
	}
	return hint + which + strings.Join(texts(versions, func(one *Cube) string { return strconv.Itoa(one.Version) }), ", ")
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
