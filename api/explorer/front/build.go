package front

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/functions"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Home is the start page.
type Home struct {
	site.Reader
	Examples   []site.Choice // questions below the search
	Groups     []Group
	SideBySide string
}

// Group is the budgets that are whole, those that may be excerpts, or those that are made up.
type Group struct {
	Title  string
	MadeUp bool
	Cards  []Card
}

// Card is a budget: a sentence, which leads to its page, and what is below it.
type Card struct {
	Title, Link           string
	Before, Amount, After string // the sentence; without an amount Before is the title
	Doubtful              bool   // the amount cannot be trusted: it is not bold
	Marks                 []string
	Change, Way           string        // since the year before, and the class of its colour
	Strip                 *layers.Strip // how the amount is divided
	Questions             []site.Choice
	Publisher, Years      string
}

// The bounds of a card, and of the page.
const (
	mostParts     = 10 // of members, which have no colour of their own
	mostNamed     = 3
	mostQuestions = 3
)

// Build makes the page of what was asked.
func Build(g *site.Guest, budgets []*Budget) *Home {
	page := &Home{Reader: g.Reader, Groups: []Group{{Title: g.Say("home.loaded")}, {Title: g.Say("home.excerpts")}, {Title: g.Say("home.made-up-budgets"), MadeUp: true}}}
	var of [3][]*Budget
	withFunctions := 0
	for _, b := range budgets {
		at := 0
		switch {
		case b.Synthetic:
			at = 2
		case b.IsPart():
			at = 1
		}
		page.Groups[at].Cards, of[at] = append(page.Groups[at].Cards, b.card(g)), append(of[at], b)
		if b.Functions != nil {
			withFunctions++
		}
	}
	if page.Examples = examples(g, of[0]); page.Examples == nil {
		page.Examples = examples(g, of[2])
	}
	if withFunctions > 1 {
		page.SideBySide = site.Address{Root: g.Root, Path: "functions", Lang: g.Given["lang"]}.String()
	}
	page.Groups = slices.DeleteFunc(page.Groups, func(group Group) bool { return group.Cards == nil })
	return page
}

func (b *Budget) card(g *site.Guest) Card {
	title := g.TitleOfCube(b.Cube)
	c := Card{Title: title, Link: g.Explore(b.Cube).String(), Before: title, Questions: b.questions(g), Publisher: b.Publisher, Years: site.YearsOf(b.Cube)}
	if b.Answer == nil || !b.Answer.Summary.Values[0].Decimal.IsPositive() {
		return c
	}
	c.Before, c.Amount, c.After = b.sentence(g, title)
	if part := selection.PartOf(g, b.Answer.Plan); part != "" {
		c.Marks = []string{part}
	}
	c.Doubtful = b.isStopped() || b.IsPart() || c.Marks != nil
	c.Change, c.Way = b.change(g)
	if parts := b.strip(g); parts != nil {
		told := strings.Join(each.Text(parts, func(p layers.Part) string { return p.Name + " " + p.Share }), "; ")
		c.Strip = &layers.Strip{Told: prose.Begin(g.ByLevel(b.Level)) + ": " + told, Parts: parts}
	}
	return c
}

// isStopped tells whether the amount cannot be trusted.
func (b *Budget) isStopped() bool { return caveat.Heaviest(b.Answer.Caveats) == cube.Stop }

// mark stands for the amount in a sentence. No message has it.
const mark = "\x00"

// sentence says whose budget it is, and how much that is for each person where the inhabitants are known.
func (b *Budget) sentence(g *site.Guest, title string) (before, amount, after string) {
	at, said := b.shown(), mark
	if at > 0 {
		said = g.Say("said.per-person", "Amount", mark)
	}
	verb, years := prose.Verb(b.Measure), g.Years([]int64{b.Year})
	if b.IsPart() && verb != "" {
		said += " " + g.Say("said."+verb+"-of", "What", g.Say("said.excerpt", "Title", title), "Years", years)
	} else {
		said = g.Say("home.said-"+cmp.Or(verb, "amount"), "Who", b.whose(g), "Amount", said, "Years", years)
	}
	before, after, _ = strings.Cut(said, mark)
	return before, g.Brief(b.Answer.Summary.Values[at].Decimal.Mul(decimal.NewFromInt(max(b.Measure.Unit, 1))), b.Measure.Currency), after
}

// shown is the index of the amount that a card shows: that for each person, unless it is next to nothing, or else the sum.
func (b *Budget) shown() int {
	at := slices.IndexFunc(b.Answer.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.ByYear != nil && a.Role == "" })
	if at < 0 || b.Answer.Summary.Values[at].Decimal.LessThan(decimal.NewFromInt(1)) {
		return 0
	}
	return at
}

// whose names whose budget it is: what the title has before a colon.
func (b *Budget) whose(g *site.Guest) string {
	who, _, _ := strings.Cut(g.TitleOfCube(b.Cube), ":")
	return who
}

