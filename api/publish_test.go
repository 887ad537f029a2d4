package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fiscube/api/jobs"
	"fiscube/api/publish"
	"fiscube/cube"
	"fiscube/cube/findings"
)

// describer is a Describer for which every file has an office and an amount, and asks for the currency.
type describer struct{}

// Describe implements publish.Describer.
func (describer) Describe(_ context.Context, files fs.FS, paths []string, said publish.Said) (*publish.Read, error) {
	text, err := fs.ReadFile(files, paths[0])
	if err != nil {
		return nil, err
	}
	read := &publish.Read{
		Name: "town", Readings: []string{"level", "amount"},
		Columns:   []publish.Column{{Name: "a\u202e<b>", Cells: []string{string(text)}, Reading: "level", Why: cube.Titles{"en": "because", "es": "porque sí"}}, {Name: "office_name", Reading: "label"}},
		Levels:    []publish.Level{{Field: "office", Dimension: "d"}, {Field: "unit", Parent: "office", Dimension: "d"}},
		Questions: []findings.Question{{Key: "title", Default: "Town"}, {Key: "currency", Text: cube.Titles{"en": "Currency"}}, {Key: "phase:x", Text: cube.Titles{"en": "Phase", "es": "Fase"}, Amount: "x", Choices: []string{"approved", "executed"}, Default: "approved"}},
		Totals:    []publish.Total{{Year: "2024", Measure: "amount", Sum: "1234.5"}}, Descriptor: []byte("{}"), Overlay: []byte("title: x\n"),
		Doubts: []cube.Titles{{"en": "Two ways", "es": "Dos <maneras>"}},
	}
	if said.Year == "never" {
		read.Problems = []publish.Problem{{Kind: publish.NoYear, Text: "the cells say"}, {Kind: publish.BadAnswer, About: "currency", Text: "no currency"}}
	}
	return read, nil
}

// Tables implements publish.Describer.
func (describer) Tables(io.ReaderAt, int64) (fs.FS, []string, error) {
	return nil, nil, errors.New("there are none")
}

// Fetch implements publish.Describer.
func (describer) Fetch(_ context.Context, address string, _ int64) (io.ReadCloser, string, error) {
	if strings.Contains(address, "private") {
		return nil, "", cube.Errorf(cube.CodeBadPackage, "%s cannot be read: its address is private", address)
	}
	return io.NopCloser(strings.NewReader("fetched")), path.Base(address), nil
}

// form sends a form with files, or without one of fields alone, and gives the answer and where it leads.
func (q *queue) form(t *testing.T, target string, fields url.Values, files map[string]string, headers ...string) response {
	t.Helper()
	body, media := bytes.NewBufferString(fields.Encode()), "application/x-www-form-urlencoded"
	if files != nil {
		body = &bytes.Buffer{}
		w := multipart.NewWriter(body)
		for name, values := range fields {
			_ = w.WriteField(name, values[0])
		}
		for name, text := range files {
			part, err := w.CreateFormFile("files", name)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.WriteString(part, text)
		}
		_ = w.Close()
		media = w.FormDataContentType()
	}
	return q.postTo(t, target, media, body, headers...)
}

// draft begins a draft and gives its id.
func (q *queue) draft(t *testing.T) string {
	t.Helper()
	r := q.form(t, "/publish", nil, map[string]string{`C:\files\my town.csv`: "a,b"})
	if r.status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", r.status, r.body)
	}
	return path.Base(r.header.Get("Location"))
}

func (q *queue) page(t *testing.T, target string) string {
	t.Helper()
	r := ask(t, q.Handler, target, "Authorization", "Bearer "+secret, "Accept", "text/html")
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d: %s", target, r.status, r.body)
	}
	return r.body
}

func field(kind, about string) string {
	return kind + "." + base64.RawURLEncoding.EncodeToString([]byte(about))
}

