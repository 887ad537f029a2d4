package storetest

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
	for _, name := range []string{"D1-paraguay", "D3-dominicana-ingresos", "D5-costa-rica-ingresos", "D8-costa-rica-egresos"} {
		all = append(all, examined{name: name, files: inLongRuns(onDisk(name)), questions: 10})
	}
	return append(all,
		examined{name: "D2-croatia", files: inLongRuns(onDisk("D2-croatia")), questions: 10, by: new(Even)},
		examined{name: "D7-mexico-2017-sample", files: inLongRuns(onDisk("D7-mexico-2017-sample")), questions: 10, by: new(Odd)},
		examined{name: "D6-uruguay", files: inLongRuns(onDisk("D6-uruguay")), questions: 10},
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

func onDisk(name string) func(t testing.TB) fs.FS {
	return func(t testing.TB) fs.FS { return os.DirFS(RealPackage(t, name)) }
}

// inLongRuns gives the files to a long run.
func inLongRuns(files func(testing.TB) fs.FS) func(testing.TB) fs.FS {
	return func(t testing.TB) fs.FS {
		testrequire.Long(t)
		return files(t)
	}
}

// RealPackage gives the path of a folder with one of the real packages, ready to be loaded, which are in
// ../shared/data beside the project. Without them t is skipped.
func RealPackage(t testing.TB, name string) string {
	t.Helper()
	source := filepath.Join(projectRoot(t), "..", "shared", "data", name)
	if _, err := os.Stat(source); err != nil {
		testrequire.Skip(t, "data", "the real package "+name+" is not in ../shared/data beside the project")
	}
	packed, err := filepath.Glob(filepath.Join(source, "data", "*.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) == 0 {
		return source
	}
	target := t.TempDir()
	if err := unpack(os.DirFS(source), target); err != nil {
		t.Fatalf("unpack %s: %v", source, err)
	}
	return target
}

// projectRoot is the nearest folder above that holds go.mod; tests run in the folder of their package.
func projectRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no folder above holds go.mod")
		}
		dir = filepath.Dir(dir)
	}
}

// unpack copies a folder and unpacks the .gz files on the way.
func unpack(source fs.FS, target string) error {
	return fs.WalkDir(source, ".", func(path string, entry fs.DirEntry, err error) error {
		to := filepath.Join(target, filepath.FromSlash(path))
		if err != nil || entry.IsDir() {
			return errors.Join(err, os.MkdirAll(to, 0o700))
		}
		return unpackFile(source, path, to)
	})
}

func unpackFile(source fs.FS, path, to string) error {
	from, err := source.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	content := io.Reader(from)
	if strings.HasSuffix(path, ".gz") {
		to = strings.TrimSuffix(to, ".gz")
		if content, err = gzip.NewReader(from); err != nil {
			return err
		}
	}
	file, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
