package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fiscube/internal/golden"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistant is a client of the SDK that knows the words of its questions and nothing else.
type assistant struct {
	*mcp.ClientSession
	base string // where the links of answers lead to
	http string // where they are answered
	read *atomic.Int64
}

// overHTTP connects with a server.
func overHTTP(t testing.TB, s *service) assistant {
	t.Helper()
	return connected(t, &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp"}, s.url, s.url)
}

// overStdio starts fiscube mcp on a store that no server has open.
func overStdio(t testing.TB, db string, wrap func(mcp.Transport) mcp.Transport) assistant {
	t.Helper()
	const base = "https://budgets.example.org"
	cmd := exec.Command(sure(os.Executable()), "mcp", "--db", db, "--public-url", base+"/")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), asProgram+"="+openapi, readsInput+"=1")
	var log output
	cmd.Stderr = &log
	t.Cleanup(func() {
		if text := log.String(); text != "" {
			t.Errorf("fiscube mcp says\n%s", text)
		}
	})
	return connected(t, wrap(&mcp.CommandTransport{Command: cmd}), base, "")
}

func connected(t testing.TB, transport mcp.Transport, base, answered string) assistant {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return assistant{session, base, answered, &atomic.Int64{}}
}

// call calls a tool and gives its result, with rows as objects again. Its text is a sentence.
func (a assistant) call(t testing.TB, tool string, arguments map[string]any) map[string]any {
	t.Helper()
	result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		t.Fatalf("%s %v is refused: %s", tool, arguments, text)
	}
	said := result.StructuredContent.(map[string]any)
	whole := sure(json.Marshal(result))
	a.read.Add(int64(len(whole)))
	most := map[string]int{"search": 6_000, "describe": 12_000, "ask": 8_000, "lines": 8_000}[tool]
	if arguments["pagesize"] != nil || most == 0 {
		most = 30_000
	}
	if arguments["cube"] == nil && tool == "describe" {
		most = 4_000
	}
	if len(whole) > most || json.Valid([]byte(text)) || said["publishers_words"] == nil {
		t.Errorf("%s %v: %d bytes, at most %d: %s", tool, arguments, len(whole), most, text)
	}
	for _, part := range said {
		if answer, ok := part.(map[string]any); ok && answer["columns"] != nil {
			answer["cells"] = asObjects(answer)
		}
	}
	return said
}

// asObjects gives the rows below columns as objects, without what is null.
func asObjects(table map[string]any) []any {
	var list []any
	for _, row := range table["rows"].([]any) {
		o := map[string]any{}
		for i, value := range row.([]any) {
			if value != nil {
				o[table["columns"].([]any)[i].(string)] = value
			}
		}
		list = append(list, o)
	}
	return list
}

// withoutNull leaves out of the objects of a list what is null.
func withoutNull(list any) any {
	rows, ok := list.([]any)
	if !ok {
		return list
	}
	for _, row := range rows {
		maps.DeleteFunc(row.(map[string]any), func(_ string, value any) bool { return value == nil })
	}
	return rows
}

// wordsToNumber is a question of docs/questions.md that an assistant answers from words: what it searches, which of the hits it takes, and
// what it asks about them. In the arguments {hit} is the cut to the first hit, {hit2} to the second, {path} the path of the first, and
// {year}, {approved} and {executed} are what describe says of the cube.
type wordsToNumber struct {
	question  string
	words     []string // one search each
	levels    []string // of the hits that are taken; "" is a cube
	tool      string
	arguments map[string]any
}

