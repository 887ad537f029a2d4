package answer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// register is a store that knows which members are there, and counts how often it is asked.
type register struct {
	cubetest.Store
	there []string
	years []int64  // in which what does not exist is a name
	asked []string // items asked for, one call a text
	err   error
}

func (r *register) Unknown(_ context.Context, _ *cube.Cube, wanted []plan.NamedMember, near int) (list []plan.UnknownMember, err error) {
	var items []string
	for i, w := range wanted {
		items = append(items, fmt.Sprintf("%s %d %s", w.Level.Ref, w.By, w.Asked()))
		if slices.Contains(r.there, w.Asked()) {
			continue
		}
		list = append(list, plan.UnknownMember{Index: i})
		if len(list) <= near {
			list[len(list)-1].Near = r.near()
		}
	}
	r.asked = append(r.asked, fmt.Sprintf("%s: near %d", strings.Join(items, ", "), near))
	return list, r.err
}

// near is what may have been meant, whatever it was.
func (r *register) near() plan.Near { return plan.Near{Names: r.there, Years: r.years} }

// missing gives the warnings of members that are not there.
func missing(t *testing.T, s answer.Store, question string) string {
	t.Helper()
	var list []string
	for _, w := range run(t, s, cubetest.MustAsk(t, question)).Warnings {
		if w.Code == cube.WarnNoSuchMember {
			list = append(list, w.Code+" "+w.Message)
		}
	}
	return strings.Join(list, "; ")
}

func TestRun_WarnsOfMissingMembers(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = fmt.Sprintf("x%02d", i)
	}
	for _, tt := range []struct{ name, question, want string }{
		{"all are there", "cut=admin1_code:Vlada;Sabor|!Year:2016", ""},
		{"a key with the nearest", "cut=admin1_code:Sabro;Vlada", `admin1_code: there is no member "Sabro" (did you mean "Sabor"?)`},
		{"a number", "cut=Year:2061", "Year: there is no member 2061 (did you mean \"2016\"?)"},
		{"a label", "cut=admin1_label:Vlad", `admin1_label: there is no member "Vlad" (did you mean "Vlada"?)`},
		{"a text", "cut=admin1_code:~zzz", `admin1_code: there is no member ~"zzz"`},
		{"a path", "cut=date:2016/9", `date: there is no member 2016/9`},
		{"a complement", "cut=!admin1_code:zzz", `admin1_code: there is no member "zzz"`},
		{"the missing", "cut=admin1_code:", `admin1_code: there is no member ""`},
		{"all but the missing", "cut=!admin1_code:", ""},
		{"ranges and budget lines name nobody", "cut=Year:1900..1901|line_id:zzz|line_label:zzz", ""},
		{"many", "cut=admin1_code:" + strings.Join(many, ";"),
			`admin1_code: there is no member "x00", "x01", "x02", "x03", "x04", and 25 more`},
		{"each cut by itself", "cut=admin1_code:zzz|admin2_code:zzz|Year:2016",
			`admin1_code: there is no member "zzz"; no-such-member admin2_code: there is no member "zzz"`},
		{"a long one is cut off", "cut=admin1_code:" + strings.Repeat("č", 70),
			`admin1_code: there is no member "` + strings.Repeat("č", 59) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := &register{there: []string{"Vlada", "Sabor", "2016"}}
			want := tt.want
			if want != "" {
				want = cube.WarnNoSuchMember + " " + want
			}
			if got := missing(t, store, tt.question); got != want {
				t.Errorf("warns %s\nwant  %s", got, want)
			}
		})
	}
}

// A name that is used in other years only is no typing error.
func TestRun_SaysInWhichYearsANameIsUsed(t *testing.T) {
	want := cube.WarnNoSuchMember + ` admin1_label: there is no member "Vlad" (a name in 2012 to 2014, 2017, not in the years asked for)`
	if got := missing(t, &register{there: []string{"Vlada"}, years: []int64{2012, 2013, 2014, 2017}}, "cut=admin1_label:Vlad"); got != want {
		t.Errorf("warns %s\nwant  %s", got, want)
	}
}

// A version never changes, so a member is asked for once, and all of a cut at once.
func TestRemember_AsksForAMemberOnce(t *testing.T) {
	store := &register{there: []string{"Vlada"}}
	remembering := answer.Remember(store)
	const question = "drilldown=Year&cut=admin1_code:Vlada;Wlada|admin2_label:~x"
	first := missing(t, remembering, question)
	want := []string{"admin1_code 1 Vlada, admin1_code 1 Wlada: near 5", "admin2_code 3 x: near 5"}
	if again := missing(t, remembering, question); again != first || !slices.Equal(store.asked, want) {
		t.Errorf("warns %s, then %s; asked %q", first, again, store.asked)
	}
	missing(t, remembering, "cut=admin1_code:Vlada;Vlado")
	if want = append(want, "admin1_code 1 Vlado: near 5"); !slices.Equal(store.asked, want) {
		t.Errorf("asked %q", store.asked)
	}
}

// Where rows pass the cuts, the only member that a cut names is there.
func TestRun_LooksForMembersThatMayBeMissing(t *testing.T) {
	c := cubetest.Spending(t)
	for question, want := range map[string]string{
		"cut=town:a|year:2016":     "",
		"cut=town:a;zzz|year:2016": "town 1 a, town 1 zzz: near 5",
		"cut=!town:zzz|year:2016":  "town 1 zzz: near 5",
		"cut=town:a|year:2061":     "town 1 a: near 5; year 1 2061: near 5",
	} {
		store := &register{Store: cubetest.NewStore(c.Model, cubetest.Spent...), there: []string{"a", "2016"}}
		run(t, store, cubetest.Bind(t, c, question))
		if got := strings.Join(store.asked, "; "); got != want {
			t.Errorf("%s asks %q, want %q", question, got, want)
		}
	}
}