// change is that of the amount in the sentence since the year before; "" where one of the two cannot be trusted.
func (b *Budget) change(g *site.Guest) (text, way string) {
	isPerPerson := b.shown() > 0
	at := slices.IndexFunc(b.Answer.Plan.Aggregates(), func(a plan.Aggregate) bool {
		return a.Role == query.RolePercentage && (a.ByYear != nil) == isPerPerson
	})
	if _, jumps := caveat.Find(b.Answer.Caveats, cube.WarnJump); at < 0 || jumps || b.isStopped() || !b.Answer.Summary.Values[at].Valid {
		return "", ""
	}
	percent := b.Answer.Summary.Values[at]
	if text = g.Change(percent); isPerPerson {
		text = g.Say("said.per-person", "Amount", text)
	}
	way = []string{"down", "", "up"}[percent.Decimal.Round(1).Sign()+1]
	return g.Say("said.change", "Change", text, "Year", strconv.FormatInt(b.Before, 10)), way
}

// strip lays the parts side by side. Functions have their colours, members are shades of one, and what is left is grey.
func (b *Budget) strip(g *site.Guest) (list []layers.Part) {
	parts, whole, x := b.parts, decimal.Zero, decimal.Zero
	for _, p := range parts {
		whole = whole.Add(p.amount)
	}
	byFunction := isByFunction(b.Cube, b.Level)
	if count := len(parts) - mostParts; !byFunction && count > 1 {
		rest := amountPart{label: g.Say("view.others", "Count", count), amount: whole}
		for _, p := range parts[:mostParts] {
			rest.amount = rest.amount.Sub(p.amount)
		}
		parts = append(parts[:mostParts:mostParts], rest)
	}
	for i, p := range parts {
		share := p.amount.DivRound(whole, 6)
		made := layers.Part{Name: p.label, Share: g.Share(share), X: x.String(), Width: share.Shift(2).String(), Class: "fill-others", Named: i < mostNamed}
		switch {
		case p.division != "":
			made.Name, made.Class = g.Say("functions.division-"+p.division), "fill-division-"+p.division
		case byFunction:
			made.Name = g.Say("functions.not-assigned")
		case p.members != nil:
			made.Name, made.Class = cmp.Or(p.label, g.Say("view.missing")), "fill-member"
			made.Opacity = decimal.New(max(30, 100-13*int64(i)), -2).String()
		}
		list, x = append(list, made), x.Add(share.Shift(2))
	}
	return list
}

// questions ask how the amount is divided, what grew most, and how it changed over the years.
func (b *Budget) questions(g *site.Guest) (list []site.Choice) {
	year, _ := b.Model.YearLevel()
	depth := func(l cube.Level) int {
		if l.Ref == b.Level.Ref {
			return 0
		}
		return len(l.Path)
	}
	levels := slices.SortedStableFunc(slices.Values(b.levels()), func(x, y cube.Level) int { return cmp.Compare(depth(x), depth(y)) })
	for i, level := range levels {
		a := g.Explore(b.Cube).Drilling(level.Ref)
		if b.Year == 0 {
			list = append(list, site.Choice{Text: prose.Begin(g.ByLevel(level)), Link: a.String()})
			continue
		}
		a, last := a.With(query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10))), g.Years([]int64{b.Year})
		list = append(list, site.Choice{Text: g.Say("ask.parts", "Year", last, "By", g.ByLevel(level)), Link: a.String()})
		if a.View = selection.AsChange; i == 0 && b.Before != 0 {
			list = append(list, site.Choice{Text: g.Say("ask.growth", "By", g.ByLevel(level), "First", g.Years([]int64{b.Before}), "Last", last), Link: a.String()})
		}
		if i == 0 && selection.HasSeveralYears(b.Cube) && !b.IsPart() {
			line := g.Explore(b.Cube).With(query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10)))
			line.View = selection.AsLine
			list = append(list, site.Choice{Text: g.Say("ask.sum"), Link: line.String()})
		}
	}
	return list[:min(len(list), mostQuestions)]
}

// sought are divisions that readers look for.
var sought = []string{"07", "09", "10"}

// examples ask how much some budgets have for what many look for or, where nobody says what that is, for their largest members.
func examples(g *site.Guest, budgets []*Budget) (list []site.Choice) {
	for round := range sought {
		for i, b := range budgets {
			verb, at := prose.Verb(b.Measure), round
			if isByFunction(b.Cube, b.Level) {
				at = slices.IndexFunc(b.parts, func(p amountPart) bool { return p.division == sought[(round+i)%len(sought)] })
			}
			if at < 0 || at >= len(b.parts) || len(list) == mostQuestions || verb == "" || b.isStopped() {
				continue
			}
			p := b.parts[at]
			cuts, ok := functions.Budget{Cube: b.Cube, Level: b.Level, Year: b.Year}.Cuts(p.members)
			if !ok || p.label+p.division == "" {
				continue
			}
			what := g.Quote(p.label)
			if p.division != "" {
				what = g.Say("functions.on-" + p.division)
			}
			text := g.Say("home.ask-"+verb, "Who", b.whose(g), "What", what, "Years", g.Years([]int64{b.Year}))
			list = append(list, site.Choice{Text: text, Link: g.Explore(b.Cube).Cutting(cuts).String()})
		}
	}
	return list
}