var tenQuestions = []wordsToNumber{
	{"What did the bodies of the government, 020, plan and spend in 2018?", []string{"croatia vlada"}, []string{"admin1_code"}, "ask",
		map[string]any{"drilldown": "{dimension}", "cut": "{year}:2018|{hit}", "aggregates": []string{"{approved}.sum", "{executed}.sum"}}},
	{"Which lines of which file make up the wages of the government’s office in 2018?", []string{"croatia vlada", "croatia rashodi za zaposlene"},
		[]string{"admin2_code", "econ2_code"}, "lines",
		map[string]any{"cut": "{year}:2018|{hit}|{hit2}", "fields": "econ3_label|{executed}", "order": "{executed}:desc"}},
	{"What did employees cost, and how much more than the year before?", []string{"croatia rashodi za zaposlene"}, []string{"econ2_code"}, "ask",
		map[string]any{"drilldown": "{year}", "cut": "{hit}", "aggregates": "{executed}.sum", "compare": "{year}:-1"}},
	{"How do I quote the budget of 2018, with its files and a link that keeps giving this number?", []string{"croatia central government"}, []string{""}, "cite",
		map[string]any{"cut": "{year}:2018", "aggregates": "{approved}.sum", "version": 1}},
	{"Which body takes most of the money of the ministries of education and of health?", []string{"croatia education", "croatia health"}, []string{"admin1_code", "admin1_code"}, "tree",
		map[string]any{"dimension": "{dimension}", "cut": "{year}:2018|{either}", "aggregates": "{approved}.sum", "order": "{approved}.sum:desc", "top": 1, "depth": 2}},
	{"What did it get over the years, whatever it was called?", []string{"mexico bienestar"}, []string{"ID_RAMO"}, "ask",
		map[string]any{"drilldown": "{year}", "cut": "{hit}", "aggregates": "{approved}.sum"}},
	{"What does the state cost without its debt, in prices of 2019 too, and per inhabitant?", []string{"uruguay deuda"}, []string{"ORG_ID"}, "ask",
		map[string]any{"drilldown": "{year}", "cut": "!{hit}", "aggregates": "{approved}.sum|real({approved}.sum,2019)|per_head(real({approved}.sum,2019))"}},
	{"What did value added tax bring?", []string{"ingresos valor agregado"}, []string{"ci_partida_codigo"}, "ask",
		map[string]any{"drilldown": "{year}", "cut": "{hit}", "aggregates": "{executed}.sum"}},
	{"What goes to social services, with the parts of it?", []string{"costa rica servicios sociales"}, []string{"cf_clase_codigo"}, "ask",
		map[string]any{"drilldown": "cf_clase_codigo|cf_subclase_codigo", "cut": "{year}:2019|{hit}", "aggregates": "{executed}.sum", "rollup": true}},
	{"And what lies below current revenue, 1.1?", []string{"dominicana ingresos corrientes"}, []string{"economica_titulo"}, "ask",
		map[string]any{"drilldown": "{dimension}", "cut": "{year}:2018|{hit}", "aggregates": "{executed}.sum"}},
}

func TestAssistant_FromTheWordsToTheCitedNumber(t *testing.T) {
	db := seeded.alone(t)
	t.Run("stdio", func(t *testing.T) {
		a := overStdio(t, db, func(t mcp.Transport) mcp.Transport { return t })
		a.settles(t)
		for _, q := range tenQuestions {
			t.Run(q.question, func(t *testing.T) { a.answers(t, q) })
		}
	})
	server := seeded.onDuckDB(t)
	server.settles(t)
	t.Run("http", func(t *testing.T) {
		a := overHTTP(t, server)
		for _, q := range tenQuestions {
			t.Run(q.question, func(t *testing.T) { sameRows(t, server, q, a.answers(t, q)) })
		}
		n := a.read.Load()
		t.Logf("an assistant reads %d bytes for ten questions", n)
		if n > 102_000 {
			t.Error("that is too much")
		}
		a.call(t, "describe", nil)
		for _, cube := range []string{"example-mexico", "example-paraguay"} {
			a.call(t, "describe", map[string]any{"cube": cube})
			a.call(t, "lines", map[string]any{"cube": cube})
		}
		a.call(t, "ask", map[string]any{"cube": "example-mexico", "drilldown": "ID_RAMO|CICLO"})
		a.call(t, "lines", map[string]any{"cube": "example-mexico", "pagesize": 200})
		a.call(t, "describe", map[string]any{"cube": "example-mexico", "level": "ID_UR"})
	})
}

// settles waits until the index of names is read.
func (a assistant) settles(t testing.TB) {
	t.Helper()
	eventually(t, "the index is read", patience, func() bool {
		return a.call(t, "search", map[string]any{"q": "x"})["search"].(map[string]any)["incomplete"] == false
	})
}

