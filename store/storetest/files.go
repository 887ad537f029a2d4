package storetest

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"strings"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/load"
)

// fileTests look for the files as they were published.
var fileTests = []test{
	{"each file of each package has the bytes whose hash is told", testFilesOfPackages},
	{"versions share a file, which goes with the last of them", testFilesShared},
	{"files come later to a version without", testFilesLater},
	{"load that fails leaves no file", testFilesOfNothing},
}

// hasFiles checks that all files of a version are there, and that their hashes are those that it tells.
func (s *subject) hasFiles(version *cube.Cube) {
	s.Helper()
	if !version.FilesKept {
		s.Errorf("version %d of %s has no files", version.Version, version.Name)
	}
	for _, r := range version.Resources {
		var all []byte
		for int64(len(all)) < r.Found.Bytes {
			part, err := s.FilePart(s.context(), r.Found.Hash, int64(len(all)))
			if err != nil || len(part) == 0 {
				s.Fatalf("%s of %s: %d bytes, then %d, %v", r.Name, version.Name, len(all), len(part), err)
			}
			all = append(all, part...)
		}
		if sum := sha256.Sum256(all); hex.EncodeToString(sum[:]) != r.Found.Hash {
			s.Errorf("%s of %s: %d bytes have the hash %x, told is %s", r.Name, version.Name, len(all), sum, r.Found.Hash)
		}
		middle := r.Found.Bytes * 2 / 3
		if part, err := s.FilePart(s.context(), r.Found.Hash, middle); err != nil || !bytes.HasPrefix(all[min(middle, int64(len(all))):], part) || len(part) == 0 {
			s.Errorf("%s of %s from byte %d: %d bytes, %v", r.Name, version.Name, middle, len(part), err)
		}
	}
}

// isForgotten checks that a file is not there any more, nor anything of it.
func (s *subject) isForgotten(hash string) {
	s.Helper()
	s.eventually("file "+hash+" removed", func() bool {
		_, err := s.FilePart(s.context(), hash, 0)
		return cube.CodeOf(err) == cube.CodeNotKept
	})
	if got := s.place.Query(s.T, s.Store, "SELECT CAST(count(*) AS text) FROM (SELECT hash FROM fiscube.version_file UNION ALL SELECT hash FROM fiscube.file_part) f WHERE hash = '"+hash+"'"); got[0][0] != "0" {
		s.Errorf("%s rows of %s are left", got[0][0], hash)
	}
}

func testFilesOfPackages(s *subject) {
	for _, seed := range seeds.All() {
		s.hasFiles(s.load(seed.FS).Cube)
	}
	s.hasFiles(s.load(twoFiles(0)).Cube)
	for _, name := range []string{"D1-paraguay", "D3-dominicana-ingresos", "D7-mexico-2017-sample", "D2-croatia"} {
		if _, err := os.Stat(projectRoot(s.T) + "/../shared/data/" + name); err != nil || name == "D2-croatia" && !testrequire.IsLong() {
			continue
		}
		s.hasFiles(s.load(os.DirFS(RealPackage(s.T, name))).Cube)
	}
}

// twoFiles is a package of a file whose amounts are those of an edition, and of one of several parts that is the same in all and lies there
// compressed.
func twoFiles(edition int) fs.FS {
	small := sample{name: "two", rows: 40, edition: edition}.files().(fstest.MapFS)
	random := rand.New(rand.NewPCG(1, 2))
	var more strings.Builder
	more.WriteString("year,region,region_name,town,town_name,line,amount\r\n")
	for i := range 3000 {
		fmt.Fprintf(&more, "2017,%d,Region %d,%d,Town %d,x%0800d,%d.50\r\n", i%4, i%4, i%20, i%20, random.Uint64(), i)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, more.String())
	_ = w.Close()
	text := strings.Replace(string(small["datapackage.json"].Data), `"resources": [`, `"resources": [{"name":"more","path":"data/more.csv"},`, 1)
	small["datapackage.json"] = &fstest.MapFile{Data: []byte(text)}
	small["data/more.csv.gz"] = &fstest.MapFile{Data: packed.Bytes()}
	return small
}

