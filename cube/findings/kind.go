package findings

// Kind is what a finding means for a reader of the numbers.
type Kind string

// The kinds of findings.
const (
	Repaired   Kind = "repaired"    // the load put something right
	Assumed    Kind = "assumed"     // the load took something for granted that nobody says
	LooksWrong Kind = "looks-wrong" // a person should look at it
)

// kinds has the codes of what was repaired and assumed. All others look wrong.
var kinds = map[string]Kind{
	"blank-rows":       Repaired,
	"code-label-split": Repaired,
	"code-padded":      Repaired,
	"float-noise":      Repaired,
	"not-informed":     Repaired,
	"resource-covers":  Repaired,
	"totals-row":       Repaired,
	"type-widened":     Repaired,
	"unnamed-columns":  Repaired,

	"function-unknown": Assumed,
	"label-changed":    Assumed,
	"label-paired":     Assumed,
	"measure-inferred": Assumed,
	"model-guessed":    Assumed,
	"qualified":        Assumed,
	"read-compressed":  Assumed,
	"schema-union":     Assumed,
}

// Kind is that of the code.
func (f Finding) Kind() Kind {
	if kind, ok := kinds[f.Code]; ok {
		return kind
	}
	return LooksWrong
}