// answers finds what the words name, describes the cube and asks; the answer is cited.
func (a assistant) answers(t *testing.T, q wordsToNumber) map[string]any {
	t.Helper()
	var cube string
	var cuts []string
	known := map[string]string{}
	for i, words := range q.words {
		hit := a.find(t, words, q.levels[i])
		cube = hit["cube"].(string)
		if path, ok := hit["path"].(string); ok {
			known["dimension"] = hit["dimension"].(string)
			cuts = append(cuts, known["dimension"]+":"+path)
		}
	}
	for i, cut := range cuts {
		known[[]string{"hit", "hit2"}[i]] = cut
	}
	if len(cuts) == 2 {
		known["either"] = cuts[0] + ";" + strings.TrimPrefix(cuts[1], known["dimension"]+":")
	}
	a.describe(t, cube, known)
	arguments := map[string]any{"cube": cube}
	for name, value := range q.arguments {
		arguments[name] = filled(t, value, known)
	}
	result := a.call(t, q.tool, arguments)
	a.isCited(t, result)
	return result
}

// find gives the first hit of a level.
func (a assistant) find(t testing.TB, words, level string) map[string]any {
	t.Helper()
	found := a.call(t, "search", map[string]any{"q": words})["search"]
	for _, one := range found.(map[string]any)["hits"].([]any) {
		hit := one.(map[string]any)
		if found, _ := hit["level"].(string); found == level && (level != "" || hit["kind"] == "cube") {
			return hit
		}
	}
	t.Fatalf("nothing of %q is called %q: %v", level, words, found)
	return nil
}

// describe notes the level of the year and the measures.
func (a assistant) describe(t testing.TB, cube string, known map[string]string) {
	t.Helper()
	model := a.call(t, "describe", map[string]any{"cube": cube})["model"].(map[string]any)
	for _, one := range model["dimensions"].([]any) {
		if d := one.(map[string]any); d["type"] == "datetime" && known["year"] == "" {
			known["year"] = d["chains"].([]any)[0].([]any)[0].(string)
		}
	}
	for _, one := range model["measures"].([]any) {
		m := one.(map[string]any)
		phase, _ := m["phase"].(string)
		if _, has := known[phase]; !has {
			known[phase] = m["ref"].(string)
		}
	}
}

var inTemplate = regexp.MustCompile(`\{(\w+)\}`)

// filled puts what is known into an argument.
func filled(t testing.TB, value any, known map[string]string) any {
	switch value := value.(type) {
	case string:
		return inTemplate.ReplaceAllStringFunc(value, func(name string) string {
			text := known[strings.Trim(name, "{}")]
			if text == "" {
				t.Fatalf("%s is not known: %v", name, known)
			}
			return text
		})
	case []string:
		list := slices.Clone(value)
		for i, text := range list {
			list[i] = filled(t, text, known).(string)
		}
		return list
	}
	return value
}

// isCited looks whether a result has the citation and the link of its numbers, and the numbers are texts.
func (a assistant) isCited(t *testing.T, result map[string]any) {
	t.Helper()
	for name, part := range result {
		answer, ok := part.(map[string]any)
		if !ok {
			continue
		}
		citation, ok := answer["citation"].(map[string]any)
		if !ok {
			continue
		}
		link, _ := citation["link"].(string)
		if !strings.HasPrefix(link, a.base+"/cubes/") || !strings.Contains(link, "version=1") || len(citation["resources"].([]any)) == 0 {
			t.Errorf("%s has the citation %v", name, citation)
		}
		if name != "sum" && result["link"] != link {
			t.Errorf("the link is %v, of the citation %s", result["link"], link)
		}
		for aggregate, value := range answer["summary"].(map[string]any) {
			amount, isText := value.(string)
			if strings.HasSuffix(aggregate, ".sum") && (!isText || !strings.Contains(digits(citation["text"].(string)), digits(amount))) {
				t.Errorf("%s is %v, and the citation says %s", aggregate, value, citation["text"])
			}
		}
		if page, _ := citation["page"].(string); a.http != "" {
			if response, err := http.Get(page); err != nil || response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
				t.Errorf("%s is no page: %v", page, err)
			}
			var linked struct{ Summary map[string]json.Number }
			status, body := answerTo(t, link)
			if err := json.Unmarshal([]byte(body), &linked); err != nil || status != http.StatusOK {
				t.Fatalf("%s: %d %v", link, status, err)
			}
			for aggregate, value := range answer["summary"].(map[string]any) {
				if amount, ok := value.(string); ok && linked.Summary[aggregate].String() != amount {
					t.Errorf("%s is %s, and at its link %s", aggregate, amount, linked.Summary[aggregate])
				}
			}
		}
		return
	}
	t.Errorf("nothing is cited: %v", result)
}

