package publish

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"fiscube/api/explorer/site"
	"fiscube/api/jobs"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// draftPage is the page of a draft.
type draftPage struct {
	around
	Title       string
	Files       []string
	Load        *shownLoad
	Problems    []shownProblem
	Notes       []string // what is doubtful, or looks wrong
	About, How  []input
	Columns     []shownColumn
	Levels      []*shownLevel
	Questions   []input
	Amounts     []*shownAmount // where there are several
	Totals      []shownTotal
	NextVersion string
	HasPackage  bool
	Here        string // the address of the draft, without a language
}

// shownProblem is a sentence with the field that mends what it says.
type shownProblem struct{ Sentence, Text, Field string }

// input is a field of a form: of text or, with choices, one of these.
type input struct {
	ID, Name, Label, Hint, Value string
	Type                         string // of its text
	Was, WasName                 string // what counts without an answer
	List                         []string
	Choices                      []site.Choice
	IsBad                        bool
}

type shownColumn struct {
	Name, Of, Cells, Why string
	Reading              input
}

type shownLevel struct {
	Name, Label, Why, Change string
	Inputs                   []input // none where nobody can choose its place
	IsOpen                   bool
	Below                    []*shownLevel
}

// shownAmount is an amount with what may be said of it alone.
type shownAmount struct {
	Name   string
	Inputs []input
}

// shownTotal is a total with the field of the printed one, and what comes of both.
type shownTotal struct {
	Year, Measure, Sum    string
	Printed               input
	Agrees, Differs, None string
}

// shownLoad is how the load of a draft goes, or went.
type shownLoad struct {
	Going, Waits, Done, Refused string
	Link, Message               string
	Problems                    []string
}

// The licences that are suggested.
var licences = []string{"CC-BY-4.0", "CC0-1.0", "CC-BY-SA-4.0", "ODC-BY-1.0", "ODbL-1.0", "PDDL-1.0"}

// askAgainAfter is after how many seconds a browser asks again how a load goes.
const askAgainAfter = "2"

func (p *Pages) draftPage(v *site.Visit) (*site.Frame, error) {
	d, read, err := p.draftOf(v.Context)
	if err != nil {
		return nil, err
	}
	page := &draftPage{around: newAround(v), Files: d.Files, HasPackage: read.Descriptor != nil}
	page.Here = page.Address + "/" + d.ID
	page.Title = cmp.Or(d.Said.Answers["title"], defaultOf(read, "title"), d.Said.Name, firstOf(d.Files))
	page.Load = p.load(v, page, d)
	if page.Load != nil && page.Load.Going != "" {
		v.Response().Header().Set("Refresh", askAgainAfter+"; url="+page.Here+page.Query) // without a place in the page, which would be all that changes
	}
	page.Problems = problemsOf(page, read)
	page.Notes = notesOf(page, read)
	page.describe(d, read)
	for _, c := range read.Columns {
		page.Columns = append(page.Columns, page.column(d, read, c))
	}
	page.Levels = page.treeOf(d, read)
	page.ask(d, read)
	page.Totals = append(page.Totals, each.Of(read.Totals, func(t Total) shownTotal { return page.total(d, t) })...)
	if catalog, err := v.Limiter.Catalog(v.Request().Context()); err == nil && len(catalog.Versions(read.Name)) > 0 { // else it cannot be published either
		page.NextVersion = v.Say("publish.next-version", "Name", v.Quote(read.Name))
	}
	return v.Frame(draftTemplate, page.Title, page), nil
}

func defaultOf(read *Read, key string) string {
	i := slices.IndexFunc(read.Questions, func(q findings.Question) bool { return q.Key == key })
	if i < 0 {
		return ""
	}
	return read.Questions[i].Default
}

