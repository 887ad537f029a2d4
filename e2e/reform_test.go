package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fiscube/store/storetest"
)

// The functions of the package are numbered anew in 2017: the report and validate say so, and the model lists which.
func TestReform_IsReportedAndInTheModel(t *testing.T) {
	folder := t.TempDir()
	check(os.CopyFS(folder, storetest.Reform()))
	const reused = `1: "Health" (2011), "Environment" (2017)`
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		if printed := must(t, "validate", folder); !strings.Contains(printed, "code-reused") || !strings.Contains(printed, reused) {
			t.Errorf("validate says\n%s", printed)
		}
		s := serve(t, db)
		defer s.stop(t)
		var report struct {
			Findings []struct {
				Code, Severity, Field string
				Count                 int
				Places                []struct{ Cell string }
			}
		}
		s.read(t, "/cubes/reform/report", &report)
		var found []string
		for _, f := range report.Findings {
			found = append(found, fmt.Sprint(f.Code, " ", f.Severity, " ", f.Field, " ", f.Count, " ", f.Places[0].Cell))
		}
		if want := []string{
			"level-renumbered warning function 1 2017: 3 of 3 members", `code-reused warning function 3 2/` + reused,
		}; !slices.Equal(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
		var model struct {
			Levels []struct {
				Ref        string
				Renumbered []int
				Breaks     []struct {
					Path          []string
					Reused        bool
					Before, After string
					Last, First   int
				}
			}
		}
		s.read(t, "/cubes/reform/model", &model)
		want := "{function [2017] [{[2 1] true Health Environment 2011 2017} {[2 2] true Sport Pensions 2011 2017} {[2 3] true Housing Health 2011 2017}]}"
		if got := fmt.Sprint(model.Levels[2]); got != want {
			t.Errorf("the level is %s, want %s", got, want)
		}
	})
}
