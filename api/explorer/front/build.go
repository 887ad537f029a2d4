package front

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/functions"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/series"
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
	Change, Way           string // since the year before, and the class of its colour
	Told                  string // how the amount is divided, in words
	Parts                 []Part // the same as a strip
	Questions             []site.Choice
	Publisher, Years      string
}

// Part is a part of a strip, at a place and of a width in percent.
type Part struct {
	Name, Share, X, Width, Class, Opacity string
	Named                                 bool // below the strip
}

// The bounds of a card, and of the page.
const (
	mostParts     = 10 // of members that have no colour of their own
	mostNamed     = 3
	mostQuestions = 3
)

// Build makes the page of what was asked.
func Build(g *site.Guest, budgets []*Budget) *Home {
	groups := []Group{{Title: g.Say("home.loaded")}, {Title: g.Say("home.excerpts")}, {Title: g.Say("home.made-up-budgets"), MadeUp: true}}
	whole, withFunctions := make([][]*Budget, len(groups)), 0
	for _, b := range budgets {
		at := 0
		switch {
		case b.Synthetic:
			at = 2
		case b.isExcerpt():
			at = 1
		}
		groups[at].Cards, whole[at] = append(groups[at].Cards, b.card(g)), append(whole[at], b)
		if b.Functions != nil {
			withFunctions++
		}
	}
	page := &Home{Reader: g.Reader, Examples: examples(g, whole[0])}
	if len(page.Examples) == 0 {
		page.Examples = examples(g, whole[2])
	}
	if withFunctions > 1 {
		page.SideBySide = site.Address{Root: g.Root, Path: "functions", Lang: g.Given["lang"]}.String()
	}
	page.Groups = slices.DeleteFunc(groups, func(g Group) bool { return len(g.Cards) == 0 })
	return page
}

func (b *Budget) card(g *site.Guest) Card {
	title := g.TitleOfCube(b.Cube)
	c := Card{Title: title, Link: g.Explore(b.Cube).String(), Before: title, Questions: b.questions(g), Publisher: b.Publisher, Years: site.YearsOf(b.Cube)}
	if b.Answer == nil || !b.total().IsPositive() {
		return c
	}
	c.Before, c.Amount, c.After = b.sentence(g)
	c.Marks = g.PartMarks(b.Cube, []int64{b.Year})
	c.Doubtful = b.isStopped() || b.isExcerpt() || len(c.Marks) > 0
	c.Change, c.Way = b.change(g)
	if b.divides() {
		c.Parts = b.strip(g)
		c.Told = prose.Begin(g.ByLevel(b.Level)) + ": " + strings.Join(each.Text(c.Parts, func(p Part) string { return p.Name + " " + p.Share }), "; ")
	}
	return c
}

// isStopped tells whether the amount cannot be trusted.
func (b *Budget) isStopped() bool { return caveat.Heaviest(b.Answer.Caveats) == cube.Stop }

// mark stands for the amount in a sentence. No message has it.
const mark = "\x00"

// sentence says whose budget it is, and how much that is for each person where the inhabitants are known.
func (b *Budget) sentence(g *site.Guest) (before, amount, after string) {
	said := mark
	if b.Answer.Plan.Aggregates()[b.shown()].ByYear != nil {
		said = g.Say("said.per-person", "Amount", mark)
	}
	verb, years := prose.Verb(b.Measure), g.Years([]int64{b.Year})
	excerpt := g.Say("said.excerpt", "Title", g.TitleOfCube(b.Cube))
	switch {
	case verb == "" && b.isExcerpt():
		said = g.Say("home.said-amount", "Who", prose.Begin(excerpt), "Amount", said, "Years", years)
	case verb == "":
		said = g.Say("home.said-amount", "Who", b.whose(g), "Amount", said, "Years", years)
	case b.isExcerpt():
		said += " " + g.Say("said."+verb+"-of", "What", excerpt, "Years", years)
	default:
		said = g.Say("home.said-"+verb, "Who", b.whose(g), "Amount", said, "Years", years)
	}
	before, after, _ = strings.Cut(said, mark)
	value := b.Answer.Summary.Values[b.shown()].Decimal
	return before, g.Brief(value.Mul(decimal.NewFromInt(max(b.Measure.Unit, 1))), b.Measure.Currency), after
}

// shown is the index of the amount that a card shows: that of each person, unless it is next to nothing.
func (b *Budget) shown() int {
	if value := b.Answer.Summary.Values[0]; value.Valid && value.Decimal.GreaterThanOrEqual(decimal.NewFromInt(1)) {
		return 0
	}
	return b.sum()
}

// whose names whose budget it is: what the title has before a colon or, of a whole country, its name, or else the title.
func (b *Budget) whose(g *site.Guest) string {
	who, _, ok := strings.Cut(g.TitleOfCube(b.Cube), ":")
	if country := b.CountryIn(g.Language); !ok && len(country) > len("HRV") && series.IsNational(b.Package) {
		return country
	}
	return who
}

