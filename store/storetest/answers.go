package storetest

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Half says which of the random questions a store is asked in the ordinary run; in the long run each is asked all of them.
type Half int

// The halves. All questions are asked if one store has the even ones and another the odd ones.
const (
	Even Half = iota
	Odd
)

// has tells whether the question with a number is among them. Questions that differ in one thing are often beside each other:
// each half has some of both.
func (h Half) has(number int) bool { return LongRun() || (number+number/2)%2 == int(h) }

// Answers loads packages and checks the answers to random questions: against each other, and in the end against the rows
// of the CSV files.
func Answers(t *testing.T, half Half, fresh func(t testing.TB) Place) {
	collectSeldom()
	s := open(t, fresh(t))
	for _, p := range packages() {
		if !LongRun() && (p.questions == 0 || p.by != nil && *p.by != half) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			e := s.in(t).examine(p)
			if err := e.readRows(p.files(t)); err != nil {
				t.Fatal(err)
			}
			if e.half = half; !LongRun() {
				e.Store = remember(e.Store)
			}
			e.t("questions", (*examination).randomQuestions)
			e.t("comparisons from both sides", (*examination).mirrors)
			e.t("flat questions", (*examination).flatQuestions)
			e.t("functions", (*examination).functions)
			e.t("chains", (*examination).chains)
			e.t("facts", (*examination).facts)
			e.t("members", (*examination).randomMembers)
		})
	}
}

// Agree loads the hard packages into stores, in a long run all packages, and asks them the same random questions.
func Agree(t *testing.T, stores ...Store) {
	for _, p := range packages() {
		if !p.hard && !LongRun() {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			all := each.Of(stores, func(store Store) *examination { return (&subject{T: t, Store: store}).examine(p) })
			if err := all[0].readRows(p.files(t)); err != nil {
				t.Fatal(err)
			}
			for i := range all[0].howMany() {
				question, err := newQuestioner(all[0].version, all[0].adder, 1_000_000+i).question()
				for _, other := range all[1:] {
					if err == nil {
						err = all[0].agrees(other, question)
					}
				}
				if err != nil {
					t.Errorf("%s: %v", question, err)
				}
			}
		})
	}
}

// agrees checks that another examination has the same answer to a question, or refuses it for the same reason.
func (e *examination) agrees(other *examination, question string) error {
	one, err := e.run(e.context(), e.plan(e.version, question))
	again, errAgain := other.run(other.context(), other.plan(other.version, question))
	switch code := cube.CodeOf(err); {
	case code != cube.CodeOf(errAgain) || err != nil && code == "":
		return fmt.Errorf("one answers %w, the other %w", err, errAgain)
	case err != nil:
		return nil
	}
	return sameAnswer(again, one)
}

func sameAnswer(got, want *answer.Answer) error {
	if err := sameSummary(got.Summary, want.Summary); err != nil {
		return fmt.Errorf("the summary: %w", err)
	}
	if len(got.Cells) != len(want.Cells) {
		return fmt.Errorf("%d cells and %d", len(got.Cells), len(want.Cells))
	}
	for i := range got.Cells {
		if err := sameCell(got.Cells[i], want.Cells[i]); err != nil {
			return fmt.Errorf("cell %d: %w", i, err)
		}
	}
	return nil
}

// examine loads a package.
func (s *subject) examine(p examined) *examination {
	s.Helper()
	version, err := withDerived(s.load(p.files(s.T)).Cube)
	if err != nil {
		s.Fatal(err)
	}
	return &examination{subject: s, version: withoutCrossing(version), questions: p.questions, hard: p.hard, alphabet: newAlphabet(), answers: map[string]*answer.Answer{}}
}

// withoutCrossing gives the version with breaks in the names of members that no years are on both sides of.
func withoutCrossing(version *cube.Cube) *cube.Cube {
	return changed(version, func(p *cube.Package) {
		p.LabelHistory = &cube.LabelHistory{Breaks: slices.Clone(p.LabelHistory.Breaks), Yearly: p.LabelHistory.Yearly}
		for i := range p.LabelHistory.Breaks {
			p.LabelHistory.Breaks[i].Last = math.MinInt64
		}
	})
}