// digits leaves out what parts the digits of an amount in a sentence, and zeros at the end of decimals.
func digits(text string) string { return strings.NewReplacer(",", "", "\u00a0", "").Replace(text) }

// sameRows compares a result with the answer to the question that docs/questions.md asks.
func sameRows(t *testing.T, s *service, q wordsToNumber, result map[string]any) {
	t.Helper()
	_, below, ok := strings.Cut(questionsText(t), `\. `+q.question+"\n")
	if !ok {
		t.Fatalf("no question %q", q.question)
	}
	link := docQuestion.FindStringSubmatch(below)[1]
	path, query, _ := strings.Cut(link, "?")
	query = strings.TrimSuffix(strings.ReplaceAll(query, "format=csv", ""), "&") + "&numbers=string"
	_, body := answerTo(t, s.url+escaped(path+"?"+query))
	var asked map[string]any
	check(json.Unmarshal([]byte(body), &asked))
	rows := 0
	if asked["facts"] != nil {
		asked["cells"] = asked["facts"]
	}
	for _, name := range []string{"cells", "nodes", "summary"} {
		for part, answer := range result {
			answer, isAnswer := answer.(map[string]any)
			if part == "sum" || !isAnswer || asked[name] == nil || q.tool == "cite" && name == "cells" {
				continue
			}
			rows++
			if got, want := fmt.Sprint(answer[name]), fmt.Sprint(withoutNull(asked[name])); got != want || got == "[]" {
				t.Errorf("%s are\n%s\nand the page is answered\n%s", name, got, want)
			}
		}
	}
	if rows == 0 {
		t.Errorf("nothing of %s is compared with %v", body, result)
	}
}

// What is wrong with a call is said with the code and the hint of the API.
func TestAssistant_MistakesCarryTheHint(t *testing.T) {
	a := overHTTP(t, seeded.onDuckDB(t))
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
		code      string
		says      string
	}{
		{"ask", map[string]any{"cube": "example-croatia", "drilldown": "admn1_code"}, "unknown-ref", "did you mean admin1_code?"},
		{"ask", map[string]any{"cube": "example-croatai"}, "unknown-cube", "did you mean example-croatia?"},
		{"describe", map[string]any{"cube": "atlantis"}, "unknown-cube", "the cubes are example-ciudad-de-mexico, "},
		{"ask", map[string]any{"cube": "example-croatia", "cut": "Year=2018"}, "bad-syntax", `"parameter":"cut"`},
		{"ask", map[string]any{"cube": "example-croatia", "limit": 5}, "unknown-parameter", "did you mean pagesize?"},
		{"ask", map[string]any{"cube": "example-croatia", "format": "csv"}, "unknown-parameter", "the arguments of ask are cube, drilldown"},
		{"ask", map[string]any{"cube": "example-croatia", "cut": map[string]any{"Year": 2018}}, "bad-value", "write it as a text"},
		{"ask", map[string]any{"drilldown": "Year"}, "bad-value", "describe without a cube lists them"},
		{"tree", map[string]any{"cube": "example-croatia", "dimension": "administrative"}, "unknown-level", "administrative-classification"},
		{"lines", map[string]any{"cube": "example-croatia", "cut": "Year:soon"}, "bad-value", "Year"},
		{"cite", map[string]any{"cube": "example-croatia", "version": 7}, "unknown-version", "version"},
		{"describe", map[string]any{"version": 1}, "unknown-parameter", "version"},
		{"search", map[string]any{}, "bad-value", `"parameter":"q"`},
		{"lines", map[string]any{"cube": "example-mexico", "pagesize": 201}, "bad-value", "pagesize is at most 200"},
		{"describe", map[string]any{"cube": "example-mexico", "q": "x"}, "unknown-parameter", "give a level with it"},
		{"ask", map[string]any{"cube": strings.Repeat("x", 100_000)}, "unknown-cube", "xxx…"},
		{"ask", map[string]any{strings.Repeat("x", 100_000): 1}, "unknown-parameter", "xxx…"},
	} {
		result, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
		if err != nil {
			t.Fatal(err)
		}
		text := result.Content[0].(*mcp.TextContent).Text
		if len(text) > 4<<10 || !result.IsError || !strings.Contains(text, `"code":"`+tt.code+`"`) || !strings.Contains(text, tt.says) {
			t.Errorf("%s %v: %s, want %s: %s", tt.tool, tt.arguments, text, tt.code, tt.says)
		}
	}
}

