package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/store"
)

// fileOf gives the path of an embedded store's file.
func fileOf(db string) string {
	path, _ := store.EmbeddedPath(db)
	return path
}

// server is the content of FILE.server, which a server leaves beside its embedded file.
type server struct {
	Address string `json:"address"`
	Token   string `json:"token"`
}

// leave writes FILE.server.
func leave(db string, s server) { write(fileOf(db)+".server", sure(json.Marshal(s))) }

// leftBy reads FILE.server.
func leftBy(t *testing.T, db string) (left server) {
	t.Helper()
	data, err := os.ReadFile(fileOf(db) + ".server")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &left); err != nil {
		t.Fatal(err)
	}
	return left
}

func TestHandOver_RunsTheCommandsOfOthers(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	says(t, must(t, "load", "--db", db, small(), unpacked(t, "example-uruguay")), "budget: version 1, ", "example-uruguay: version 1, ")
	says(t, must(t, "load", "--db", db, small()), "nothing to do")
	says(t, must(t, "list", "--db", db), "\nbudget ", "\nexample-uruguay ")
	says(t, must(t, "versions", "--db", db, "budget"), "\nbudget ")
	says(t, must(t, "migrate", "--db", db), "the store is up to date")
	says(t, must(t, "remove", "--db", db, "budget"), "budget is removed")
	fails(t, exitUnknown, []string{"remove", "--db", db, "budget"}, `no cube "budget"`)
	fails(t, exitRefused, []string{"load", "--db", db, t.TempDir()}, "datapackage.json cannot be read")
	if s.version(t, "budget") != 0 || s.version(t, "example-uruguay") != 1 {
		t.Error("the server does not serve what the commands left")
	}
	s.stop(t)
}

// The server runs in a folder of its own.
func TestHandOver_APathIsThatOfTheCommand(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	folder, name := filepath.Split(small())
	load := startIn(t, folder, nil, "load", "--db", db, name)
	says(t, load.succeed(t), "budget: version 1, ")
	s.stop(t)
}

func TestHandOver_TheServerFileIsForItsUserAlone(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	path := fileOf(db) + ".server"
	if err := os.WriteFile(path, []byte("of a server long gone"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := serve(t, db)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	left := leftBy(t, db)
	if !strings.HasPrefix(left.Address, "127.0.0.1:") || len(left.Token) < 26 {
		t.Errorf("it says %+v", left)
	}
	s.stop(t)
}

func TestHandOver_RefusesAWrongToken(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	left := leftBy(t, db)
	for _, token := range []string{"", "Bearer", "Bearer ", "Bearer wrong", left.Token, "Bearer " + left.Token + "x"} {
		if status := left.post(t, token, `{"args": ["load", "x"]}`); status != http.StatusForbidden {
			t.Errorf("the token %q is answered with %d", token, status)
		}
	}
	for _, body := range []string{"", "{}", `{"args": ["serve"]}`, `{"args": ["validate", "/etc"]}`, `{"args": ["--help"]}`} {
		if status := left.post(t, "Bearer "+left.Token, body); status != http.StatusBadRequest {
			t.Errorf("%s is answered with %d", body, status)
		}
	}
	leave(db, server{left.Address, "wrong"})
	fails(t, exitFailed, []string{"load", "--db", db, small()}, "the server that has "+fileOf(db)+" open refused the command: 403")
	if s.version(t, "budget") != 0 {
		t.Error("it was loaded all the same")
	}
	s.stop(t)
}

// post sends an order with a header Authorization.
func (s server) post(t *testing.T, authorization, body string) (status int) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, "http://"+s.Address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", authorization)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

func TestHandOver_TheServerFileOfAKilledServerDoesNoHarm(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	must(t, "load", "--db", db, small())
	old := leftBy(t, db)
	s.kill(t)
	if leftBy(t, db) != old {
		t.Fatal("the killed server left nothing")
	}
	says(t, must(t, "list", "--db", db), "\nbudget ")
	must(t, "load", "--db", db, grown(t, "another", 1))
	next := serve(t, db)
	if leftBy(t, db).Token == old.Token {
		t.Error("the next server has the token of the last")
	}
	must(t, "remove", "--db", db, "another")
	if next.version(t, "budget") != 1 || next.version(t, "another") != 0 {
		t.Error("the next server does not serve what the commands left")
	}
	next.stop(t)
}

func TestServe_ASecondServerSaysThatTheFileIsInUse(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	left := leftBy(t, db)
	fails(t, exitFailed, []string{"serve", "--db", db, "--addr", "127.0.0.1:0"}, "another process has "+fileOf(db)+" open")
	if leftBy(t, db) != left {
		t.Error("the second server took the file of the first")
	}
	must(t, "list", "--db", db)
	s.stop(t)
}
