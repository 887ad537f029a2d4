package cube

import (
	"fmt"
	"slices"
)

func (m *Model) resolvePaths() error {
	for i := range m.levels {
		if err := m.resolvePath(i, 0); err != nil {
			return err
		}
	}
	for _, d := range m.dimensions {
		for i := range d.Levels {
			d.Levels[i] = m.levels[d.Levels[i].Index]
		}
	}
	return nil
}

// resolvePath lists the fields that identify a member of the i-th level: its parent's path, the fields it is
// within, its own.
func (m *Model) resolvePath(i, depth int) error {
	l := &m.levels[i]
	switch {
	case l.Path != nil:
		return nil
	case depth > len(m.levels):
		return fmt.Errorf("dimension %q: the parents of %q form a ring", l.Dimension, l.Ref)
	}
	var path []string
	if l.Parent != "" {
		above := m.levelByKey[l.Parent]
		if err := m.resolvePath(above, depth+1); err != nil {
			return err
		}
		path = slices.Clone(m.levels[above].Path)
	}
	for _, field := range append(slices.Clone(l.Within), l.Ref) {
		if !slices.Contains(path, field) {
			path = append(path, field)
		}
	}
	l.Path = path
	return nil
}

// Chains lists the chains of d, each with its levels from top to bottom. A level with several children is in a chain for
// each, so every chain is one way down.
func (d Dimension) Chains() [][]Level {
	var chains [][]Level
	for _, l := range d.Levels {
		if !slices.ContainsFunc(d.Levels, func(child Level) bool { return child.Parent == l.Ref }) {
			chains = append(chains, d.chainTo(l))
		}
	}
	return chains
}

func (d Dimension) chainTo(leaf Level) []Level {
	chain := []Level{leaf}
	for l := leaf; l.Parent != ""; {
		i := slices.IndexFunc(d.Levels, func(p Level) bool { return p.Ref == l.Parent })
		l = d.Levels[i]
		chain = append(chain, l)
	}
	slices.Reverse(chain)
	return chain
}