func TestPublish_PageOfADraft(t *testing.T) {
	q := newQueue(t, nil)
	draft := "/publish/" + q.draft(t)
	page := q.page(t, draft+"?lang=es")
	says(t, page, "<h1>Town</h1>", "<h3>a&lt;b&gt;</h3>", ">nivel, según sus celdas</option>", "<li><strong>unit</strong>",
		"Fase</label>", "<p>porque sí</p>", `<summary>Cambiar «office»</summary>`, `<option value="approved" selected>aprobados</option>`, "1.234,5", "<li>my town.csv</li>", "<li>Dos &lt;maneras&gt;</li>")
	saved := q.form(t, draft+"?lang=es", url.Values{
		field("answer", "currency"): {"uyu"}, field("answer", "title"): {"Town"}, field("was", "title"): {"Town"}, field("answer", "phase:x"): {"executed"}, field("was", "phase:x"): {"approved"},
		field("printed", "2024\namount"): {"1.234,75"}, field("reading", "a\u202e<b>"): {"amount"}, "licence": {"CC-BY-4.0"},
	}, nil)
	if location := saved.header.Get("Location"); location != "../publish/"+path.Base(draft)+"?lang=es#problems" {
		t.Errorf("saving leads to %s", location)
	}
	says(t, q.page(t, draft+"?lang=es"), `value="uyu"`, "difiere en 0,25", `<option value="amount" selected>`, `value="CC-BY-4.0"`, `<option value="executed" selected>`)
	var data struct {
		Questions []struct{ Key, Answer string }
		Totals    []struct{ Printed, Difference string }
	}
	ask(t, q.Handler, draft, "Authorization", "Bearer "+secret).read(t, &data)
	if len(data.Questions) != 3 || data.Questions[0].Answer != "" || data.Questions[1].Answer != "uyu" || data.Totals[0].Difference != "0.25" {
		t.Errorf("%+v", data)
	}
	q.form(t, draft, url.Values{field("printed", "2024\namount"): {"1,234.50"}, "year": {"never"}, "do": {"publish"}}, nil)
	page = q.page(t, draft+"?lang=en")
	says(t, page, "✓ agrees", `<a href="#year">The files do not say the fiscal year.`, `<a href="#`+field("answer", "currency")+`">An answer cannot be taken.</a><br><span lang="en">no currency</span>`, `value="never"`)
	if strings.Contains(page, `value="publish"`) || strings.Contains(page, "Being published") {
		t.Error("it is published although something is in the way")
	}
}

func TestPublish_Files(t *testing.T) {
	q := newQueue(t, nil)
	draft := "/publish/" + q.draft(t)
	for name, tt := range map[string]struct {
		target string
		fields url.Values
		files  map[string]string
		status int
	}{
		"another kind":         {"/publish", nil, map[string]string{"a.pdf": "x"}, http.StatusUnsupportedMediaType},
		"no file":              {"/publish", nil, map[string]string{}, http.StatusBadRequest},
		"too large":            {"/publish", nil, map[string]string{"a.csv": strings.Repeat("x", 1<<20+2000)}, http.StatusRequestEntityTooLarge},
		"the only one removed": {draft + "/files", url.Values{"gone": {"my town.csv"}}, map[string]string{}, http.StatusConflict},
		"no draft":             {"/publish/AAAAAAAAAAAAAAAAAAAAAAAAAA/files", nil, map[string]string{"a.csv": "x"}, http.StatusNotFound},
		"no id":                {"/publish/..%2f..%2fetc", url.Values{"do": {"discard"}}, nil, http.StatusNotFound},
	} {
		if r := q.form(t, tt.target, tt.fields, tt.files); r.status != tt.status {
			t.Errorf("%s: %d: %s", name, r.status, r.body)
		}
	}
	fetched := q.form(t, "/publish", url.Values{"address": {" https://town.example/get "}}, map[string]string{})
	if page := q.page(t, "/publish/"+path.Base(fetched.header.Get("Location"))); !strings.Contains(page, "<li>get.csv</li>") {
		t.Error("nothing is fetched")
	}
	q.form(t, "/publish/"+path.Base(fetched.header.Get("Location")), url.Values{"do": {"discard"}}, nil)
	refused := q.form(t, "/publish?lang=es", url.Values{"address": {"http://private.example/a.csv"}}, map[string]string{}, "Accept", "text/html")
	if refused.status != http.StatusBadRequest {
		t.Errorf("a private address: %d", refused.status)
	}
	says(t, refused.body, `value="http://private.example/a.csv" autocomplete="off" aria-describedby="address-hint refused" aria-invalid="true"`, "No se pudo traer ningún archivo de ahí.", "its address is private")
	q.form(t, draft+"/files", url.Values{"gone": {"my town.csv"}}, map[string]string{"../../other.CSV": "c"})
	if page := q.page(t, draft); !strings.Contains(page, "<li>other.CSV</li>") || strings.Contains(page, "my town.csv") {
		t.Error("the file is not replaced")
	}
	left, _ := filepath.Glob(filepath.Join(q.temp, "drafts", "*"))
	if len(left) != 1 {
		t.Errorf("there are %q", left)
	}
	if r := q.form(t, draft, url.Values{"do": {"discard"}}, nil); r.header.Get("Location") != "../publish" {
		t.Errorf("discarding leads to %s", r.header.Get("Location"))
	}
	if r := ask(t, q.Handler, draft, "Authorization", "Bearer "+secret); r.status != http.StatusNotFound {
		t.Errorf("a draft that was discarded: %d", r.status)
	}
}

