package storetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// hasFiles checks that all files of a version are there as they were published, and that their hashes are those that it tells.
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

// hasFilesOf checks that the files of these versions are kept, and no others: neither those of these samples, nor what has no hash.
// A store may take its time to remove files.
func (s *subject) hasFilesOf(versions []*cube.Cube, samples ...sample) {
	s.Helper()
	kept, hashes := map[string]bool{}, []string{"", "../test.duckdb", noFile}
	for _, version := range versions {
		if !version.FilesKept {
			continue
		}
		s.hasFiles(version)
		for _, r := range version.Resources {
			kept[r.Found.Hash] = true
		}
	}
	for _, made := range samples {
		text, _ := fs.ReadFile(made.files(), "rows.csv") // which it has
		sum := sha256.Sum256(text)
		hashes = append(hashes, hex.EncodeToString(sum[:]))
	}
	s.eventually("no file left behind", func() bool {
		for _, hash := range hashes {
			if _, err := s.FilePart(s.context(), hash, 0); err == nil != kept[hash] || err != nil && cube.CodeOf(err) != cube.CodeNotKept {
				return false
			}
		}
		got := s.place.Query(s.T, s.Store, "SELECT CAST(count(DISTINCT hash) AS text) FROM (SELECT hash FROM fiscube.version_file UNION ALL SELECT hash FROM fiscube.file_part) f")
		return got[0][0] == strconv.Itoa(len(kept))
	})
}

// noFile is the hash of no file.
var noFile = strings.Repeat("f", 64)

// filesTampered is a content with a file more, amid which something happens; where that gives an error, the file ends with it.
type filesTampered struct {
	catalogue.Content
	happens func() error
}

// Files implements catalogue.Content.
func (c filesTampered) Files() []catalogue.File {
	files := c.Content.Files()
	return append(files, catalogue.File{Hash: noFile, Parts: func(yield func([]byte, error) bool) {
		for part, err := range files[0].Parts {
			if !yield(part, err) {
				return
			}
			if err := c.happens(); err != nil {
				yield(nil, err)
				return
			}
		}
	}})
}