// A call is counted once, however many requests it makes, and is refused as others are.
func TestAssistant_IsLimitedLikeOthers(t *testing.T) {
	s := serve(t, kinds[0].withExamples(t), "--rate", "1")
	a := overHTTP(t, s) // two messages or three
	refused, answered := 0, 0
	for range 8 { // five come at once
		_, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "describe", Arguments: map[string]any{"cube": "example-croatia"}})
		if err == nil {
			answered++
		} else if refused++; !strings.Contains(err.Error(), "Too Many Requests") {
			t.Fatal(err)
		}
	}
	if answered < 2 || refused == 0 {
		t.Errorf("%d calls are answered, %d refused", answered, refused)
	}
}

// TestAssistant_Session plays the session of testdata/assistant.txt again: the messages of a client and what they are answered, from the
// instructions to a mistake. -update writes it anew.
func TestAssistant_Session(t *testing.T) {
	var log output
	a := overStdio(t, kinds[0].withExamples(t), func(t mcp.Transport) mcp.Transport { return &mcp.LoggingTransport{Transport: t, Writer: &log} })
	a.settles(t)
	if _, err := a.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"search", map[string]any{"q": "croatia vlada 2018", "pagesize": 1}},
		{"ask", map[string]any{"cube": "example-croatia", "drilldown": "admin2_code", "cut": "Year:2018|admin1_code:020", "aggregates": "approved_value.sum|executed_vale.sum"}},
		{"ask", map[string]any{"cube": "example-croatia", "drilldown": "admin2_code", "cut": "Year:2018|admin1_code:020", "aggregates": "approved_value.sum|executed_value.sum"}},
		{"lines", map[string]any{"cube": "example-croatia", "cut": "Year:2018|admin2_code:02005|econ2_code:31", "fields": "econ3_label|executed_value"}},
		{"cite", map[string]any{"cube": "example-costa-rica-ingresos", "cut": "ejercicio:2019", "aggregates": "de_monto.sum", "lang": "es"}},
	} {
		if _, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: step.tool, Arguments: step.arguments}); err != nil {
			t.Fatal(err)
		}
	}
	got := "initialize\n" + a.InitializeResult().Instructions + "\n\n" + session(log.String())
	golden.File(t, "e2e/testdata/assistant.txt", got)
}

// The page for assistants says how to connect: its command answers, and so does the program that its file of settings names.
func TestAssistantsDoc_Connects(t *testing.T) {
	page := string(sure(os.ReadFile("docs/assistants.md")))
	server := seeded.onDuckDB(t)
	server.settles(t)
	var settings struct {
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	for _, b := range regexp.MustCompile("(?s)```(sh|json)\n(.*?)```").FindAllStringSubmatch(page, -1) {
		if b[1] == "json" {
			check(json.Unmarshal([]byte(b[2]), &settings))
			continue
		}
		command := strings.ReplaceAll(b[2], "http://127.0.0.1:8080", server.url)
		answer := string(sure(exec.Command("sh", "-c", command).Output()))
		says(t, answer, `"result":{`, `"structuredContent":{"link":`, `"cube":"example-croatia"`)
	}
	program := settings.MCPServers["fiscube"]
	if program.Command != "fiscube" || len(program.Args) != 3 || program.Args[0] != "mcp" || program.Args[1] != "--db" {
		t.Fatalf("the settings are %+v", settings)
	}
	a := overStdio(t, kinds[0].withExamples(t), func(t mcp.Transport) mcp.Transport { return t })
	listed, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range listed.Tools {
		says(t, page, "\n| `"+tool.Name+"` |")
	}
	if rows := strings.Count(page, "\n| `"); rows != len(listed.Tools) {
		t.Errorf("the page has %d tools, the program %d", rows, len(listed.Tools))
	}
}

// session writes the messages of a log from the list of tools on: each that was sent, and below it what it was answered. What every message has, and
// what is said twice, is left out.
func session(log string) string {
	type message struct {
		ID     int
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
		}
		Result *struct {
			Tools   []json.RawMessage
			Content []struct{ Text string }
			IsError bool
		}
	}
	sent, answered := map[int]message{}, map[int]message{}
	first := 0
	for line := range strings.Lines(log) {
		way, text, _ := strings.Cut(line, ": ")
		var m message
		check(json.Unmarshal([]byte(text), &m))
		if m.Method == "tools/list" {
			first = m.ID
		}
		map[string]map[int]message{"write": sent, "read": answered}[way][m.ID] = m
	}
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(sent)) {
		if id < first {
			continue
		}
		m, answer := sent[id], answered[id].Result
		fmt.Fprintf(&b, "> %s %s %s\n", m.Method, m.Params.Name, m.Params.Arguments)
		for _, tool := range answer.Tools {
			fmt.Fprintf(&b, "< %s\n", tool)
		}
		for _, content := range answer.Content {
			fmt.Fprintf(&b, "%s %s\n", map[bool]string{true: "!", false: "<"}[answer.IsError], content.Text)
		}
	}
	return dayOfLoad.ReplaceAllString(b.String(), "$1 …")
}

