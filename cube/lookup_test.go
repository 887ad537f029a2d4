package cube_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// register is a store that knows which members are there, and counts how often it is asked.
type register struct {
	cube.Backend
	there []string
	asked []string // items asked for, one call a text
	err   error
}

func (r *register) Find(_ context.Context, _ *cube.Cube, wanted []cube.Wanted) ([]bool, error) {
	var items []string
	there := make([]bool, len(wanted))
	for i, w := range wanted {
		items = append(items, fmt.Sprintf("%s %d %s", w.Level.Ref, w.By, w.Asked()))
		there[i] = slices.Contains(r.there, w.Asked())
	}
	r.asked = append(r.asked, strings.Join(items, ", "))
	return there, r.err
}

func (r *register) Near(_ context.Context, _ *cube.Cube, wanted []cube.Wanted) ([][]string, error) {
	near := make([][]string, len(wanted))
	for i := range near {
		near[i] = r.there
	}
	r.asked = append(r.asked, fmt.Sprint("near ", len(wanted)))
	return near, nil
}

func strangers(t *testing.T, e *cube.Engine, question string) string {
	t.Helper()
	plan, err := e.Check(t.Context(), mustAsk(t, question))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, w := range plan.Warnings() {
		list = append(list, w.Code+" "+w.Message)
	}
	return strings.Join(list, "; ")
}

func TestStrangersAreNamed(t *testing.T) {
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
			if got := strangers(t, cube.NewEngine(store), tt.question); got != want {
				t.Errorf("warns %s\nwant  %s", got, want)
			}
		})
	}
}

// A version never changes, so the store is asked for a member once, and for all of a question at once.
func TestStrangersAreLookedForOnce(t *testing.T) {
	store := &register{there: []string{"Vlada"}}
	e := cube.NewEngine(store)
	const question = "drilldown=Year&cut=admin1_code:Vlada;Wlada|admin2_label:~x"
	first := strangers(t, e, question)
	want := []string{"admin1_code 1 Vlada, admin1_code 1 Wlada, admin2_code 3 x", "near 2"}
	if again := strangers(t, e, question); again != first || !slices.Equal(store.asked, want) {
		t.Errorf("warns %s, then %s; asked %q", first, again, store.asked)
	}
	strangers(t, e, "cut=admin1_code:Vlada;Vlado")
	if want = append(want, "admin1_code 1 Vlado", "near 1"); !slices.Equal(store.asked, want) {
		t.Errorf("asked %q", store.asked)
	}
}

func TestStrangersThatCannotBeLookedFor(t *testing.T) {
	broken := errors.New("broken")
	e := cube.NewEngine(&register{err: broken})
	if _, err := e.Check(t.Context(), mustAsk(t, "cut=Year:1")); !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	if _, err := e.Check(t.Context(), mustAsk(t, "drilldown=Year")); err != nil {
		t.Errorf("nothing is looked for, yet: %v", err)
	}
}

// What is remembered is bounded, whatever is asked.
func TestStrangersAreForgotten(t *testing.T) {
	store := &register{}
	e := cube.NewEngine(store)
	for i := range 6 {
		strangers(t, e, "cut=admin1_code:"+strings.Repeat(fmt.Sprint(i), 1<<20))
	}
	before := len(store.asked)
	strangers(t, e, "cut=admin1_code:"+strings.Repeat("0", 1<<20))
	if len(store.asked) == before {
		t.Error("megabytes of texts are all remembered")
	}
}
