package api_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"fiscube/cube"
)

// keeper is a store that has files as they were published.
type keeper struct {
	*fake
	files map[string]string
	after func() // is called after each part
}

const partOfFake = 1000

func (k keeper) FilePart(_ context.Context, hash string, from int64) ([]byte, error) {
	file, ok := k.files[hash]
	if !ok {
		return nil, cube.Errorf(cube.CodeNotKept, "gone")
	}
	if k.after != nil {
		defer k.after()
	}
	end := min((from/partOfFake+1)*partOfFake, int64(len(file)))
	return []byte(file[from:end]), nil
}

// havingFile is a store with a resource whose bytes are a text.
func havingFile(t *testing.T, text string) (keeper, string) {
	t.Helper()
	k := keeper{fake: newFake(t), files: map[string]string{}}
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	k.files[hash] = text
	c := k.cubes[0]
	c.FilesKept = true
	c.Resources = []cube.Resource{{Name: "../a b", Path: "data/Año 1.csv.gz", Encoding: "ISO-8859-1", Found: cube.Found{Hash: hash, Bytes: int64(len(text))}}}
	return k, hash
}

const published = "/cubes/croatia/resources/..%2Fa%20b"

// Whoever has a hash that is cited gets the bytes that have it, in no coding, whole and in parts.
func TestPublished(t *testing.T) {
	text := "code,paid\r\n" + strings.Repeat("31,4384399\r\n", 500)
	k, hash := havingFile(t, text)
	h := handler(t, k)
	sum, _ := hex.DecodeString(hash)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r := send(t, h, method, published, "Accept-Encoding", "gzip, zstd")
		for name, want := range map[string]string{
			"Etag": `"` + hash + `"`, "Repr-Digest": "sha-256=:" + base64.StdEncoding.EncodeToString(sum) + ":", "Content-Type": "text/csv; charset=iso-8859-1",
			"Content-Disposition": "attachment; filename*=utf-8''A%C3%B1o%201.csv", "Accept-Ranges": "bytes", "Content-Length": "6011", "Content-Encoding": "",
		} {
			if got := r.header.Get(name); got != want {
				t.Errorf("%s: %s is %s, want %s", method, name, got, want)
			}
		}
		if want := map[string]string{http.MethodGet: text}[method]; r.status != http.StatusOK || r.body != want {
			t.Errorf("%s: %d, %d bytes", method, r.status, len(r.body))
		}
	}
	for _, tt := range []struct {
		name, ranges, ifRange string
		status                int
		want                  string
	}{
		{"the start", "bytes=0-8", "", 206, text[:9]},
		{"across parts", "bytes=998-3001", "", 206, text[998:3002]},
		{"the end", "bytes=-5", "", 206, text[len(text)-5:]},
		{"from", "bytes=6000-", "", 206, text[6000:]},
		{"of the same", "bytes=5-9", `"` + hash + `"`, 206, text[5:10]},
		{"of another", "bytes=5-9", `"other"`, 200, text},
		{"behind the end", "bytes=6011-", "", 416, ""},
		{"no range", "lines=1-2", "", 416, ""},
	} {
		r := ask(t, h, published, "Range", tt.ranges, "If-Range", tt.ifRange)
		if r.status != tt.status || tt.want != "" && r.body != tt.want {
			t.Errorf("%s: %d %q", tt.name, r.status, r.body)
		}
	}
	r := ask(t, h, published, "Range", "bytes=0-1,1200-1204")
	_, parameters, _ := mime.ParseMediaType(r.header.Get("Content-Type"))
	parts := multipart.NewReader(strings.NewReader(r.body), parameters["boundary"])
	for _, want := range []string{text[:2], text[1200:1205]} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err, r.status, r.header)
		}
		if got, _ := io.ReadAll(part); string(got) != want {
			t.Errorf("a part is %q, want %q", got, want)
		}
	}
	if r := ask(t, h, published, "If-None-Match", `"`+hash+`"`); r.status != http.StatusNotModified || r.body != "" {
		t.Errorf("%d %q", r.status, r.body)
	}
	var cited struct{ Resources []struct{ Hash, File string } }
	if ask(t, h, "/cubes/croatia").read(t, &cited); cited.Resources[0].File != "http://example.com"+published+"?version=3" || cited.Resources[0].Hash != hash {
		t.Errorf("cited is %+v", cited)
	}
	if r := ask(t, h, cited.Resources[0].File); r.body != text || r.header.Get("Cache-Control") != "max-age=86400" {
		t.Errorf("%d %v", r.status, r.header)
	}
}

// An empty file is one like any other.
func TestPublished_Empty(t *testing.T) {
	k, _ := havingFile(t, "")
	if r := ask(t, handler(t, k), published); r.status != http.StatusOK || r.header.Get("Content-Length") != "0" {
		t.Errorf("%d %v", r.status, r.header)
	}
}

// Where nobody has the bytes the answer leads to the rows, and nothing else leads to the bytes.
func TestPublished_NotKept(t *testing.T) {
	for name, change := range map[string]func(*keeper){
		"an earlier release": func(k *keeper) { k.cubes[0].FilesKept = false },
		"a lost folder":      func(k *keeper) { clear(k.files) },
	} {
		k, hash := havingFile(t, "a,b\r\n")
		change(&k)
		h := handler(t, k)
		for _, ranges := range []string{"", "bytes=2-3"} {
			if p := ask(t, h, published, "Range", ranges).problem(t); p.Code != cube.CodeNotKept || !strings.Contains(p.Context.Hint, "rows.csv") {
				t.Errorf("%s: %+v", name, p)
			}
		}
		if r := ask(t, h, "/cubes/croatia"); !k.cubes[0].FilesKept && strings.Contains(r.body, `"file"`) || !strings.Contains(r.body, hash) {
			t.Errorf("%s: %s", name, r.body)
		}
	}
	if p := ask(t, handler(t, newFake(t)), "/cubes/croatia/resources/a").problem(t); p.Code != cube.CodeNotKept {
		t.Errorf("%+v", p)
	}
}

// What goes while it is sent is cut, and never ended as if it were whole.
func TestPublished_GoesMeanwhile(t *testing.T) {
	k, hash := havingFile(t, strings.Repeat("0123456789", 1000))
	k.after = func() { delete(k.files, hash) }
	defer func() {
		if cause, ok := recover().(error); !ok || !errors.Is(cause, http.ErrAbortHandler) {
			t.Errorf("the answer ends with %v", cause)
		}
	}()
	ask(t, handler(t, k), published)
}
