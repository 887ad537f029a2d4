package describe

// Level is a level of the model with its place below another.
type Level struct {
	Field     string // of its codes
	Label     string // the field of its labels; "" for none
	Parent    string // the field of the level above; "" for the first of a dimension
	Dimension string
	Why       string // the evidence of its place, in English
}

// Levels lists the levels of the model in the order of their columns.
func (d *Description) Levels() []Level {
	list := make([]Level, 0, len(d.levels))
	for _, l := range d.levels {
		made := Level{Field: l.column.name, Dimension: l.dimension, Why: l.parentWhy}
		if l.label != nil {
			made.Label = l.label.name
		}
		if l.parent != nil {
			made.Parent = l.parent.column.name
		}
		list = append(list, made)
	}
	return list
}