// readRows reads the rows of the package.
func (e *examination) readRows(files fs.FS) (err error) {
	e.adder, err = newAdder(files, e.version)
	return err
}

// examination is a loaded package beside its rows.
type examination struct {
	*subject
	version   *cube.Cube // whose answers cross no break in the names of members (withoutCrossing)
	adder     *adder
	questions int
	hard      bool
	half      Half
	alphabet  *alphabet
	answers   map[string]*answer.Answer // that the store gave, by the canonical question
	unchecked int                       // comparisons of which only the parts were checked
}

// t runs a part of the examination as a subtest.
func (e *examination) t(name string, part func(*examination)) {
	e.Run(name, func(t *testing.T) {
		inTest := *e
		inTest.subject = e.in(t)
		part(&inTest)
	})
}

// queriesEnv names the variable that says how many random questions are asked of each package.
const queriesEnv = "FISCUBE_TEST_QUERIES"

// LongRun tells whether there is time for more than the ordinary run: make questions.
func LongRun() bool { return os.Getenv(queriesEnv) != "" }

// repeat is how often something is repeated that may go wrong now and then.
func repeat(ordinary, long int) int {
	if LongRun() {
		return long
	}
	return ordinary
}

func (e *examination) howMany() int {
	text := os.Getenv(queriesEnv)
	if text == "" {
		return e.questions
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		e.Fatalf("%s is %q, which is no number", queriesEnv, text)
	}
	if e.version.Rows > manyRows {
		n = max(1, n/20)
	}
	return n
}

// manyRows is from where on a question takes its time: of such a package less is asked.
const manyRows = 100_000

// stride is which part of a list of questions is asked of a package, one in so many: of packages that were made up to be
// hard all of them.
func (e *examination) stride() int {
	if LongRun() && e.version.Rows <= manyRows || e.hard {
		return 1
	}
	return 3
}

// mostDifferences ends a part of an examination that finds nothing but differences.
const mostDifferences = 5

// tally counts what became of random questions.
type tally struct{ asked, failed, cells, empty, refused, finished, compared, ofNumbers int }

