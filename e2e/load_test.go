package e2e

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/golden"
	"fiscube/internal/testfolder"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/load"
)

// loadTogether runs a load of each folder at once, all on one store, and gives what they said. On an embedded
// store a running server does the loads for the others.
func loadTogether(t *testing.T, db string, folders ...string) []string {
	t.Helper()
	if isDuckDB(db) {
		serve(t, db)
	}
	var loads []*process
	for _, folder := range folders {
		loads = append(loads, start(t, "load", "--db", db, folder))
	}
	var said []string
	for _, load := range loads {
		said = append(said, load.succeed(t))
	}
	return said
}

func TestLoad_TwiceAtOnceMakesOneVersion(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		said := loadTogether(t, db, medium(), medium())
		if strings.Contains(said[0], "nothing") {
			slices.Reverse(said)
		}
		says(t, said[0], "budget: version 1, ", " rows from 1 files")
		says(t, said[1], "budget: version 1 holds exactly this already; nothing to do")
		if lines := strings.Count(must(t, "versions", "--db", db, "budget"), "\n"); lines != 2 {
			t.Errorf("%d lines of versions, want the header and one", lines)
		}
	})
}

func TestLoad_TwoPackagesAtOnce(t *testing.T) {
	testrequire.Long(t)
	sideBySide(t, func(t *testing.T, db string) {
		names := []string{"one", "another"}
		said := loadTogether(t, db, grow(t.TempDir(), names[0], growth{copies: 5}), grow(t.TempDir(), names[1], growth{copies: 5}))
		list := must(t, "list", "--db", db)
		for i, name := range names {
			says(t, said[i], name+": version 1, ")
			says(t, list, name)
		}
	})
}

// Not side by side with other tests: it measures time.
func TestLoad_BesideAServerIsServedSoon(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		s := serve(t, db)
		for version, folder := range []string{small(), grown(t, "budget", 2)} {
			start(t, "load", "--db", db, folder).succeed(t)
			s.servesWithin(t, soon, "budget", version+1)
		}
		start(t, "remove", "--db", db, "budget").succeed(t)
		s.servesWithin(t, soon, "budget", 0)
		s.stop(t)
	})
}

// spoil changes a file of a package.
func spoil(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(content)
	if bytes.Equal(content, changed) {
		t.Fatalf("%s would stay as it is", path)
	}
	write(path, changed)
}

// spoilLine puts another text in place of one in a line of a file, the first being 1.
func spoilLine(t *testing.T, path string, line int, from, to string) {
	t.Helper()
	spoil(t, path, func(content []byte) []byte {
		lines := strings.SplitAfter(string(content), "\n")
		lines[line-1] = strings.Replace(lines[line-1], from, to, 1)
		return []byte(strings.Join(lines, ""))
	})
}

// spoiled is example-croatia with something wrong in each of its files.
func spoiled(t *testing.T) (folder string) {
	t.Helper()
	folder = unpacked(t, "example-croatia")
	file := func(year string) string { return filepath.Join(folder, "data", "example-croatia__"+year+".csv") }
	spoilLine(t, file("2016"), 3, "2016,", "MMXVI,")
	spoilLine(t, file("2016"), 5, "\r\n", ",one more\r\n")
	spoilLine(t, file("2017"), 1, "admin1_code", "admin_code")
	spoilLine(t, file("2018"), 7, "SABOR", "S\xe1BOR")
	if err := os.Remove(file("2019")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// problems are what is wrong in spoiled, each with its file and line.
var problems = []string{
	`example-croatia__2016.csv:3: field Year: "MMXVI" is no whole number [bad-cell]`,
	`example-croatia__2016.csv:5: the row has 24 cells, the schema 23 fields [cell-count]`,
	`example-croatia__2016.csv: the file's SHA-256 is `,
	`example-croatia__2017.csv:1: column 2 is "admin_code", in the schema "admin1_code" [header-differs]`,
	`example-croatia__2018.csv:7: the file is not UTF-8`,
	`data/example-croatia__2019.csv cannot be read: no such file or directory [missing-file]`,
}

func TestLoad_RefusesABadPackageWithEveryProblem(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, unpacked(t, "example-croatia"))
		before := tables(t, db)
		fails(t, exitRefused, []string{"load", "--db", db, spoiled(t)}, problems...)
		says(t, must(t, "versions", "--db", db, "example-croatia"), "example-croatia  1        yes ")
		if after := tables(t, db); len(after) != len(before) {
			t.Errorf("tables %q, before %q", after, before)
		}
	})
}

func TestLoad_RefusesABadDescriptorWithEveryProblem(t *testing.T) {
	folder := unpacked(t, "example-croatia")
	spoil(t, filepath.Join(folder, "datapackage.json"), func(content []byte) []byte {
		content = bytes.Replace(content, []byte(`"path":"data/example-croatia__2016.csv"`), []byte(`"path":"../secret.csv"`), 1)
		return bytes.Replace(content, []byte(`"name":"example-croatia__2017.csv"`), []byte(`"name":""`), 1)
	})
	fails(t, exitRefused, []string{"load", "--db", freshDuckDB(t), folder},
		`resources[0].path: "../secret.csv" leads out of a folder by ..`, `resources[1].name: a resource needs a name`)
}

