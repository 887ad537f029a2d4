package e2e

import (
	"html"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// Whatever is asked, the rows that are shown and the others add up to the total, to the last digit, and so do the parts of a figure.
// The total is that of the API, and the link of the others leads to what they are.
func TestExplorer_RandomQuestionsAddUp(t *testing.T) {
	server := seeded.onDuckDB(t)
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			t.Parallel()
			server.answersAddUp(t, seed.Name, testrequire.Share(5, 200))
		})
	}
}

// So do those of real packages, which have many more members.
func TestRealData_RandomQuestionsAddUp(t *testing.T) {
	server := realCubes.onDuckDB(t)
	for _, q := range questions {
		t.Run(q.cube, func(t *testing.T) {
			t.Parallel()
			server.answersAddUp(t, q.cube, 20)
		})
	}
}

func (s *service) answersAddUp(t *testing.T, cube string, count int) {
	t.Helper()
	a := &randomQuestions{service: s, cube: cube, random: rand.New(rand.NewPCG(6, uint64(count))), members: map[string][]string{}}
	s.read(t, "/cubes/"+cube+"/model", &a.model)
	for _, level := range a.model.Levels {
		if level.Members > 30 {
			a.long = append(a.long, level.Ref)
		}
	}
	for range count {
		a.ask(t)
	}
	t.Logf("%d columns, %d figures and %d rests of others add up; %d answers are empty", a.columns, a.figures, a.rests, a.empty)
	if a.columns == 0 || len(a.long) > 0 && count > 100 && a.rests == 0 {
		t.Error("these are few")
	}
}

// randomQuestions asks random questions of a cube.
type randomQuestions struct {
	*service
	cube   string
	random *rand.Rand
	model  struct {
		Levels []struct {
			Ref, Dimension, Parent string
			Members                int
		}
		Aggregates []string
		Snapshots  struct{ By string }
	}
	long    []string            // levels with more members than a view lists
	members map[string][]string // some of each level

	columns, figures, rests, empty int // what was seen
}

var (
	exactSum    = regexp.MustCompile(`<span class="exactly">\S+ ([^<·]*?)(?: ·[^<]*)?</span>`)
	nextPage    = regexp.MustCompile(`<li><a href="([^"]*)">(?:Next page|Página siguiente|Sljedeća stranica)</a>`)
	othersRow   = regexp.MustCompile(`(?s)<tr class="others">.*?<a href="([^"]*)".*?</tr>`)
	smallFigure = regexp.MustCompile(`(?s)<div class="small">(.*?)<div class="large">`)
	largeFigure = regexp.MustCompile(`(?s)<div class="large">(.*?)</svg>`)
	markAmount  = regexp.MustCompile(`(?s)<title>[^<]*: (-?[\d.,]+)(?: \([^<]*\))?</title>`)
)

