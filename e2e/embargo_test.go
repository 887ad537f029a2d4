package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const readSecret = "a-token-of-readers-alone"

// said is what a server answers, without what is of the moment.
type said struct {
	status int
	header http.Header
	body   string
}

// say sends a request with a token, or with none.
func (s *service) say(t testing.TB, method, path, body, token string) said {
	t.Helper()
	request := sure(http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body)))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response := sure(http.DefaultClient.Do(request))
	defer func() { _ = response.Body.Close() }()
	text := string(sure(io.ReadAll(response.Body)))
	text = strings.ReplaceAll(text, response.Header.Get("X-Request-Id"), "id")
	for _, name := range []string{"X-Request-Id", "Date", "Server-Timing", "Retry-After"} {
		response.Header.Del(name)
	}
	return said{response.StatusCode, response.Header, text}
}

// hidden is the cube that the examples of openapi.yaml ask.
const hidden = "example-croatia"

// everyDoor gives the requests of all routes that read: those of openapi.yaml, and others that lead to a cube in another way.
func everyDoor(t testing.TB, s *service) (list [][3]string) {
	t.Helper()
	for path, item := range reference(t).Paths.Map() {
		if item.Get == nil || strings.HasPrefix(path, "/jobs") || strings.HasPrefix(path, "/publish") || path == "/metrics" || path == "/docs/{file}" {
			continue
		}
		questions := []string{""}
		if question := questioned[item.Get.OperationID]; question != "" {
			questions = append(questions, strings.ReplaceAll(question, "http://localhost:8080", s.url))
		}
		for _, question := range questions {
			list = append(list, [3]string{"GET", withExamples(path, item) + "?" + escaped(question), ""})
		}
	}
	for _, path := range []string{
		"/?q=sabor", "/?q=croatia", "/?q=sabor&cube=" + hidden, "/search?q=croatia", "/search?q=sabor&cube=" + hidden, "/explore/example-croati", "/cubes/example-croati",
		"/functions?in=shares&cubes=" + hidden, "/api/3/search/package?q=croatia", "/explore/" + hidden + ".svg?drilldown=Year", "/explore/" + hidden + ".png?drilldown=Year",
		"/cubes/" + hidden + "/aggregate?version=1", "/cubes/" + hidden + "/aggregate?version=7", "/cubes/" + hidden + "/aggregate?format=csv", "/cubes/" + hidden + "/",
		"/oembed?url=" + url.QueryEscape(s.url+"/embed/"+hidden+"?drilldown=Year"), "/embed/" + hidden + "?drilldown=Year&lang=hr",
	} {
		list = append(list, [3]string{"GET", path, ""})
	}
	call := func(tool, arguments string) {
		list = append(list, [3]string{"POST", "/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)})
	}
	call("describe", `{}`)
	call("describe", `{"cube":"`+hidden+`"}`)
	call("search", `{"q":"sabor"}`)
	slices.SortFunc(list, func(a, b [3]string) int { return strings.Compare(strings.Join(a[:], " "), strings.Join(b[:], " ")) })
	return append(list, [3]string{"POST", "/cubes/" + hidden + "/batch", `{"questions": ["drilldown=Year"]}`})
}

// A cube that one sees with a token alone is to others as if it had never been loaded, at every door, whatever was answered to those who
// see it; a cube that is not listed is found by its name.
func TestEmbargo(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, "seeds/example-uruguay")
		s := serve(t, db, "--token", secret, "--read-token", readSecret, "--answer-cache", "64MB")
		s.settles(t)
		list := everyDoor(t, s)
		before := make([]said, len(list))
		for i, d := range list {
			before[i] = s.say(t, d[0], d[1], d[2], "")
		}
		is := func(name, token string, status int) {
			t.Helper()
			eventually(t, fmt.Sprint(name, " answers ", status), patience, func() bool { return s.say(t, "GET", "/cubes/"+name, "", token).status == status })
		}
		must(t, "load", "--db", db, "--visibility", "token", "seeds/"+hidden)
		must(t, "load", "--db", db, "--visibility", "unlisted", "seeds/example-dominicana")
		is(hidden, readSecret, http.StatusOK)
		is("example-dominicana", "", http.StatusOK)
		eventually(t, "all can be searched", patience, func() bool {
			return strings.Contains(s.say(t, "GET", "/search?q=sabor", "", readSecret).body, `"incomplete":false`)
		})

		asBefore := func(token string) {
			t.Helper()
			for i, d := range list {
				now := s.say(t, d[0], d[1], d[2], token)
				if now.status != before[i].status || now.body != before[i].body || fmt.Sprint(now.header) != fmt.Sprint(before[i].header) {
					t.Errorf("%s %s %s with token %q\nanswers %d %v\n%.2000s\nand before %d %v\n%.2000s", d[0], d[1], d[2], token, now.status, now.header, now.body,
						before[i].status, before[i].header, before[i].body)
				}
			}
		}
		asBefore("")
		for _, token := range []string{readSecret, secret} {
			open := 0
			for i, d := range list {
				now := s.say(t, d[0], d[1], d[2], token)
				control := now.header.Get("Cache-Control")
				if control != "private, no-cache" && control != "no-store" || !strings.Contains(now.header.Get("Vary"), "Authorization") {
					t.Errorf("%s with a token may be kept: %v", d[1], now.header)
				}
				if now.body != before[i].body && strings.Contains(d[1]+d[2], hidden) && now.status == http.StatusOK {
					open++
				}
			}
			if open < 30 {
				t.Errorf("only %d doors to the cube are open with a token", open)
			}
		}
		asBefore("")
		asBefore("not-the-token-of-readers")
		if _, page := s.get(t, "/metrics"); bytes.Contains(page, []byte(hidden)) || bytes.Contains(page, []byte("dominicana")) {
			t.Errorf("the metrics of everybody name what is not public")
		}
		if r := s.say(t, "DELETE", "/cubes/"+hidden, "", readSecret); r.status != http.StatusUnauthorized {
			t.Errorf("who may read may remove: %d", r.status)
		}

		for _, path := range []string{"/explore/example-dominicana", "/search?q=dominicana&cube=example-dominicana", "/cubes/example-dominicana/aggregate"} {
			if r := s.say(t, "GET", path, "", ""); r.status != http.StatusOK || !strings.Contains(r.body, "dominicana") {
				t.Errorf("who knows the name of a cube is answered %d at %s", r.status, path)
			}
		}
		listing := regexp.MustCompile(hidden + ` .* token .*`)
		if out := must(t, "list", "--db", db); !listing.MatchString(out) {
			t.Errorf("no cube with a token in\n%s", out)
		}
		must(t, "load", "--db", db, "seeds/"+hidden) // which says nothing of who sees it
		is(hidden, "", http.StatusNotFound)
		must(t, "visibility", "--db", db, hidden, "listed")
		is(hidden, "", http.StatusOK)
		must(t, "load", "--db", db, "--visibility", "token", "seeds/"+hidden) // nothing else is new
		is(hidden, "", http.StatusNotFound)
		is(hidden, secret, http.StatusOK)
		asBefore("")
		fails(t, exitUnknown, []string{"visibility", "--db", db, "planet", "token"}, `no cube "planet"`)
		fails(t, exitUsage, []string{"visibility", "--db", db, hidden, "secret"}, "it has to be listed, unlisted or token")
		s.stop(t)
	})
}

// A package that is sent can be for those with a token from its first moment.
func TestEmbargo_OfAPackageThatIsSent(t *testing.T) {
	t.Parallel()
	s := serve(t, freshDuckDB(t), "--token", secret)
	must(t, s.there(t, "load", "--visibility", "token", "seeds/"+hidden)...)
	if r := s.say(t, "GET", "/cubes/"+hidden, "", ""); r.status != http.StatusNotFound {
		t.Errorf("without a token it answers %d", r.status)
	}
	if r := s.say(t, "GET", "/cubes/"+hidden, "", secret); r.status != http.StatusOK {
		t.Errorf("with the token it answers %d", r.status)
	}
	if r := s.say(t, "POST", "/cubes?visibility=everybody", "{}", secret); r.status != http.StatusBadRequest || !strings.Contains(r.body, "write listed, unlisted or token") {
		t.Errorf("an unknown visibility is answered %d %s", r.status, r.body)
	}
	s.stop(t)
}