var dayOfLoad = regexp.MustCompile(`(loaded|cargada el) \d{4}-\d\d-\d\d`)

// What is left out of a result says how to get all of it, and whoever does as it says gets each row once.
func TestAssistant_WhatIsLeftOutCanBeHad(t *testing.T) {
	a := overHTTP(t, seeded.onDuckDB(t))
	shorter := regexp.MustCompile(`^\d+ of the rows are left out; ask with pagesize=(\d+), page by page`)
	for tool, of := range map[string]struct {
		part, total string
		given       map[string]any
	}{
		"ask": {"answer", "total_cell_count", map[string]any{"drilldown": "ID_RAMO|ID_PARTIDA_GENERICA|CICLO"}},
		"lines": {"lines", "total_fact_count", map[string]any{
			"fields": "DESC_RAMO|DESC_UR|DESC_PP|DESC_AI|DESC_CONCEPTO|DESC_PARTIDA_GENERICA|MONTO_APROBADO|_resource|_line", "pagesize": 200}},
	} {
		given := maps.Clone(of.given)
		given["cube"], given["cut"] = "example-mexico", "CICLO:2010..2013"
		rows, cuts := map[string]bool{}, 0
		for page := 1; ; page++ {
			result := a.call(t, tool, given)
			part := result[of.part].(map[string]any)
			if size := shorter.FindStringSubmatch(fmt.Sprint(result["left_out"])); size != nil { // begin again, with shorter pages
				given["pagesize"], page = size[1], 0
				delete(given, "after")
				delete(given, "page")
				clear(rows)
				cuts++
				continue
			}
			for _, row := range part["rows"].([]any) {
				rows[fmt.Sprint(row)] = true
			}
			if given["after"] = part["next"]; tool == "ask" {
				delete(given, "after")
				given["page"] = page + 1
			}
			if given["after"] == nil && (tool == "lines" || len(part["rows"].([]any)) == 0) {
				if want := fmt.Sprint(part[of.total]); cuts == 0 || want != fmt.Sprint(len(rows)) {
					t.Errorf("%s: %d rows of %s came, after %d cuts", tool, len(rows), want, cuts)
				}
				break
			}
		}
	}
}

// A line that is no message is answered, and the session goes on.
func TestAssistant_GoesOnAfterJunk(t *testing.T) {
	in := strings.Join([]string{"not json", `{}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "[1]", strings.Repeat("x", 2<<20), `{"jsonrpc":"2.0","id":5,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 2000) + `","method":"ping"}`, `{"jsonrpc":"2.0","id":6,"method":"` + strings.Repeat("x", 2000) + `"}`}, "\n")
	cmd := exec.Command(sure(os.Executable()), "mcp", "--db", "duckdb::memory:")
	cmd.Dir, cmd.Env, cmd.Stdin = t.TempDir(), append(os.Environ(), asProgram+"="+openapi, readsInput+"=1"), strings.NewReader(in+"\n")
	said := string(sure(cmd.Output()))
	for code, times := range map[string]int{`"id":null,"error":{"code":-32700`: 1, `"id":null,"error":{"code":-32600`: 5, `"id":5,"result":{}`: 1, `"id":6,"error":{`: 1, strings.Repeat("x", 61): 0} {
		if strings.Count(said, code) != times {
			t.Errorf("%s stands not %d times in\n%s", code, times, said)
		}
	}
}

// A file that a server has open is the server's, which answers assistants itself.
func TestAssistant_SaysWhereTheFileIsOpen(t *testing.T) {
	db := freshDuckDB(t)
	serve(t, db)
	fails(t, exitFailed, []string{"mcp", "--db", db}, "another process has", "connect the assistant with its /mcp")
}