// load says how the last load of a draft goes, or went; nil where the server knows of none.
func (p *Pages) load(v *site.Visit, page *draftPage, d *draft) *shownLoad {
	status, known := p.loads.Status(d.Job)
	if !known {
		return nil
	}
	made := &shownLoad{Message: status.Message, Problems: status.Problems}
	switch {
	case !status.Ended:
		made.Going, made.Waits = v.Say("publish.loading", "Name", stageOf(v, status)), map[bool]string{true: v.Say("publish.waiting")}[status.Stage == ""]
	case status.Cube == "":
		made.Refused = v.Say("publish.refused")
	default:
		made.Done, made.Link = v.Say("publish.done", "Name", v.Quote(status.Cube)), site.Address{Root: v.Root, Path: "explore/" + pathOf(status.Cube), Lang: v.Given["lang"]}.String()
		if status.Outcome == findings.OutcomeUnchanged {
			made.Done = v.Say("publish.unchanged", "Name", v.Quote(status.Cube))
		}
	}
	return made
}

func stageOf(v *site.Visit, s jobs.Status) string {
	parts := []string{v.Say("view.cells", "Count", s.Rows)}
	if s.Percent > 0 {
		parts = append(parts, v.Whole(s.Percent)+" %")
	}
	return strings.Join(parts, ", ")
}

// fieldsOf are the fields that mend problems of a kind.
var fieldsOf = map[Kind]string{NoYear: "year", NoHeader: "header", NoSheet: "sheet", BadFiles: "files", NoAmounts: "header", OtherKinds: "files"}

// sentenceOf are the messages that say what mends problems of a kind.
var sentenceOf = map[Kind]string{NoYear: "publish.problem-year", NoHeader: "publish.problem-header", NoSheet: "publish.problem-sheet", NoAmounts: "publish.problem-amounts",
	BadColumn: "publish.problem-column", BadLevel: "publish.problem-level", BadAnswer: "publish.problem-answer", BadAbout: "publish.problem-about", BadFiles: "publish.problem-files", OtherKinds: "publish.problem-unknown"}

func problemsOf(page *draftPage, read *Read) (list []shownProblem) {
	for _, problem := range read.Problems {
		made := shownProblem{Text: problem.Text, Field: fieldsOf[problem.Kind], Sentence: page.Say(cmp.Or(sentenceOf[problem.Kind], sentenceOf[OtherKinds]))}
		switch problem.Kind {
		case BadColumn:
			made.Field = fieldOf(readingField, problem.About)
		case BadLevel:
			made.Field = fieldOf(parentField, problem.About)
		case BadAnswer:
			made.Field = fieldOf(answerField, problem.About)
		case BadAbout:
			made.Field = problem.About
		}
		list = append(list, made)
	}
	return list
}

// notesOf tells what can be read in two ways, and what looks wrong in the rows.
func notesOf(page *draftPage, read *Read) (notes []string) {
	for _, doubt := range read.Doubts {
		notes = append(notes, doubt.In(page.Language))
	}
	for _, f := range read.Findings {
		if f.Severity == findings.SeverityWarning {
			notes = append(notes, prose.TellFinding(page.Locale, f, func(field string) string { return field }))
		}
	}
	return notes
}

// describe makes the fields of what the budget is, and of how its files are read.
func (page *draftPage) describe(d *draft, read *Read) {
	t, said := page.Say, d.Said
	title := page.question(d, read, findings.Question{Key: "title", Default: defaultOf(read, "title")})
	title.Label = t("publish.budget-title")
	page.About = []input{
		title,
		{Name: "name", Label: t("publish.name"), Hint: t("publish.name-hint"), Value: cmp.Or(said.Name, read.Name), Was: read.Name, WasName: wasField + "name"},
		{Name: "licence", Label: t("publish.licence"), Hint: t("publish.licence-hint"), Value: said.Licence, List: licences},
		{Name: "country", Label: t("publish.country"), Hint: t("publish.country-hint"), Value: said.Country},
		{Name: "start", Label: t("publish.start"), Value: said.Start, Type: "date"}, {Name: "end", Label: t("publish.end"), Value: said.End, Type: "date"},
	}
	page.How = []input{
		{Name: "year", Label: t("publish.year"), Hint: t("publish.year-hint"), Value: said.Year}, {Name: "header", Label: t("publish.header"), Hint: t("publish.header-hint"), Value: said.Header},
		{Name: "sheet", Label: t("publish.sheet"), Hint: t("publish.sheet-hint"), Value: said.Sheet},
	}
	for _, list := range [][]input{page.About, page.How} {
		for i := range list {
			list[i].ID, list[i].Type = cmp.Or(list[i].ID, list[i].Name), cmp.Or(list[i].Type, "text")
			list[i].IsBad = page.isBad(list[i].ID)
		}
	}
}