func TestRun_FailsWhereMembersCannotBeLookedFor(t *testing.T) {
	broken := errors.New("broken")
	store := &register{err: broken}
	if _, err := answer.Run(t.Context(), store, cubetest.MustAsk(t, "cut=Year:1"), cube.English); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if _, err := answer.Run(t.Context(), store, cubetest.MustAsk(t, "drilldown=Year"), cube.English); err != nil {
		t.Errorf("nothing is looked for, yet: %v", err)
	}
}

// What is remembered is bounded, whatever is asked.
func TestRemember_IsBounded(t *testing.T) {
	store := &register{}
	remembering := answer.Remember(store)
	for i := range 6 {
		missing(t, remembering, "cut=admin1_code:"+strings.Repeat(fmt.Sprint(i), 1<<20))
	}
	before := len(store.asked)
	missing(t, remembering, "cut=admin1_code:"+strings.Repeat("0", 1<<20))
	if len(store.asked) == before {
		t.Error("megabytes of texts are all remembered")
	}
}

// What a question costs in memory is bounded by its answer, and by what its text has of it. Allocations stand for the
// work: other than time they are the same on every machine.

// far is a cube of many towns whose years lie thousands apart.
func far(t testing.TB, towns int) (answer.Store, *cube.Cube) {
	t.Helper()
	c := cubetest.Spending(t)
	lines := []string{"9999 n z Z 1 - - - -"}
	for i := range towns {
		lines = append(lines, fmt.Sprintf("1 n t%d T%d 1 - - - -", i, i))
	}
	return cubetest.NewStore(c.Model, lines...), c
}

const admitsTwo = "drilldown=town|year&cut=year:1;9999&aggregates=plan.sum&fill=zero"

// Each point on the axis is tested against the cuts once, and not again for each member.
func TestRun_FillJudgesEachPositionOnce(t *testing.T) {
	const towns, places = 200, 9999
	store, c := far(t, towns)
	p := cubetest.Bind(t, c, admitsTwo)
	var cells int
	allocations := testing.AllocsPerRun(1, func() {
		a, err := answer.Run(t.Context(), store, p, cube.English)
		if err != nil {
			t.Fatal(err)
		}
		cells = len(a.Cells)
	})
	if cells != 100 || allocations > 20*places {
		t.Errorf("%d cells, %.0f allocations for %d places", cells, allocations, places)
	}
}

// A store that answers in time leaves work to do, which ends with the question.
func TestRun_FillEndsWithTheContext(t *testing.T) {
	store, c := far(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := answer.Run(ctx, store, cubetest.Bind(t, c, admitsTwo), cube.English); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// What is known of all cells together alone is computed for no more cells than fit in memory.
func TestRun_RefusesSharesOfTooManyCells(t *testing.T) {
	store, c := far(t, query.MaxPageSize)
	const shares = "drilldown=town|year&aggregates=plan.sum&having=share(plan.sum)>0.5"
	_, err := answer.Run(t.Context(), store, cubetest.Bind(t, c, shares), cube.English)
	if got := fmt.Sprint(err); !strings.HasPrefix(got, "having at 0: the question has 10001 cells") || !strings.HasSuffix(got, "(cut it down, or drill fewer levels)") {
		t.Errorf("the error is %s", got)
	}
}

func BenchmarkFill(b *testing.B) {
	store, c := far(b, 3000)
	p := cubetest.Bind(b, c, admitsTwo)
	for b.Loop() {
		if _, err := answer.Run(b.Context(), store, p, cube.English); err != nil {
			b.Fatal(err)
		}
	}
}

// An answer warns of financing where rows of it are counted, and not where other cuts leave them all out.
func TestRun_WarnsOfFinancing(t *testing.T) {
	c := cubetest.Spending(t)
	c.Financing = []cube.Financing{{Level: "region", Keys: []string{"s", "w"}}}
	s := cubetest.NewStore(c.Model, cubetest.Spent...)
	for question, want := range map[string]bool{
		"aggregates=plan.sum": true, "drilldown=region&aggregates=plan.sum": true, "cut=town:c&aggregates=plan.sum": true,
		"cut=town:a&aggregates=plan.sum": false, "cut=!region:s&aggregates=plan.sum": false, "cut=region:s&aggregates=plan.sum": false, "aggregates=_count": false,
		"aggregates=plan.max": false, "aggregates=plan.count": false, "aggregates=plan.avg": true, "aggregates=execution": true,
		"cut=town:d|year:2016&aggregates=plan.sum": false, "cut=town:a|year:2017&aggregates=plan.sum&compare=year:-1": false,
		"cut=town:d|year:2016&aggregates=plan.sum&compare=year:1": true,
	} {
		p := cubetest.Bind(t, c, question)
		warns := func(list []cube.Warning) bool {
			return slices.ContainsFunc(list, func(w cube.Warning) bool { return w.Code == cube.WarnFinancing })
		}
		streamed, err := answer.Open(t.Context(), s, p, cube.English)
		if err != nil {
			t.Fatal(err)
		}
		streamed.Close()
		if got := run(t, s, p); warns(got.Warnings) != want || warns(streamed.Warnings) != want {
			t.Errorf("%s: %v and streamed %v, want a warning: %t", question, got.Warnings, streamed.Warnings, want)
		}
	}
}