// change is that of the amount in the sentence since the year before; "" where one of the two cannot be trusted.
func (b *Budget) change(g *site.Guest) (text, way string) {
	aggregates := b.Answer.Plan.Aggregates()
	isPerPerson := aggregates[b.shown()].ByYear != nil
	at := slices.IndexFunc(aggregates, func(a plan.Aggregate) bool {
		return a.Role == query.RolePercentage && (a.ByYear != nil) == isPerPerson
	})
	if _, jumps := caveat.Find(b.Answer.Caveats, cube.WarnJump); at < 0 || jumps || b.isStopped() || !b.Answer.Summary.Values[at].Valid {
		return "", ""
	}
	percent := b.Answer.Summary.Values[at]
	way = []string{"down", "", "up"}[percent.Decimal.Round(1).Sign()+1]
	if text = g.Change(percent); isPerPerson {
		text = g.Say("said.per-person", "Amount", text)
	}
	return g.Say("said.change", "Change", text, "Year", strconv.FormatInt(b.Before, 10)), way
}

// strip lays the parts side by side. Functions have their colours, members are shades of one, and what is left is grey.
func (b *Budget) strip(g *site.Guest) (list []Part) {
	parts, whole, x := b.parts(), decimal.Zero, decimal.Zero
	if count := len(parts) - mostParts; parts[0].division == "" && parts[0].label != "" && count > 1 {
		rest := amountPart{label: g.Say("view.others", "Count", count)}
		for _, p := range parts[mostParts:] {
			rest.amount = rest.amount.Add(p.amount)
		}
		parts = append(parts[:mostParts:mostParts], rest)
	}
	for _, p := range parts {
		whole = whole.Add(p.amount)
	}
	for i, p := range parts {
		share := p.amount.DivRound(whole, 6)
		made := Part{Name: p.label, Share: g.Share(share), X: x.String(), Width: share.Shift(2).String(), Class: "fill-member", Named: i < mostNamed}
		switch {
		case p.division != "":
			made.Name, made.Class = g.Say("functions.division-"+p.division), "fill-division-"+p.division
		case p.label == "" && b.isByFunction():
			made.Name, made.Class = g.Say("functions.not-assigned"), "fill-others"
		case p.members == nil:
			made.Class = "fill-others"
		case p.label == "":
			made.Name = g.Say("view.missing")
			fallthrough
		default:
			made.Opacity = decimal.New(max(30, 100-13*int64(i)), -2).String()
		}
		x = x.Add(share.Shift(2))
		list = append(list, made)
	}
	return list
}

// questions ask how the amount is divided, what grew most, and how it changed over the years.
func (b *Budget) questions(g *site.Guest) (list []site.Choice) {
	year, ok := b.Model.YearLevel()
	levels := b.levels()
	depth := func(l cube.Level) int {
		if l.Ref == b.Level.Ref {
			return 0
		}
		return len(l.Path)
	}
	slices.SortStableFunc(levels, func(x, y cube.Level) int { return cmp.Compare(depth(x), depth(y)) })
	for i, level := range levels {
		if !ok || b.Year == 0 {
			list = append(list, site.Choice{Text: prose.Begin(g.ByLevel(level)), Link: g.Explore(b.Cube).Drilling(level.Ref).String()})
			continue
		}
		a := b.asking(g.Explore(b.Cube).Drilling(level.Ref).With(query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10))))
		last := g.Years([]int64{b.Year})
		list = append(list, site.Choice{Text: g.Say("ask.parts", "Year", last, "By", g.ByLevel(level)), Link: a.String()})
		if a.View = selection.AsChange; i == 0 && b.Before != 0 {
			list = append(list, site.Choice{Text: g.Say("ask.growth", "By", g.ByLevel(level), "First", g.Years([]int64{b.Before}), "Last", last), Link: a.String()})
		}
		if i == 0 && selection.HasSeveralYears(b.Cube) && !b.isExcerpt() {
			list = append(list, site.Choice{Text: g.Say("ask.sum"), Link: b.asking(g.Explore(b.Cube).Drilling(year.Ref)).String()})
		}
	}
	return list[:min(len(list), mostQuestions)]
}

// asking names the measure of the card where it is not that of every view.
func (b *Budget) asking(a site.Address) site.Address {
	if leading, _ := b.Model.Leading(); b.Measure.Ref == leading.Ref {
		return a
	}
	return a.Asking(func(q *query.Query) { q.Aggregates = []query.AggregateRef{selection.SumOf(b.Measure)} })
}

// sought are divisions that readers look for.
var sought = []string{"07", "09", "10"}

// examples ask how much some budgets have for what many look for or, where nobody says what that is, for their largest members.
func examples(g *site.Guest, budgets []*Budget) (list []site.Choice) {
	budgets = slices.DeleteFunc(slices.Clone(budgets), func(b *Budget) bool {
		return b.Answer == nil || b.isStopped() || prose.Verb(b.Measure) == "" || !b.divides()
	})
	for round := range sought {
		for i, b := range budgets {
			parts, at := b.parts(), round
			if b.isByFunction() {
				at = slices.IndexFunc(parts, func(p amountPart) bool { return p.division == sought[(round+i)%len(sought)] })
			}
			if at < 0 || at >= len(parts) || len(list) == mostQuestions {
				continue
			}
			what := g.Quote(parts[at].label)
			if division := parts[at].division; division != "" {
				what = g.Say("functions.on-" + division)
			}
			cuts, ok := functions.Budget{Cube: b.Cube, Level: b.Level, Measure: b.Measure, Year: b.Year}.Cuts(parts[at].members)
			if ok && parts[at].label+parts[at].division != "" {
				text := g.Say("home.ask-"+prose.Verb(b.Measure), "Who", b.whose(g), "What", what, "Years", g.Years([]int64{b.Year}))
				list = append(list, site.Choice{Text: text, Link: b.asking(g.Explore(b.Cube).Cutting(cuts)).String()})
			}
		}
	}
	return list
}