// What is published goes into the queue of loads, and meanwhile the draft stays as it is.
func TestPublish_Loads(t *testing.T) {
	release, got := make(chan error), make(chan jobs.Source, 1)
	q := newQueue(t, func(_ context.Context, source jobs.Source, _ jobs.Progress) (findings.Loaded, error) {
		got <- source
		return findings.Loaded{}, <-release
	})
	q.run(t)
	draft := "/publish/" + q.draft(t)
	q.form(t, draft, url.Values{"do": {"publish"}}, nil)
	source := <-got
	if text, err := fs.ReadFile(source.Made.Files, "my town.csv"); err != nil || string(text) != "a,b" || string(source.Made.Descriptor) != "{}" {
		t.Errorf("the loader gets %s, %v", text, err)
	}
	r := ask(t, q.Handler, draft+"?lang=en", "Authorization", "Bearer "+secret, "Accept", "text/html")
	if says(t, r.body, "Being published"); !strings.HasPrefix(r.header.Get("Refresh"), "2; url=../publish/") {
		t.Errorf("it asks again %q", r.header.Get("Refresh"))
	}
	if r := q.form(t, draft, url.Values{"year": {"2024"}}, nil); r.status != http.StatusConflict {
		t.Errorf("it is changed meanwhile: %d", r.status)
	}
	release <- &jobs.Refused{Problems: []string{"a <bad> line"}}
	waitFor(t, func() bool { return strings.Contains(q.page(t, draft+"?lang=en"), "Nothing was published.") })
	says(t, q.page(t, draft), "<li>a &lt;bad&gt; line</li>")
}

func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for range 500 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("never")
}

// A browser that showed the token has a session, whose cookie says nothing of it, and which other sites cannot use.
func TestPublish_Session(t *testing.T) {
	q := newQueue(t, nil)
	send := func(target string, headers ...string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodPost, target, strings.NewReader("token="+secret))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(headers); i += 2 {
			request.Header.Set(headers[i], headers[i+1])
		}
		r := httptest.NewRecorder()
		q.ServeHTTP(r, request)
		return r
	}
	r := send("/publish/session?lang=hr", "Origin", "http://example.com")
	cookie := r.Header().Get("Set-Cookie")
	if r.Code != http.StatusSeeOther || r.Header().Get("Location") != "../publish?lang=hr" || strings.Contains(cookie, secret) ||
		!strings.Contains(cookie, "HttpOnly; SameSite=Strict") || strings.Contains(cookie, "Secure") {
		t.Errorf("%d, %v", r.Code, r.Header())
	}
	value, _, _ := strings.Cut(cookie, ";")
	says(t, ask(t, q.Handler, "/publish?lang=hr", "Cookie", value, "Accept", "text/html").body, "Objavite proračun", `enctype="multipart/form-data"`)
	if page := ask(t, q.Handler, "/publish?lang=en", "Cookie", value+"A", "Accept", "text/html"); page.status != http.StatusUnauthorized {
		t.Errorf("another session is let in: %d", page.status)
	}
	draft := "/publish/" + q.draft(t)
	if r := send(draft+"?lang=es", "Accept", "text/html"); r.Code != http.StatusUnauthorized || !strings.Contains(r.Body.String(), "recargue esta página") {
		t.Errorf("a form without a session: %d %s", r.Code, r.Body)
	}
	for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
		if r := send(draft, append(headers, "Cookie", value)...); r.Code != http.StatusForbidden {
			t.Errorf("%v: %d", headers, r.Code)
		}
	}
	if r := send(draft, "Cookie", value, "Sec-Fetch-Site", "same-origin", "Origin", "http://example.com"); r.Code != http.StatusSeeOther {
		t.Errorf("its own form: %d", r.Code)
	}
}

// Drafts outlive the process for seven days after their last change.
func TestPublish_DraftsExpire(t *testing.T) {
	q := newQueue(t, nil)
	id := q.draft(t)
	folder := filepath.Join(q.temp, "drafts")
	file := filepath.Join(folder, id, "draft.json")
	for age, want := range map[time.Duration]int{6 * 24 * time.Hour: http.StatusOK, 8 * 24 * time.Hour: http.StatusNotFound} {
		then := time.Now().Add(-age)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
		if r := ask(t, q.Handler, "/publish/"+id, "Authorization", "Bearer "+secret); r.status != want {
			t.Errorf("after %s: %d", age, r.status)
		}
	}
	then := time.Now().Add(-8 * 24 * time.Hour)
	_ = os.Chtimes(file, then, then)
	q.draft(t)
	if left, _ := os.ReadDir(folder); len(left) != 1 || left[0].Name() == id {
		t.Errorf("%v are left", left)
	}
}
