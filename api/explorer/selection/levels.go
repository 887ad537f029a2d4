package selection

import (
	"cmp"
	"slices"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/internal/each"
)

// DrilledAlone names the level by which it is broken down, if it is one.
func (s *Selection) DrilledAlone() string {
	if drilled := s.Drilled(); len(drilled) == 1 {
		return drilled[0].Ref
	}
	return ""
}

// Open lists the levels that it can be broken down by at once: of each chain the first.
func (s *Selection) Open() []cube.Level {
	return each.Of(s.OpenBelow(), func(chain []cube.Level) cube.Level { return chain[0] })
}

// OpenBelow lists of each chain the levels that it can be broken down by: those below what the cuts fix.
func (s *Selection) OpenBelow() [][]cube.Level {
	var list [][]cube.Level
	for _, d := range s.Cube.Model.Dimensions() {
		for _, chain := range d.Chains() {
			next := 0
			for i, level := range chain {
				if s.IsFixed(level.Ref) {
					next = i + 1
				}
			}
			if next < len(chain) && chain[next].Listed && !s.IsApart(chain[next].Ref) && !s.Cube.Model.IsEdition(chain[next].Ref) {
				list = append(list, chain[next:])
			}
		}
	}
	return list
}

// OpenBeside is the first open level that is of no time and for which fits is true; ok tells whether there is one.
func (s *Selection) OpenBeside(fits func(cube.Level) bool) (level cube.Level, ok bool) {
	for _, level := range s.Open() {
		if !IsOfTime(s.Cube.Model, level) && fits(level) {
			return level, true
		}
	}
	return cube.Level{}, false
}

// WithSecond breaks down by a level of another dimension too what is broken down by one level.
func WithSecond(s *Selection, a site.Address) site.Address {
	if len(a.Query.Drilldown) != 1 {
		return a
	}
	first, ok := s.Cube.Model.Level(a.Query.Drilldown[0].Name)
	second, found := s.OpenBeside(func(l cube.Level) bool { return l.Dimension != first.Dimension && !s.HasNone(l.Ref) })
	if !ok || !found {
		return a
	}
	return a.Drilling(first.Ref, second.Ref)
}

// InOrder puts what money is for before who has it, that before how it is spent, and other levels last.
func InOrder(m *cube.Model, levels []cube.Level) []cube.Level {
	place := func(l cube.Level) int {
		d, _ := m.Dimension(l.Dimension)
		if at := slices.Index([]string{"functional", "administrative", "economic"}, d.Classification); at >= 0 {
			return at
		}
		return len(levels)
	}
	return slices.SortedStableFunc(slices.Values(levels), func(a, b cube.Level) int { return cmp.Compare(place(a), place(b)) })
}
