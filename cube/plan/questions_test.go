package plan_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/golden"
)

// Questions of the test cubes, and what is planned for them, are in testdata/questions: a line says what is told of the plan, the cube and
// the question. The text of a plan asks the same again.
func TestBind_Questions(t *testing.T) {
	of := cubes(t)
	files, err := filepath.Glob("testdata/questions/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		golden.Answers(t, file, func(line string) string {
			told, rest, _ := strings.Cut(line, " ")
			name, question, _ := strings.Cut(rest, " ")
			p, err := ask(of[name], question)
			if err != nil {
				return fmt.Sprintf("%s: %v", cube.CodeOf(err), err)
			}
			if again, err := ask(of[name], p.String()); err != nil || again.String() != p.String() {
				t.Errorf("%s\nis printed as %s\nand again as %s, %v", line, p, again, err)
			}
			return tells[told](p)
		})
	}
}

func ask(c *cube.Cube, question string) (*plan.Plan, error) {
	q, err := cubetest.Read(question)
	if err != nil {
		return nil, err
	}
	return plan.Bind(c, q)
}

// cubes are those that the questions are of.
func cubes(t *testing.T) map[string]*cube.Cube {
	undated, town, perhaps, gap := inCroatia(t, "Croatia"), inCroatia(t, "Croatia"), inCroatia(t, "Croatia"), inCroatia(t, "Croatia")
	undated.Coverage, town.GovtLevel, perhaps.GovtLevel = nil, "Municipal", ""
	gap.Series = []cube.Series{{Title: "Prices", Country: "Croatia", Unit: cube.UnitIndex, Values: []cube.YearValue{
		{Year: 2011, Value: decimal.NewFromInt(50)}, {Year: 2012, Value: decimal.NewFromInt(60)}, {Year: 2018, Value: decimal.NewFromInt(100)}}}}
	return map[string]*cube.Cube{
		"test": cubetest.Cube(t), "spending": cubetest.Spending(t),
		"renumbered": cubetest.Renumbered(t), "renumbered-groups": cubetest.RenumberedOn(t, "group"),
		"reports": cubetest.YearToDate(t, nil), "flat-reports": cubetest.YearToDate(t, cubetest.Flat), "quarters": quarters(t),
		"no-reports": cubetest.YearToDate(t, cubetest.Snapshots()),
		"croatia":    inCroatia(t, "Croatia"), "nowhere": inCroatia(t, ""), "atlantis": inCroatia(t, "Atlantis"),
		"undated": undated, "town": town, "perhaps-a-town": perhaps, "gap": gap,
	}
}

var tells = map[string]func(*plan.Plan) string{
	"plan":  (*plan.Plan).String,
	"years": func(p *plan.Plan) string { return fmt.Sprint(p.Years()) },
	"keys": func(p *plan.Plan) string {
		levels := each.Text(p.Levels(), func(l cube.Level) string { return l.Ref })
		steps := each.Text(p.Steps(), func(s plan.Step) string { return s.Ref })
		return fmt.Sprintf("keys [%s]\nlevels %s\nsteps %s", names(p.Keys()), levels, steps)
	},
	"aggregates": func(p *plan.Plan) string {
		aggregates := each.Text(p.Aggregates(), func(a plan.Aggregate) string { return fmt.Sprintf("%s/%d", a.Name, a.Scale) })
		parts := each.Text(p.Main().Parts(), func(p plan.Part) string { return fmt.Sprintf("%s(%s)", p.Func, p.Measure) })
		return strings.Join(aggregates, " ") + "\n" + strings.Join(parts, " ")
	},
	"order": func(p *plan.Plan) string {
		sorts := func(list []plan.Sort) string {
			return cmp.Or(strings.Join(each.Text(list, func(s plan.Sort) string { return p.SortName(s) + ":" + s.Direction() }), " "), "none")
		}
		return sorts(p.OrderAsked()) + " | " + sorts(p.Order()[len(p.OrderAsked()):])
	},
	"filters": func(p *plan.Plan) string {
		return strings.Join(each.Text(p.Main().Filters(), func(f plan.Filter) string {
			return filterText(f) + " => " + f.String() + " " + strings.Join(each.Text(f.Echo, echoText), " ")
		}), "\n")
	},
	// counted tells what was cut, what the plan counts of it, and which snapshots its summary leaves out.
	"counted": func(p *plan.Plan) string {
		lines := append(each.Text(p.FiltersAsked(), filterText), "counts "+cmp.Or(defaultFilters(p), "all"))
		if p.Summary() != nil {
			lines = append(lines, "summary without "+strings.Join(p.SummaryWithout(), " "))
		}
		return strings.Join(lines, "\n")
	},
	"passes": func(p *plan.Plan) string { return fmt.Sprint(p.Passes()) },
}

func echoText(item plan.EchoItem) string {
	return fmt.Sprint(map[query.ItemOp]string{query.OpRange: "from ", query.OpMatch: "with "}[item.Op], each.Text(item.Values, valueText))
}
