package fdp

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// functionsOverlay says which members of a level are of which division of COFOG. Declared and without a level it means that no level
// is, whatever column types say; without divisions, that the codes of the level are those of COFOG.
type functionsOverlay struct {
	declared  bool
	level     ref
	divisions []divisionOverlay
}

type divisionOverlay struct {
	ref
	members []memberOverlay
}

// memberOverlay is the path of a member; keys is nil if it cannot be read.
type memberOverlay struct {
	ref
	keys []query.Key
}

func readFunctionsOverlay(n node) functionsOverlay {
	f := functionsOverlay{declared: !n.absent()}
	if n.kind() != isObject {
		n.choice("none")
		return f
	}
	n.readKeys(func(o *object) {
		f.level = o.take("level").ref()
		o.need("functions need a %s", "level")
		divisions := o.take("divisions")
		f.divisions = readEach(divisions, readDivisionOverlay)
		if !divisions.absent() && len(f.divisions) == 0 {
			divisions.problem("must not be empty: leave it out if the codes are those of COFOG")
		}
	})
	return f
}

func readDivisionOverlay(v member) divisionOverlay {
	d := divisionOverlay{ref: v.key()}
	if !slices.Contains(cube.Divisions, v.name) {
		v.problem("is no division of COFOG: these are %s", strings.Join(cube.Divisions, ", "))
	}
	for _, n := range v.strictList() {
		m := memberOverlay{ref: n.ref()}
		if m.name != "" {
			m.keys = n.readPath(m.name)
		}
		d.members = append(d.members, m)
	}
	return d
}

// functionsOfTypes are those of the first level whose codes are of COFOG by the column type of its field; nil where none is.
func functionsOfTypes(p *cube.Package) *cube.Functions {
	if p.Model == nil {
		return nil
	}
	for _, level := range p.Model.Levels() {
		for _, r := range p.Resources {
			i := slices.IndexFunc(r.Schema.Fields, func(f cube.Field) bool { return f.Name == level.Ref })
			if i >= 0 && strings.HasPrefix(r.Schema.Fields[i].ColumnType, "functional-classification:cofog:") {
				return &cube.Functions{Level: level.Ref}
			}
		}
	}
	return nil
}

// mapFunctions gives the package what is said of its functions. The model has the paths of the level.
func (a *applying) mapFunctions(m *cube.Model) {
	said := a.overlay.functions
	if !said.declared {
		return
	}
	a.pkg.Functions = nil
	if said.level.name == "" || a.level(said.level) == nil {
		return
	}
	level, _ := m.LevelOfKey(said.level.name)
	f := &cube.Functions{Level: level.Ref}
	known := map[string]string{}
	for _, d := range said.divisions {
		division := cube.Division{Code: d.name}
		for _, named := range d.members {
			path, ok := a.member(m.PathOf(level), named.place, named.name, named.keys)
			if !ok {
				continue
			}
			id := strings.Join(path, "\x00")
			if other, twice := known[id]; twice {
				a.add(named.place, "%s is of division %s already: a member is of one division, or of none", quote(named.name), other)
				continue
			}
			known[id] = d.name
			division.Members = append(division.Members, path)
		}
		f.Divisions = append(f.Divisions, division)
	}
	a.pkg.Functions = f
}
