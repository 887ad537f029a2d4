package fdp

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
)

// applying is an overlay on its way into a package.
type applying struct {
	*report
	overlay    *Overlay
	pkg        *cube.Package // the copy
	draft      *cube.Draft
	dimensions []cube.Dimension // what is known of each, without levels: the package's, then the overlay's
	labels     map[string]ref   // fields that the overlay makes labels, and of which level
}

// steps of applying, in order. Columns are made before they are named, and fields leave the levels before
// others are placed and linked.
var steps = []func(*applying){
	(*applying).makeColumns,
	(*applying).makeSnapshotLevel,
	(*applying).changeMeasures,
	(*applying).makeMeasures,
	(*applying).takeLabels,
	(*applying).placeLevels,
	(*applying).linkLevels,
	(*applying).checkRings,
	(*applying).describeDimensions,
	(*applying).markNotInformed,
	(*applying).declareSnapshots,
	(*applying).checkExceptions,
}

// Apply gives a copy of p with what the overlay says, and its bytes as Package.Overlay; p stays as it is. Names
// that p lacks come back as Problems, all at once. Whether the overlay is for p is the caller's business.
func (o *Overlay) Apply(p *cube.Package) (*cube.Package, error) {
	applied := *p
	applied.Resources = slices.Clone(p.Resources)
	a := &applying{
		report: &report{}, overlay: o, pkg: &applied, draft: p.Model.Draft(), labels: map[string]ref{},
	}
	a.knowDimensions()
	for _, step := range steps {
		step(a)
	}
	if problems := a.problems(); problems != nil {
		return nil, problems
	}
	model, err := a.model()
	if err != nil {
		return nil, err
	}
	applied.Model = model
	applied.Overlay = bytes.Clone(o.text)
	applied.Notes = append(slices.Clone(p.Notes), o.notes...)
	if o.title != nil {
		applied.Titles, applied.Title = maps.Clone(o.title), o.title.In(cube.English)
	}
	return &applied, nil
}

// unknown reports a name that means nothing, and the nearest that does.
func (a *applying) unknown(r ref, what string, known []string) {
	hint := ""
	if name := a.near(r.name, known); name != "" {
		hint = "; did you mean " + name + "?"
	}
	a.add(r.place, "%s is no %s%s", quote(r.name), what, hint)
}

// column gives the column that is named, or nil where the package has none, which is reported. It is valid
// until a column is added.
func (a *applying) column(r ref) *cube.Column {
	if c := a.draft.Column(r.name); c != nil {
		return c
	}
	var names []string
	for _, c := range a.draft.Columns {
		names = append(names, c.Name)
	}
	a.unknown(r, "field of the package", names)
	return nil
}

// level gives the level that is named, or nil where there is none, which is reported.
func (a *applying) level(r ref) *cube.Level {
	if l := a.draft.Level(r.name); l != nil {
		return l
	}
	var names []string
	for _, d := range a.draft.Dimensions {
		for _, l := range d.Levels {
			names = append(names, l.Ref)
		}
	}
	a.unknown(r, "level", names)
	return nil
}

// isAmount tells whether the field is a measure, or a number that could be one.
func (a *applying) isAmount(field string) bool {
	c := a.draft.Column(field)
	return a.draft.Measure(field) != nil || c != nil && c.Type == cube.TypeDecimal
}

// addColumn adds a column whose cells are made, unless it cannot have its name.
func (a *applying) addColumn(place string, c cube.Column) bool {
	clash := slices.IndexFunc(a.draft.Columns, func(other cube.Column) bool { return strings.EqualFold(other.Name, c.Name) })
	switch {
	case cube.IsOwnName(c.Name):
		a.add(place, "%s begins with _: such names are fiscube's own", quote(c.Name))
	case clash >= 0 && a.draft.Columns[clash].Name == c.Name:
		a.add(place, "there is a field %s already", quote(c.Name))
	case clash >= 0:
		a.add(place, "fields %s and %s have one name, ignoring case", quote(a.draft.Columns[clash].Name), quote(c.Name))
	case len(a.draft.Columns) >= mostColumns:
		a.add(place, "no room for %s: at most %d fields are supported", quote(c.Name), mostColumns)
	default:
		a.draft.Columns = append(a.draft.Columns, c)
		return true
	}
	return false
}

// leaveLevels takes a field out of the levels and their labels.
func (a *applying) leaveLevels(field string) {
	a.draft.RemoveLevel(field)
	if l := a.draft.LevelOfLabel(field); l != nil {
		l.LabelRef = ""
	}
}