func testFilesShared(s *subject) {
	first, second := s.load(twoFiles(0)).Cube, s.load(twoFiles(1)).Cube
	changed, shared := first.Resources[1].Found.Hash, first.Resources[0].Found.Hash
	if second.Resources[0].Found.Hash != shared || second.Resources[1].Found.Hash == changed || first.Resources[0].Found.Bytes < 2<<20 {
		s.Fatalf("the files are %+v and %+v", first.Resources, second.Resources)
	}
	s.reopen()
	s.hasFiles(first)
	s.hasFiles(second)
	if err := s.Serve(s.context(), "two", 1); err != nil {
		s.Fatal(err)
	}
	s.hasFiles(s.cube("two"))
	if err := s.Serve(s.context(), "two", 2); err != nil {
		s.Fatal(err)
	}
	if _, err := s.Prune(s.context(), "two", 1); err != nil {
		s.Fatal(err)
	}
	s.isForgotten(changed)
	s.hasFiles(second)
	s.remove("two")
	s.isForgotten(shared)
	s.isForgotten(second.Resources[1].Found.Hash)
	for _, hash := range []string{"", "../test.duckdb", strings.Repeat("0", 64)} {
		if _, err := s.FilePart(s.context(), hash, 0); cube.CodeOf(err) != cube.CodeNotKept {
			s.Errorf("%q: %v", hash, err)
		}
	}
}

func testFilesLater(s *subject) {
	source, err := load.OpenFS(s.context(), twoFiles(0), load.Options{NoFiles: true, Allow: findings.Allowable})
	if err != nil {
		s.Fatal(err)
	}
	loaded, err := load.Run(s.context(), s.Store, source, load.Silent{})
	if err != nil || loaded.Cube.FilesKept {
		s.Fatal(loaded.Cube, err)
	}
	s.isForgotten(loaded.Cube.Resources[0].Found.Hash)
	again := s.load(twoFiles(0))
	if again.Outcome != findings.OutcomeUnchanged || again.Cube.Key() == loaded.Cube.Key() {
		s.Errorf("the second load: %s, %q", again.Outcome, again.Cube.Key())
	}
	s.hasFiles(again.Cube)
}

// filesTampered is a content whose files end in an error.
type filesTampered struct {
	catalogue.Content
	err error
}

// Files implements catalogue.Content.
func (c filesTampered) Files() []catalogue.File {
	files := c.Content.Files()
	last := &files[len(files)-1]
	parts := last.Parts
	last.Parts = iter.Seq2[[]byte, error](func(yield func([]byte, error) bool) {
		for part := range parts {
			if !yield(part, nil) {
				return
			}
			break
		}
		yield(nil, c.err)
	})
	return files
}

func testFilesOfNothing(s *subject) {
	first := s.load(twoFiles(0)).Cube
	broken := errors.New("the disk is broken")
	var hashes []string
	for _, fail := range []error{broken, context.Canceled} {
		_, err := loadInto(s.context(), tampering{s.Store, func(content catalogue.Content) catalogue.Content {
			for _, r := range content.Package().Resources {
				if r.Found.Hash != first.Resources[0].Found.Hash {
					hashes = append(hashes, r.Found.Hash)
				}
			}
			return filesTampered{content, fail}
		}}, otherFiles(twoFiles(2)))
		if !errors.Is(err, fail) {
			s.Errorf("the load gave %v, want %v", err, fail)
		}
	}
	if len(hashes) == 0 {
		s.Fatal("no load began")
	}
	for _, hash := range hashes {
		s.isForgotten(hash)
	}
	s.hasFiles(s.cube("two"))
	s.hasFiles(s.load(otherFiles(twoFiles(2))).Cube)
}

// otherFiles gives a package another name, and all of its files other bytes.
func otherFiles(files fs.FS) fs.FS {
	changed := fstest.MapFS{}
	for path, file := range files.(fstest.MapFS) {
		changed[path] = &fstest.MapFile{Data: bytes.Replace(file.Data, []byte(quoted("two")), []byte(quoted("other")), 1)}
	}
	delete(changed, "data/more.csv.gz")
	changed["data/more.csv"] = &fstest.MapFile{Data: []byte("year,region,region_name,town,town_name,line,amount\r\n2017,1,Region 1,1,Town 1,a,2\r\n")}
	return changed
}
