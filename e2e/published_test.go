package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/internal/testfolder"
	"fiscube/seeds"
)

// hashedFile is a file as a report cites it.
type hashedFile struct {
	Name, File string
	Found      struct {
		Bytes int
		Hash  string
	}
}

// cited gives the files that the report of a cube cites.
func (s *service) cited(t *testing.T, cube string) []hashedFile {
	t.Helper()
	var report struct{ Resources []hashedFile }
	if s.read(t, "/cubes/"+cube+"/report", &report); len(report.Resources) == 0 {
		t.Fatalf("the report of %s cites no files", cube)
	}
	return report.Resources
}

// givesPublished checks that the files of a cube are given with the hashes that are cited.
func (s *service) givesPublished(t *testing.T, cube string) {
	t.Helper()
	for _, file := range s.cited(t, cube) {
		path, here := strings.CutPrefix(file.File, s.url)
		status, body := s.get(t, path)
		sum := sha256.Sum256(body)
		if !here || status != http.StatusOK || hex.EncodeToString(sum[:]) != file.Found.Hash || len(body) != file.Found.Bytes {
			t.Errorf("%s of %s: %s: %d, %d bytes with the hash %x, cited is %+v", file.Name, cube, file.File, status, len(body), sum, file)
		}
	}
}

// The bytes that a server gives of a file have the hash that it cites.
func TestPublished_HaveTheHashesThatAreCited(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		for _, seed := range seeds.All() {
			s.givesPublished(t, seed.Name)
		}
	})
}

// Without its files a version is as good as with them, and they come when it is loaded again.
func TestKeepFiles(t *testing.T) {
	t.Parallel()
	db := "duckdb:" + filepath.Join(testfolder.New(t), "test.duckdb")
	if r := fiscube(t, "load", "--db", db, "--keep-files", "maybe", "seeds/example-croatia"); r.code != 2 || !strings.Contains(r.err, "yes or no") {
		t.Errorf("%d %s", r.code, r.err)
	}
	must(t, "load", "--db", db, "--keep-files", "no", "seeds/example-croatia")
	s := serve(t, db)
	file := s.cited(t, "example-croatia")[0]
	path := "/cubes/example-croatia/resources/" + url.PathEscape(file.Name)
	if status, body := s.get(t, path); status != http.StatusNotFound || !strings.Contains(string(body), "rows.csv") || file.File != "" {
		t.Errorf("%d %s, cited is %+v", status, body, file)
	}
	if status, _ := s.get(t, path+"/rows.csv"); status != http.StatusOK {
		t.Errorf("the rows: %d", status)
	}
	must(t, "load", "--db", db, "seeds/example-croatia") // handed over to the server
	if status, body := s.get(t, path); status != http.StatusOK || len(body) != file.Found.Bytes {
		t.Errorf("%d, %d bytes", status, len(body))
	}
}