// randomQuestions checks the answers to made-up questions. Some ask for what is refused, and are then asked without
// that; if most did, little would be examined.
func (e *examination) randomQuestions() {
	var t tally
	for i := range e.howMany() {
		if !e.half.has(i) {
			continue
		}
		q := newQuestioner(e.version, e.adder, i)
		question, err := q.question()
		t.asked++
		t.refused += q.refused
		if err == nil {
			err = e.count(&t, question)
		}
		if err != nil {
			t.failed++
			e.Errorf("question %d: %s\n%v", i, question, err)
		}
		if t.failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	e.Logf("%d questions with %d cells; %d pages had none, %d were finished in memory, %d options were refused; %d of %d comparisons were checked in part",
		t.asked, t.cells, t.empty, t.finished, t.refused, e.unchecked, t.compared)
	if e.Logf("numbers answer %d", t.ofNumbers); t.ofNumbers < t.asked/2 {
		e.Error("numbers answer too few of them")
	}
	coverage := e.version.Coverage
	severalYears := coverage != nil && len(coverage.Years) > 1 // else most comparisons go by codes
	unchecked := e.unchecked > t.compared*2/3+1 && e.version.Model.Snapshots() == nil && severalYears && !e.isCrossed()
	if t.asked >= 25 && (t.refused > t.asked/3 || t.finished < t.asked/5 || unchecked) {
		e.Error("too much was refused, or too little asked")
	}
}

func (e *examination) count(t *tally, question string) error {
	p, err := bind(e.version, question)
	if err != nil {
		return err
	}
	if p.NeedsAllCells() {
		t.finished++
	}
	if p.Comparison() != nil {
		t.compared++
	}
	q, err := Query(question)
	if err != nil {
		return err
	}
	cells, err := e.check(q)
	t.cells += cells
	if cells == 0 {
		t.empty++
	}
	if p.Main().Needs().Why != "" || err != nil {
		return err
	}
	if t.ofNumbers++; t.ofNumbers%5 > 0 || !e.isResident() {
		return nil
	}
	facts := *e // as of a version that was loaded before there were cuboids
	facts.version = changed(e.version, func(p *cube.Package) { p.Cuboids = nil })
	return e.agrees(&facts, question)
}

// chains asks for every chain from its top to its leaves with subtotals, the first of each group and shares of the parent,
// and for every level by itself in an order in which most cells are equal.
func (e *examination) chains() {
	var questions []string
	sum, count := query.AggregateRef{Measure: e.version.Model.Measures()[0].Ref, Func: string(cube.Sum)}, "_count"
	for _, dimension := range e.version.Model.Dimensions() {
		for _, chain := range dimension.Chains() {
			refs := each.Text(chain, func(level cube.Level) string { return quoted(level.Ref) })
			drilled := fmt.Sprintf("drilldown=%s&aggregates=%s|%s", strings.Join(refs, "|"), count, sum)
			questions = append(questions, drilled+"&rollup=1&pagesize=7&page=2", drilled+"&top=2&remainder=1&rollup=1&pagesize=1000",
				fmt.Sprintf("%s|share_of_parent(%s)|share_of_parent(_count)&top=2&remainder=1&order=share_of_parent(%s):desc", drilled, sum, sum))
		}
	}
	if year, ok := e.version.Model.FiscalYear(); ok {
		for _, level := range e.version.Model.Levels() {
			questions = append(questions, fmt.Sprintf("drilldown=%[2]s|%[1]s&aggregates=%[3]s&compare=%[2]s:-1&order=%[3]s.size:desc&top=2&remainder=1&pagesize=1000",
				quoted(level.Ref), quoted(year.Name), sum))
		}
	}
	for _, level := range e.version.Model.Levels() {
		questions = append(questions, fmt.Sprintf("drilldown=%s&aggregates=_count|%s&order=_count:desc&pagesize=7&page=2", quoted(level.Ref), sum),
			fmt.Sprintf("drilldown=%s&aggregates=share_of_parent(_count)|%s.max", quoted(level.Ref), quoted(sum.Measure)))
	}
	checked := 0
	for i, question := range questions {
		if i%e.stride() > 0 || !e.half.has(i/e.stride()) {
			continue
		}
		q, err := Query(question)
		if err != nil {
			e.Fatalf("%s: %v", question, err)
		}
		cells, err := e.check(q)
		if err != nil && !mayBeRefused(err) {
			e.Errorf("%s\n%v", question, err)
		}
		checked += cells
	}
	if checked == 0 {
		e.Error("no question has a cell")
	}
}

// sameCell compares a cell of the store with another. Amounts are equal when they are the same number.
func sameCell(got, want answer.Cell) error {
	same := slices.Equal(got.Keys, want.Keys) && slices.Equal(got.Labels, want.Labels) && got.Level == want.Level && got.Others == want.Others && got.Change == want.Change &&
		slices.EqualFunc(got.Values, want.Values, sameAmount)
	if !same {
		return fmt.Errorf("got %s, want %s", shown(got), shown(want))
	}
	return nil
}

func sameSummary(got, want answer.Summary) error {
	if got.Count != want.Count || !slices.EqualFunc(got.Values, want.Values, sameAmount) {
		return fmt.Errorf("got %d cells and %v, want %d and %v", got.Count, amountsText(got.Values), want.Count, amountsText(want.Values))
	}
	return nil
}

func shown(c answer.Cell) string {
	return fmt.Sprintf("keys %q labels %q amounts %s level %q others %d change %q", texts(c.Keys), texts(c.Labels),
		amountsText(c.Values), c.Level, c.Others, c.Change)
}

func amountsText(values []decimal.NullDecimal) string {
	return strings.Join(each.Text(values, text), ",")
}

func texts(values []cube.Value) []string {
	return each.Text(values, cube.Value.String)
}
