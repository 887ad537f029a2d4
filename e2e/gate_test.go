package e2e

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fiscube/internal/golden"

	"github.com/joshdk/go-junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	goyaml "go.yaml.in/yaml/v3"
)

// Each form says what was found in packages with mistakes in files, in the descriptor and in the overlay, with no JSON, and with a warning
// alone: with the path from the working folder, the line, and one cause told once.
func TestValidate_Forms(t *testing.T) {
	folder := sure(filepath.Abs("e2e/testdata/gate"))
	t.Chdir(folder)
	db := freshDuckDB(t)
	must(t, "load", "--db", db, "market")
	for form, command := range map[string]string{"text": "validate", "json": "validate --format=json", "sarif": "validate --format=sarif",
		"junit": "validate --format=junit", "github": "validate --format=github", "load": "load --format=json --db=" + db} {
		r := fiscube(t, append(strings.Fields(command), "town", "draft", "market", "broken", "glossed")...)
		golden.File(t, filepath.Join(folder, form+".txt"), fmt.Sprintf("%s--- standard error, exit code %d\n%s", r.out, r.code, r.err))
		switch form {
		case "sarif":
			report, err := sarif.FromString(r.out)
			if err != nil || len(report.Runs[0].Results) != 15 {
				t.Fatalf("it is read as %+v, %v", report, err)
			}
			run := report.Runs[0] // the library reads what is not there as empty, which the schema forbids
			run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en", "en", []string{"\n"}
			if err := report.Validate(); err != nil {
				t.Error(err)
			}
		case "junit":
			suites, err := junit.Ingest([]byte(r.out))
			if err != nil || len(suites) != 5 || suites[0].Totals.Failed != 4 || suites[2].Totals.Passed != 2 {
				t.Errorf("it is read as %+v, %v", suites, err)
			}
		}
	}
}

// What a publisher asks for decides: warnings, and totals that must be met.
func TestValidate_Decides(t *testing.T) {
	folder := t.TempDir()
	market, monthly := "e2e/testdata/gate/market", "store/storetest/testdata/packages/monthly"
	for i, test := range []struct {
		pkg, totals, more string // text of a table; flags
		code              int
		want              string
	}{
		{market, "", "", exitDone, "column-type-differs"},
		{market, "", "--fail-on=warning", exitRefused, "market/datapackage.json: field stall: its columnType "},
		{market, "stall,year,fee.sum,refund\nFish,2023,100.5,\nFruit,2024,-30.05,\n", "", exitDone, ": 2 met, 0 differ\n"},
		{market, "fee, refund\n380.45,0.10\n", "", exitDone, ": 2 met, 0 differ\n"},
		{market, "\ufeffyear,fee\r\n2023,300.51\r\n", "", exitRefused, ":2: field fee: year 2023, expected 300.51, found 300.5, difference -0.01 [total-differs]"},
		{market, "year,refund\n2024,0\n", "", exitRefused, "year 2024, expected 0, found none"},
		{market, "year,fee\n2025,0\n", "", exitRefused, "year 2025, expected 0, found none"},
		{market, "yaer,fee\n2023,1\n", "", exitFailed, `:1: "yaer" is no level and no measure of the package; did you mean year?`},
		{market, "year,fee\n2023,\"1,5\"\n", "", exitFailed, `:2: "1,5" is no plain number`},
		{market, "year,fee\n2023,1e9999999\n", "", exitFailed, `:2: "1e9999999" is no plain number`},
		{market, "year,fee\n2023,\n", "", exitFailed, "has no amount below the name of a measure"},
		{market, "year,fee\n", "", exitUsage, "--expect: "},
		{market, "year,fee\n2023\n", "", exitUsage, "wrong number of fields"},
		{market, "year\n" + strings.Repeat("2023\n", 1<<18), "", exitUsage, "bytes, which no table of totals has"},
		{market, "year,fee\n2023,300.5\n", market, exitUsage, "it has the totals of one package"},
		// Each month states the year again, but for fees: of the others the last month counts, unless the months are asked for.
		{monthly, "year,month,plan\n2017,01,10\n", "", exitRefused, "found "},
	} {
		args := []string{"validate", test.pkg}
		if test.totals != "" {
			name := filepath.Join(folder, fmt.Sprintf("%d.csv", i))
			write(name, []byte(test.totals))
			args = append(args, "--expect="+name)
		}
		r := fiscube(t, append(args, strings.Fields(test.more)...)...)
		if r.code != test.code {
			t.Errorf("%v: exit code %d, want %d\n%s", test, r.code, test.code, r.err)
		}
		says(t, r.out+r.err, test.want)
	}
}