// isBad tells whether a problem leads to a field.
func (page *draftPage) isBad(id string) bool {
	return slices.ContainsFunc(page.Problems, func(p shownProblem) bool { return p.Field == id })
}

// column makes the card of a column. A reading that was not chosen is found anew with each change.
func (page *draftPage) column(d *draft, read *Read, c Column) shownColumn {
	chosen := d.Said.Readings[c.Name]
	name := fieldOf(readingField, c.Name)
	made := shownColumn{Name: c.Name, Cells: strings.Join(c.Cells, " · "), Why: c.Why.In(page.Language)}
	if c.Of != "" {
		made.Of = page.Say("publish.of", "Column", page.Quote(c.Of))
	}
	found := page.Say("publish.by-cells", "Reading", page.word("publish.reading-", c.Reading))
	if chosen != "" {
		found = "–"
	}
	made.Reading = input{ID: name, Name: name, Label: page.Say("publish.read-as", "Column", page.Quote(c.Name)), IsBad: page.isBad(name), Choices: []site.Choice{{Text: found, Taken: chosen == ""}}}
	for _, reading := range read.Readings {
		made.Reading.Choices = append(made.Reading.Choices, site.Choice{Text: page.word("publish.reading-", reading), Value: reading, Taken: reading == chosen})
	}
	return made
}

// treeOf puts levels below those that they lie in.
func (page *draftPage) treeOf(d *draft, read *Read) (roots []*shownLevel) {
	made := map[string]*shownLevel{}
	for _, l := range read.Levels {
		made[l.Field] = page.level(d, read, l)
	}
	for _, l := range read.Levels {
		if above := made[l.Parent]; above != nil && l.Parent != l.Field {
			above.Below = append(above.Below, made[l.Field])
		} else {
			roots = append(roots, made[l.Field])
		}
	}
	return roots
}

// level makes the fields of the place of a level and of its names.
func (page *draftPage) level(d *draft, read *Read, l Level) *shownLevel {
	made := &shownLevel{Name: l.Field, Why: l.Why.In(page.Language), Change: page.Say("publish.change-level", "Level", page.Quote(l.Field))}
	if l.Label != "" {
		made.Label = page.Say("publish.labelled-by", "Column", page.Quote(l.Label))
	}
	if l.IsFixed {
		return made
	}
	var above, names []string
	for _, other := range read.Levels {
		if other.Field != l.Field && !other.IsFixed {
			above = append(above, other.Field)
		}
	}
	for _, c := range read.Columns {
		if c.Name != l.Field && (c.Reading == "level" || c.Reading == "label") {
			names = append(names, c.Name)
		}
	}
	made.Inputs = []input{
		page.choose(fieldOf(parentField, l.Field), page.Say("publish.below"), l.Parent, d.Said.Parents[l.Field], page.Say("publish.no-level"), above),
		page.choose(fieldOf(labelField, l.Field), page.Say("publish.names-in"), l.Label, d.Said.Labels[l.Field], page.Say("publish.no-names"), names),
	}
	made.IsOpen = made.Inputs[0].IsBad
	return made
}

