package cube

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fiscube/internal/each"
)

// Catalog lists every version of every package in a store. It never changes.
type Catalog struct {
	cubes    []*Cube // by name, then version
	isPublic bool    // it lists no cubes that are unlisted
}

// NewCatalog makes a catalogue of versions.
func NewCatalog(cubes []*Cube) *Catalog {
	sorted := slices.SortedFunc(slices.Values(cubes), func(a, b *Cube) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	c := &Catalog{cubes: sorted}
	c.markExcerpts()
	return c
}

// markExcerpts notes of each cube the served one of another name that has its title and more than ten times as many rows a year. What is
// made up is what it is.
func (c *Catalog) markExcerpts() {
	type kind struct {
		title     string
		synthetic bool
	}
	kindOf := func(c *Cube) kind { return kind{c.TitleIn(English), c.Synthetic} }
	served := map[kind][]*Cube{}
	for _, v := range c.Served() {
		if !v.Synthetic && v.TitleIn(English) != "" {
			served[kindOf(v)] = append(served[kindOf(v)], v)
		}
	}
	for i, v := range c.cubes {
		var larger *Larger
		rows, _ := v.RowsOfYear()
		for _, other := range served[kindOf(v)] {
			if of, _ := other.RowsOfYear(); larger == nil && other.Name != v.Name && of > 10*rows {
				larger = &Larger{other.Name, of}
			}
		}
		if larger != nil || v.Larger != nil {
			marked := *v // others may have it
			marked.Larger = larger
			c.cubes[i] = &marked
		}
	}
}

// All lists the versions, by name and number.
func (c *Catalog) All() []*Cube { return slices.Clone(c.cubes) }

// Served lists the served version of each package that is to be listed, by name.
func (c *Catalog) Served() []*Cube {
	return each.Where(c.cubes, func(version *Cube) bool { return version.Served && (!c.isPublic || version.isListed()) })
}

// Cube gives the served version of the named package, or unknown-cube with the nearest name or, where none is near, with those that there are.
func (c *Catalog) Cube(name string) (*Cube, error) {
	i := slices.IndexFunc(c.cubes, func(v *Cube) bool { return v.Served && v.Name == name })
	if i >= 0 {
		return c.cubes[i], nil
	}
	names := each.Text(c.Served(), func(v *Cube) string { return v.Name })
	return nil, Errorf(CodeUnknownCube, "no cube %q", name).Listing("cubes", names).Meaning(name, names)
}

// VersionNumber reads the number of a version, or gives bad-value.
func VersionNumber(text string) (int, *Error) {
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, Errorf(CodeBadValue, "version is %q", text).WithHint("versions are numbered 1, 2, 3 …")
	}
	return number, nil
}

// Version gives a version of the named package by its number. The error is unknown-version for a number that
// was never used, and gone for a version that was removed.
func (c *Catalog) Version(name string, number int) (*Cube, error) {
	served, err := c.Cube(name)
	if err != nil {
		return nil, err
	}
	versions := c.Versions(name)
	i := slices.IndexFunc(versions, func(v *Cube) bool { return v.Version == number })
	last := max(served.Last, versions[len(versions)-1].Version)
	switch {
	case i >= 0:
		return versions[i], nil
	case number < 1 || number > last:
		return nil, withVersions(Errorf(CodeUnknownVersion, "%s has no version %d", name, number), served, versions)
	}
	return nil, withVersions(Errorf(CodeGone, "version %d of %s is kept no more", number, name), served, versions)
}

// mostListed is how many versions a hint lists. Of more it lists the latest.
const mostListed = 10

// withVersions sets the hint which version is served, and which versions there are.
func withVersions(err *Error, served *Cube, versions []*Cube) *Error {
	format := "version %d is served; kept are %s"
	if len(versions) == 1 {
		return err.WithHintf("version %d is served", served.Version)
	}
	if len(versions) > mostListed {
		format = "version %d is served; the latest kept are %s"
		versions = versions[len(versions)-mostListed:]
	}
	return err.WithHintf(format, served.Version, strings.Join(each.Text(versions, func(v *Cube) string { return strconv.Itoa(v.Version) }), ", "))
}

// Versions lists the versions of the named package, oldest first. It is empty if no package of that name is loaded.
func (c *Catalog) Versions(name string) []*Cube {
	return each.Where(c.cubes, func(version *Cube) bool { return version.Name == name })
}
