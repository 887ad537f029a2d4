package storetest

import (
	"io/fs"
	"os"
	"testing"

	"fiscube/internal/testfolder"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// examined is a package to examine.
type examined struct {
	name      string
	files     func(t testing.TB) fs.FS
	questions int   // how many random ones are asked unless queriesEnv says otherwise; 0: the package is examined in the long run alone
	by        *Half // the ordinary run examines it on one store, that of these questions; nil: on both
	hard      bool  // it was made up to be hard: most features of an answer occur among questions about it
}

// manyQuestions are asked of small packages that were made up to be hard.
const manyQuestions = 60

// packages lists what Answers examines.
func packages() []examined {
	all := []examined{
		{name: "nasty", files: made(Package("nasty")), questions: 40, hard: true},
		{name: "sparse statements", files: made(withText(Package("sparse"), "overlay.yaml", "snapshots: {by: month, per: [year]}\nmeasures: {fees: {flow: true}}\n")),
			questions: manyQuestions, hard: true},
		{name: "sparse years", files: made(withText(Package("sparse"), "overlay.yaml", "snapshots: {by: year, per: [month]}\n")), questions: manyQuestions, hard: true},
		{name: "great", files: made(Package("great")), questions: 10},
	}
	for _, name := range []string{"gaps", "sparse", "renumbered", "successions", "qualified", "stated"} {
		all = append(all, examined{name: name, files: made(Package(name)), questions: manyQuestions, hard: true})
	}
	for i, seed := range seeds.All() {
		all = append(all, examined{name: seed.Name, files: made(seed.FS), questions: 12, by: oneStore(i)})
	}
	for _, name := range []string{"D1-paraguay", "D3-dominicana-ingresos", "D5-costa-rica-ingresos", "D6-uruguay", "D8-costa-rica-egresos"} {
		all = append(all, examined{name: name, files: onDisk(name), questions: 10})
	}
	return append(all,
		examined{name: "D2-croatia", files: onDisk("D2-croatia"), questions: 10, by: new(Even)},
		examined{name: "D7-mexico-2017-sample", files: onDisk("D7-mexico-2017-sample"), questions: 10, by: new(Odd)},
		examined{name: "D7-mexico", files: onDisk("D7-mexico"), questions: 0},
	)
}

// oneStore gives the store that examines a seed in the ordinary run, of which CI examines all on both in the run of what takes long.
func oneStore(i int) *Half {
	if testrequire.IsLong() {
		return nil
	}
	half := Half(i % 2)
	return &half
}

func made(files fs.FS) func(testing.TB) fs.FS { return func(testing.TB) fs.FS { return files } }

// onDisk gives the files of a real package to a long run.
func onDisk(name string) func(t testing.TB) fs.FS {
	return func(t testing.TB) fs.FS {
		testrequire.Long(t)
		return os.DirFS(testfolder.Real(t, name))
	}
}