// An answer of a loaded package is met by its files, also where months state the year again.
func TestValidate_ExpectsAnAnswer(t *testing.T) {
	db, totals := freshDuckDB(t), filepath.Join(t.TempDir(), "totals.csv")
	for name, questions := range map[string][]string{
		"monthly":    {"", "drilldown=year", "drilldown=year|unit", "drilldown=year|month", "drilldown=unit&order=unit"},
		"ministries": {"drilldown=year", "drilldown=year|unit|fund"},
	} {
		folder := "store/storetest/testdata/packages/" + name
		must(t, "load", "--db", db, folder)
		for _, question := range questions {
			write(totals, []byte(must(t, "query", "--db", db, name, question, "--format=csv")))
			must(t, "validate", "--expect", totals, folder)
		}
	}
}

// The workflow and the hook of the page are run as GitHub and git do. They let a package through, and refuse it with a fault.
func TestForPublishersDoc_GateRuns(t *testing.T) {
	page := string(sure(os.ReadFile("docs/for-publishers.md")))
	blocks := map[string]string{}
	for _, found := range regexp.MustCompile("(?s)```(yaml|bash)\n(.*?)```").FindAllStringSubmatch(page, -1) {
		blocks[found[1]] = found[2]
	}
	var workflow struct {
		Jobs struct {
			Check struct {
				Env   map[string]string
				Steps []struct {
					Run string
					Dir string `yaml:"working-directory"`
				}
			}
		}
	}
	check(goyaml.Unmarshal([]byte(blocks["yaml"]), &workflow))
	newPageReader(t)
	here, temp := sure(os.Getwd()), t.TempDir()
	write(filepath.Join(here, "totals.csv"), []byte("Year,approved_value\n2016,258923027190\n"))
	release := "fiscube_" + workflow.Jobs.Check.Env["VERSION"] + "_linux_amd64"
	program := filepath.Join(temp, "release", release, "fiscube")
	write(program, []byte("#!/bin/sh\nexec env "+readsInput+"=1 "+asProgram+"="+openapi+" "+sure(os.Executable())+" \"$@\"\n"))
	write(filepath.Join(here, "hooks", "pre-commit"), []byte(blocks["bash"]))
	check(errors.Join(os.Chmod(program, 0o755), os.Chmod(filepath.Join(here, "hooks", "pre-commit"), 0o755)))
	for name, value := range map[string]string{"VERSION": workflow.Jobs.Check.Env["VERSION"], "RELEASE": "file://" + filepath.Join(temp, "release"),
		"GITHUB_PATH": filepath.Join(temp, "path"), "PATH": filepath.Join(temp, release) + ":" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"} {
		t.Setenv(name, value)
	}
	run := func(dir, script, want string, code int) {
		t.Helper()
		cmd := exec.Command("bash", "-e", "-c", script)
		cmd.Dir = strings.Replace(cmp.Or(dir, here), "${{ runner.temp }}", temp, 1)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), want) {
			t.Errorf("exit code %d, want %d and %q\n%s\n%s", got, code, want, script, out)
		}
	}
	run(filepath.Join(temp, "release"), "tar -czf fiscube_${VERSION}_linux_amd64.tar.gz fiscube_*; sha256sum *.tar.gz > fiscube_${VERSION}_checksums.txt", "", exitDone)
	steps := workflow.Jobs.Check.Steps
	for _, step := range steps {
		run(step.Dir, step.Run, "", exitDone)
	}
	run(here, "git init -q; git config core.hooksPath hooks; git add hooks totals.csv my-budget; git commit -qm budget", "", exitDone)
	spoilLine(t, filepath.Join(here, "my-budget/data/example-croatia__2016.csv"), 3, "2016,", "MMXVI,")
	run(here, steps[len(steps)-1].Run, "::error file=my-budget/data/example-croatia__2016.csv,line=3,title=bad-cell::", exitRefused)
	run(here, "git commit -q --allow-empty -m nothing", "", exitDone) // the fault is not in the commit
	run(here, "git add my-budget; git commit -qm fault", "my-budget/data/example-croatia__2016.csv:3: ", exitFailed)
	run(here, "cat "+filepath.Join(temp, "path"), filepath.Join(temp, release), exitDone)
}