// ask asks for any levels, members, sums and figure, in any order and for any reader.
func (a *randomQuestions) ask(t *testing.T) {
	t.Helper()
	drilled := a.some(t, 3, a.level)
	aggregate := a.aggregate()
	question := url.Values{"aggregates": {aggregate}}
	if len(drilled) > 0 {
		question.Set("drilldown", strings.Join(drilled, "|"))
		if a.random.IntN(4) == 0 {
			question.Set("order", drilled[0]+oneOf(a.random, ":asc", ":desc"))
		}
	}
	if cuts := a.some(t, 3, a.cut); len(cuts) > 0 {
		question.Set("cut", strings.Join(cuts, "|"))
	}
	var data struct {
		Cells   int `json:"total_cell_count"`
		Summary map[string]any
	}
	a.read(t, "/cubes/"+a.cube+"/aggregate?"+question.Encode(), &data)
	if len(drilled) == 2 || a.random.IntN(4) == 0 { // on a few pages
		question.Set("pagesize", strconv.Itoa(1+data.Cells/(1+a.random.IntN(4))))
	}
	view, lang := oneOf(a.random, "table", "bars", "treemap", "line", "change", "sankey"), oneOf(a.random, "en", "es", "hr")
	address := a.url + "/explore/" + a.cube + "?" + question.Encode() + "&lang=" + lang + "&_view=" + view
	page, _ := readPage(t, address)
	total := decimal.NullDecimal{}
	if sum := exactSum.FindStringSubmatch(page); sum != nil {
		total = decimal.NewNullDecimal(amountOn(t, address, page, sum[1]))
	}
	if !equal(data.Summary[aggregate], total) {
		t.Errorf("%s: the page says %s, the API %v", address, show(total), data.Summary[aggregate])
	}
	switch {
	case len(drilled) == 0:
		return
	case slices.Contains(drilled, a.model.Snapshots.By):
		says(t, page, `<ul class="warnings">`) // the total counts the last statement alone
		return
	case !strings.Contains(page, `<table class="cells`):
		a.empty++
		return
	}
	a.addsUp(t, address, page)
	if strings.Contains(page, `class="small"`) && (view == "bars" || view == "treemap") {
		for _, figure := range []*regexp.Regexp{smallFigure, largeFigure} {
			sum := decimal.Zero
			for _, mark := range markAmount.FindAllStringSubmatch(figure.FindString(page), -1) {
				sum = sum.Add(amountOn(t, address, page, mark[1]))
			}
			if !sum.Equal(total.Decimal) {
				t.Errorf("%s: the figure has %s, the total is %s", address, sum, total.Decimal)
			}
		}
		a.figures++
	}
}