func TestLoad_RefusesAFolderWithoutAPackage(t *testing.T) {
	db, folder := freshDuckDB(t), t.TempDir()
	fails(t, exitRefused, []string{"load", "--db", db, folder}, folder, "datapackage.json cannot be read")
	fails(t, exitRefused, []string{"load", "--db", db, folder + "/none"}, folder+"/none cannot be read")
}

// A package that is refused stops no other, and is named once.
func TestLoad_ABadPackageStopsNoOther(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		bad := filepath.Join(t.TempDir(), "none")
		r := fiscube(t, "load", "--db", db, bad, small(), unpacked(t, "example-uruguay"))
		says(t, r.out, "budget: version 1, ", "example-uruguay: version 1, ")
		if said := strings.Count(r.err, bad+" cannot be read"); r.code != exitRefused || said != 1 {
			t.Errorf("exit code %d, and %d times it says why:\n%s", r.code, said, r.err)
		}
	})
}

// A reader of our output that has enough, as head has, must not stop what comes after.
func TestLoad_GoesOnWhenItsReaderIsGone(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	db, packages := "duckdb:"+t.TempDir()+"/gone.duckdb", []string{"example-croatia", "example-uruguay", "example-paraguay"}
	load := exec.Command(self, "load", "--db", db, "seeds/"+packages[0], "seeds/"+packages[1], "seeds/"+packages[2])
	load.Env = append(os.Environ(), asProgram+"="+openapi)
	if _, err := load.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := load.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	if err := load.Wait(); err != nil {
		t.Errorf("load: %v", err)
	}
	listed := must(t, "list", "--db", db)
	for _, name := range packages {
		if !strings.Contains(listed, name) {
			t.Errorf("%s is not loaded:\n%s", name, listed)
		}
	}
}

// TestValidate_PrintsTheModelAndEverythingFound holds, for every example, the chains, label pairs and measures
// that result, the control totals and every finding. -update writes the files anew; read the difference.
func TestValidate_PrintsTheModelAndEverythingFound(t *testing.T) {
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			golden.File(t, filepath.Join("e2e/testdata", "validate", seed.Name+".txt"), validated(t, filepath.Join("seeds", seed.Name)))
		})
	}
}

// TestValidate_RealPackagesHaveTheModelOfTheirDataset holds the same for the real packages, without their figures.
func TestValidate_RealPackagesHaveTheModelOfTheirDataset(t *testing.T) {
	for _, name := range []string{
		"D1-paraguay", "D2-croatia", "D3-dominicana-ingresos", "D5-costa-rica-ingresos", "D6-uruguay",
		"D7-mexico", "D7-mexico-2017-sample", "D8-costa-rica-egresos",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "D7-mexico" {
				testrequire.Long(t)
			}
			model, _, _ := strings.Cut(validated(t, testfolder.Real(t, name)), "\n\n") // all its rows make the model
			golden.File(t, filepath.Join("e2e/testdata", "model", name+".txt"), model+"\n")
		})
	}
}

// validated is what validate prints of the package in a folder.
func validated(t *testing.T, folder string) string {
	t.Helper()
	return must(t, "validate", folder)
}

// TestSeeds_AreEightAndHaveADescriptor keeps the two lists above from passing because there is nothing to compare.
func TestSeeds_AreEightAndHaveADescriptor(t *testing.T) {
	if all := seeds.All(); len(all) != 8 {
		t.Fatalf("%d examples, want one for each of the eight datasets", len(all))
	}
	for _, seed := range seeds.All() {
		if _, err := load.OpenFS(t.Context(), seed.FS, load.Options{Shipped: seeds.OverlayFor}); err != nil {
			t.Errorf("%s: %v", seed.Name, err)
		}
	}
}

// The reports of the seeds are told in each language, with the same findings of the same kinds.
func TestReport_IsToldInEveryLanguage(t *testing.T) {
	s := seeded.onDuckDB(t)
	type finding struct{ Code, Field, Message, Kind, KindText string }
	told := 0
	for _, seed := range seeds.All() {
		name := seed.Name
		reports := map[string][]finding{}
		for _, lang := range []string{"en", "es", "hr"} {
			var report struct {
				Findings []struct {
					Code, Field, Message, Kind string
					KindText                   string `json:"kind_text"`
				}
			}
			s.read(t, "/cubes/"+name+"/report?lang="+lang, &report)
			for _, f := range report.Findings {
				reports[lang] = append(reports[lang], finding{f.Code, f.Field, f.Message, f.Kind, f.KindText})
			}
		}
		for i, english := range reports["en"] {
			spanish, croatian := reports["es"][i], reports["hr"][i]
			if english.Code != spanish.Code || english.Kind != croatian.Kind || english.Kind == "" ||
				english.Message == spanish.Message || spanish.Message == croatian.Message || english.Message == croatian.Message ||
				english.KindText == spanish.KindText || spanish.KindText == croatian.KindText {
				t.Errorf("%s\n%+v\n%+v\n%+v", name, english, spanish, croatian)
			}
			told++
		}
	}
	if told == 0 {
		t.Error("the seeds have no findings")
	}
}
