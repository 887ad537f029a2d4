// Package repair repairs what published packages declare wrongly about themselves. Each irregularity has one small
// pass: it looks at the evidence that a survey gathered, changes the draft of the model, and reports what it did.
// What an overlay settled is left alone, and an overlay can switch each pass off, for a field or altogether.
package repair

import (
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
)

// The codes of the passes, which are also those of their findings.
const (
	TypeWidened     = "type-widened"
	LabelPaired     = "label-paired"
	CodeLabelSplit  = "code-label-split"
	CodePadded      = "code-padded"
	MeasureInferred = "measure-inferred"
	NotInformed     = "not-informed"
	SchemaUnion     = "schema-union"
	ResourceCovers  = "resource-covers"
	TotalsRow       = "totals-row"
	LooksLikeTotal  = "looks-like-total"
	YearsOverlap    = "years-overlap"
	ChainInverted   = "chain-inverted"
	Qualified       = "qualified"
)

// Evidence is what a survey knows of the cells of a package.
type Evidence struct {
	Fields    map[string]*Field
	Resources []Resource // one for each of Package.Resources

	Qualifiers   []Qualifier   // the fields that hold qualifiers of amounts
	Combinations []Combination // of their cells, in a fixed order
}

// Field is what the cells of a published field are like, over all resources.
type Field struct {
	Cells        int64 // that are not missing
	NotIntegers  int64
	LeadingZeros int64 // whole numbers written with a needless zero in front, as codes are
	NotNumbers   int64
	Joined       int64    // cells that join code and label
	NotJoined    int64    // cells that do not, markers for not informed apart
	Conflicts    []string // codes that have two labels under one parent
	SameCode     []string // levels whose key is this field's code in every row
	Spellings    []string // of a marker for not informed
	Untidy       int64    // keys with outer spaces, no-break spaces or separate accents
	UntidyFirst  string   // the first of these
	Few          []string // the different cells of a text that has few; nil for others
}

// Resource is what the rows of a resource are like.
type Resource struct {
	Years  map[string]Digest // by fiscal year, "" where missing
	Rows   map[string]*RowSample
	Totals []int64           // lines of rows that hold the totals of the others
	Out    []cube.NamedTotal // of Totals, those that have keys, and the first of Siblings
	Named  []cube.NamedTotal // rows that are called totals, and that are loaded
	Others []int64           // lines of rows that have no keys either, and hold no totals
	Absent []string          // columns of the model that the file does not have

	Siblings []Sibling // members that are the sums of their siblings

	Subtotals    []Subtotal // the first rows that are the sums of others, and that are loaded
	SubtotalRows int        // how many there are
}

// Sibling is a member of a level that is the sum of the others, or several that are sums of those whose codes begin with theirs. Their rows are
// among the totals of the resource.
type Sibling struct {
	Field, Member string
	Members       int      // 0 for one that is the sum of the others
	Others        []string // the codes of those that others begin with, and that are no sums of them
	Lines         []int64
}

// Subtotal is a row whose amounts are the sums of other rows.
type Subtotal struct {
	cube.NamedTotal
	Measure, Amount string  // the first amount that is not 0
	Of              string  // the resource of the others; "" if it is that of the row, or if they are of several
	Below           []int64 // the first lines of the others, if they are of one resource
	Rows            int     // how many others there are
	IsDifference    bool    // of two others
}

// Digest identifies rows in any order.
type Digest struct {
	Rows int64
	Sum  [2]uint64 // of the hashes of the rows
}

// Repair is a package under repair.
type Repair struct {
	Package  *cube.Package // Resources may be marked as left out; the model is in Draft
	Draft    *cube.Draft
	Evidence *Evidence
	Off      func(code, field string) bool // what the overlay switched off
	Findings []findings.Finding
}

// passes in the order they run: types before names, names before splits, splits before amounts, since a half
// of a code-label pair is no amount.
var passes = []struct {
	code string
	run  func(*Repair)
}{
	{TypeWidened, typeWidened},
	{LabelPaired, labelPaired},
	{CodeLabelSplit, codeLabelSplit},
	{CodePadded, codePadded},
	{MeasureInferred, measureInferred},
	{Qualified, qualified},
	{NotInformed, notInformed},
	{SchemaUnion, schemaUnion},
	{ResourceCovers, resourceCovers},
	{TotalsRow, totalsRow},
}

// Run runs every pass that is not switched off altogether.
func Run(r *Repair) {
	for _, p := range passes {
		switch {
		case !r.Off(p.code, ""):
			p.run(r)
		case p.code == SchemaUnion:
			schemasMustAgree(r)
		}
	}
}

// info notes what a pass did, in a sentence of the code.
func (r *Repair) info(code, resource, field, sentence string, params findings.Params) {
	r.note(findings.Finding{Code: code, Severity: findings.SeverityInfo, Resource: resource, Field: field}, sentence, params)
}

// warn notes what looks wrong.
func (r *Repair) warn(code, resource, field, sentence string, params findings.Params) {
	r.note(findings.Finding{Code: code, Severity: findings.SeverityWarning, Resource: resource, Field: field}, sentence, params)
}

func (r *Repair) note(f findings.Finding, sentence string, params findings.Params) {
	f.Count = 1
	r.Findings = append(r.Findings, prose.Describe(f, sentence, params))
}

// field gives the evidence of a field; of one that no file has, it is empty.
func (r *Repair) field(name string) *Field {
	if f, ok := r.Evidence.Fields[name]; ok {
		return f
	}
	return &Field{}
}
