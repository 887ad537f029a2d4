package answer_test

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

// renumbered has rows of 2010 and 2012. Between them health was moved from 2/1 to 2/3, and defence from 1/1 to 2/6; the others are
// not known to be the same as any.
func renumbered(t *testing.T) (*cube.Cube, answer.Store) {
	c := cubetest.Renumbered(t)
	d := c.Model.Draft()
	d.Level("function").SameAs = []cube.SameMember{
		{Path: []string{"2", "2012", "3"}, SameAs: []string{"2", "2008", "1"}},
		{Path: []string{"2", "2012", "6"}, SameAs: []string{"1", "2008", "1"}},
	}
	m, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	c.Model = m
	return c, cubetest.NewStore(m,
		"2010 2 1 Health a 10 2008", "2010 2 1 Health b 5 2008", "2010 2 3 Towns a 7 2008", "2010 1 1 Defence a 40 2008",
		"2011 2 1 Health a 12 2008",
		"2012 2 3 Health a 16 2012", "2012 2 1 Nature a 9 2012", "2012 2 6 Defence a 30 2012", "2012 1 4 Courts a 3 2012",
		"2013 2 3 Health a 20 2012")
}

func TestRun_ComparesTheSameMembersOfOtherEditions(t *testing.T) {
	c, store := renumbered(t)
	answers(t, store, c, "")
}

// The store of the tests labels members by their keys.
func TestRun_NamesTheSameMembers(t *testing.T) {
	c, store := renumbered(t)
	for question, want := range map[string][2]string{
		"drilldown=function&cut=year:2012|functional:2/3": {`function: by the crosswalk of the overlay, 2/3@2012 "3" is compared with 2/1@2008 "1"`, `The codes of “function_name” changed, so the same things are compared under their new and their old codes: 3 (2/3 from 2012) is compared with 1 (2/1 up to 2011).`},
		"cut=year:2012|functional:2/3":                    {`function: by the crosswalk of the overlay, 2/3@2012 "3" is compared with 2/1@2008 "1"`, `The codes of “function_name” changed, so the same things are compared under their new and their old codes: 3 (2/3 from 2012) is compared with 1 (2/1 up to 2011).`},
		"cut=year:2012|group:2|function:3;6":              {`function: by the crosswalk of the overlay, 2/3@2012 "3" is compared with 2/1@2008 "1", 2/6@2012 "6" is compared with 1/1@2008 "1"`, `The codes of “function_name” changed, so the same things are compared under their new and their old codes: 3 (2/3 from 2012) is compared with 1 (2/1 up to 2011), 6 (2/6 from 2012) is compared with 1 (1/1 up to 2011).`},
		"drilldown=group&cut=year:2012":                   {"", ""},
	} {
		got := [2]string{}
		a := run(t, store, cubetest.Bind(t, c, question+"&compare=year:-2"))
		for i, w := range a.Warnings {
			if w.Code == cube.WarnSameAs {
				got = [2]string{got[0] + w.Message, got[1] + prose.Tell(a.Plan, a.Caveats[i], words.Locale{Language: cube.English})}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