// some gives up to so many different things, or none.
func (a *randomQuestions) some(t *testing.T, below int, one func(t *testing.T) string) (list []string) {
	t.Helper()
	for range a.random.IntN(below) {
		if text := one(t); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// level is any level, often one with so many members that a view does not list them all.
func (a *randomQuestions) level(*testing.T) string {
	if len(a.long) > 0 && a.random.IntN(4) == 0 {
		return oneOf(a.random, a.long...)
	}
	return oneOf(a.random, a.model.Levels...).Ref
}

// cut admits one or two members of a level, or all but one.
func (a *randomQuestions) cut(t *testing.T) string {
	t.Helper()
	level := oneOf(a.random, a.model.Levels...)
	if a.members[level.Ref] == nil {
		var answer struct{ Members []struct{ Path string } }
		a.read(t, "/cubes/"+a.cube+"/members/"+url.PathEscape(level.Ref)+"?pagesize=50", &answer)
		for _, member := range answer.Members {
			of := level.Ref
			if strings.Contains(member.Path, "/") {
				of = level.Dimension
			}
			a.members[level.Ref] = append(a.members[level.Ref], of+":"+member.Path)
		}
	}
	one, other := oneOf(a.random, a.members[level.Ref]...), oneOf(a.random, a.members[level.Ref]...)
	_, path, _ := strings.Cut(other, ":")
	return oneOf(a.random, one, one+";"+path, "!"+one)
}

// aggregate is one that adds up.
func (a *randomQuestions) aggregate() string {
	return oneOf(a.random, slices.DeleteFunc(slices.Clone(a.model.Aggregates), func(name string) bool {
		return name != "_count" && !strings.HasSuffix(name, ".sum") && !strings.HasSuffix(name, ".count")
	})...)
}

func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// addsUp adds up the columns of a view over all its pages, and those of the rest that its others lead to.
func (a *randomQuestions) addsUp(t *testing.T, address, page string) {
	t.Helper()
	table, _ := tableOf(page)
	sums := sumsOfPages(t, address, page)
	for i, text := range table.totals {
		if isSum(text) && !sums[i].Equal(amountOn(t, address, page, text)) {
			t.Errorf("%s: the rows of %s add up to %s, the total is %s", address, table.heads[i], sums[i], text)
		}
		a.columns++
	}
	others := othersRow.FindStringSubmatch(page)
	if others == nil {
		return
	}
	rest := sure(sure(url.Parse(address)).Parse(html.UnescapeString(others[1]))).String()
	restPage, _ := readPage(t, rest)
	restSums := sumsOfPages(t, rest, restPage)
	for i, text := range cellsOf(others[0]) {
		if isSum(table.totals[i]) && !restSums[i].Equal(amountOn(t, address, page, text)) {
			t.Errorf("%s: the others have %s of %s, the rest adds up to %s", address, text, table.heads[i], restSums[i])
		}
	}
	a.rests++
}

// sumsOfPages adds up the columns of a view, over the pages from this one on.
func sumsOfPages(t *testing.T, address, page string) (sums []decimal.Decimal) {
	t.Helper()
	for {
		table, ok := tableOf(page)
		if !ok {
			t.Fatalf("%s has no table", address)
		}
		if sums == nil {
			sums = make([]decimal.Decimal, len(table.totals))
		}
		for _, row := range table.rows {
			for i, text := range row {
				if isSum(table.totals[i]) {
					sums[i] = sums[i].Add(amountOn(t, address, page, text))
				}
			}
		}
		next := nextPage.FindStringSubmatch(page)
		if next == nil {
			return sums
		}
		address = sure(sure(url.Parse(address)).Parse(html.UnescapeString(next[1]))).String()
		page, _ = readPage(t, address)
	}
}

// An amount of 21 digits is whole wherever it is shown: on pages of each kind, in figures, files and citations.
func TestExplorer_LongAmounts(t *testing.T) {
	const first, second, both = "123,456,789,012,345,678,901", "987,654,321,098,765,432,109", "1,111,111,110,111,111,111,010"
	plain := func(amount string) string { return strings.ReplaceAll(amount, ",", "") }
	sideBySide(t, func(t *testing.T, db string) {
		folder := handFolder(t)
		write(filepath.Join(folder, "early.csv"), []byte(handHeader+
			"2021,1,Health,01,Hospitals,a,"+plain(first)+",\n2021,2,Roads,01,Bridges,a,"+plain(second)+",\n"))
		write(filepath.Join(folder, "late.csv"), []byte(handHeader+"2022,1,Health,01,Hospitals,a,"+plain(second)+",\n"))
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		s.settles(t)
		for path, amounts := range map[string][]string{
			"/explore/hand?drilldown=area&cut=year:2021":                    {first + "</a>", second + "</a>", both},
			"/explore/hand?drilldown=area&cut=year:2021&_view=bars":         {">" + second + "</text>", ": " + first + " (", both},
			"/explore/hand?drilldown=area&cut=year:2022&_view=change":       {"+864,197,532,086,419,753,208", "-" + second, both},
			"/explore/hand?cut=area:1&_view=line":                           {"2021: " + first, "2022: " + second, both},
			"/explore/hand?drilldown=year|area&_view=sankey":                {"2021: " + both, ": " + first},
			"/explore/hand?drilldown=area&cut=year:2021&_with=year:2022":    {both, first, second},
			"/explore/hand/number?cut=year:2021":                            {first + "</td>", second + "</td>", "exactly " + both, "approved: " + both + " EUR"},
			"/explore/hand/report":                                          {both, second},
			"/explore/hand":                                                 {both, second},
			"/?q=" + plain(first):                                           {first + "</p>"},
			"/?q=roads":                                                     {second},
			"/embed/hand?drilldown=area&cut=year:2021":                      {": " + second},
			"/explore/hand.svg?drilldown=area&cut=year:2021":                {": " + second},
			"/explore/hand/lines/early?line=3":                              {plain(second)},
			"/cubes/hand/aggregate?drilldown=area&cut=year:2021":            {plain(both), plain(first)},
			"/cubes/hand/aggregate?drilldown=area&cut=year:2021&format=csv": {plain(second)},
		} {
			says(t, get(t, s.url+path), amounts...)
		}
	})
}
