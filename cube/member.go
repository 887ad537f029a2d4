package cube

// Member is one value of a level, as a store keeps it.
type Member struct {
	Path   []Value // one for each of Level.Path
	Number int32   // its index in the order of Model.ComparePaths, by which cuboids know it
	Label  string  // tidied for display; "" where the level has no label field or the member no label
	Fold   string  // the key and every label, tidied and without case and accents, each on a line of its own
	Rank   int64   // of Label, or of the key where there is none
	Rows   int64
	Labels []Label // the latest year first, within a year the Shown one first; a missing year comes last
}

// Label is what rows of one fiscal year call a member.
type Label struct {
	Year  Value  // a whole number; Missing where the rows have none
	Text  string // tidied; "" where the rows have none
	Cell  string // as published: that of all rows of the member and year if LabelHistory.IsYearly
	Rank  int64  // of Text, or of the key, in the alphabetical order of the level; equal texts have equal ranks
	Rows  int64
	Shown bool   // it is the label to show for its year
	Fold  string // the key of the member and Text, tidied and without case and accents, each on a line of its own

	// Meaning numbers the things that the code has meant: 0 in the earliest years, one more from each LabelBreak on whose
	// Reused is set. If the year is missing, nobody knows what a code of several meanings means: -1.
	Meaning int64
}

// Years gives the first and the last fiscal year of a member; both are Missing where its rows have none.
func (m Member) Years() (first, last Value) {
	for _, l := range m.Labels {
		if l.Year.IsMissing() {
			continue
		}
		if first = l.Year; last.IsMissing() {
			last = l.Year
		}
	}
	return first, last
}