// choose makes the field of one of several names, or none. What was found counts where nothing is chosen.
func (page *draftPage) choose(name, label, found, chosen, none string, names []string) input {
	found = page.Say("publish.by-cells", "Reading", cmp.Or(found, none))
	if chosen != "" {
		found = "–"
	}
	made := input{ID: name, Name: name, Label: label, IsBad: page.isBad(name), Choices: []site.Choice{
		{Text: found, Taken: chosen == ""}, {Text: none, Value: nowhere, Taken: chosen == nowhere}}}
	for _, other := range names {
		made.Choices = append(made.Choices, site.Choice{Text: other, Value: other, Taken: other == chosen})
	}
	return made
}

// ask makes the fields of the questions, those about one of several amounts below it.
func (page *draftPage) ask(d *draft, read *Read) {
	amounts := map[string]*shownAmount{}
	for _, q := range read.Questions {
		if amounts[q.Amount] == nil && q.Amount != "" {
			amounts[q.Amount] = &shownAmount{Name: q.Amount}
			page.Amounts = append(page.Amounts, amounts[q.Amount])
		}
	}
	for _, q := range read.Questions {
		switch {
		case q.Key == "title":
		case q.Amount != "" && len(amounts) > 1:
			amounts[q.Amount].Inputs = append(amounts[q.Amount].Inputs, page.question(d, read, q))
		default:
			page.Questions = append(page.Questions, page.question(d, read, q))
		}
	}
	if len(amounts) < 2 {
		page.Amounts = nil
	}
}

// question makes the field of a question. That of one amount is empty where what is said of all counts.
func (page *draftPage) question(d *draft, read *Read, q findings.Question) input {
	name, open := fieldOf(answerField, q.Key), page.Say("publish.unanswered")
	made := input{ID: name, Name: name, Type: "text", Label: q.Text.In(page.Language), Value: cmp.Or(d.Said.Answers[q.Key], q.Default),
		Was: q.Default, WasName: fieldOf(wasField, q.Key), IsBad: page.isBad(name)}
	if i := slices.IndexFunc(read.Questions, func(general findings.Question) bool { return general.Key == q.General }); i >= 0 {
		general := read.Questions[i]
		made.Label, open = general.Text.In(page.Language), page.Say("publish.as-for-all")
		if d.Said.Answers[general.Key] != "" || general.Default == q.Default {
			made.Value, made.Was = d.Said.Answers[q.Key], ""
		}
	}
	if q.Choices == nil {
		return made
	}
	if made.Was == "" {
		made.Choices = []site.Choice{{Text: open, Taken: made.Value == ""}}
	}
	for _, choice := range q.Choices {
		made.Choices = append(made.Choices, site.Choice{Text: page.word("publish.choice-", choice), Value: choice, Taken: choice == made.Value})
	}
	return made
}

// word gives the word for a code, or the code where there is none.
func (page *draftPage) word(messages, code string) string {
	if !words.Has(messages + code) {
		return code
	}
	return page.Say(messages + code)
}

// total holds a total against the printed one, to the last decimal.
func (page *draftPage) total(d *draft, t Total) shownTotal {
	name, typed, compared := fieldOf(printedField, t.key()), d.Printed[t.key()], d.compare(t)
	made := shownTotal{Year: t.Year, Measure: t.Measure, Sum: page.Decimal(compared.sum, 0),
		Printed: input{ID: name, Name: name, Label: page.Say("publish.printed", "Year", t.Year, "Measure", page.Quote(t.Measure)), Value: typed.Text}}
	switch {
	case compared.known && compared.difference.IsZero():
		made.Agrees = page.Say("publish.agrees")
	case compared.known:
		made.Differs = page.Say("publish.differs", "Amount", page.Decimal(compared.difference, 0))
	case typed.Text != "":
		made.None, made.Printed.IsBad = page.Say("publish.no-number", "Text", page.Quote(typed.Text)), true
	}
	if compared.known {
		made.Printed.Value = page.Decimal(compared.printed, 0)
	}
	return made
}

// pathOf writes a name as a piece of a path.
func pathOf(name string) string { return url.PathEscape(name) }
