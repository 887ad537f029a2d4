package api_test

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/api/jobs"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// The stories in testdata/answers are about the answers that are not pages. Besides the lines of all stories these say how it is served, and what
// the store has where a row of a budget cannot say it:
//
//	serve {"kept":1000000}            as Options has it, by the names of serving
//	finds 2: 3.5 2                    to every question so many groups, and the parts of their sum; alone: what the rows come to again
//	cell [2016,"010"] ["Sabor"] 3 -   a group: its keys, its labels, its parts
//	fact {"Year":2014,"_line":2}      a row as it is in a file
//	absent {"Sabo":["Sabor"]}         members that are not there, and what is near them
//	fails unavailable it is away      every question, behind what is found, with a code, its message and perhaps its cause; without a code for a reason that callers do not learn
//	is away                           also the catalogue
//	is empty                          nothing is loaded
//
// <<x*1000>> in a line stands for a thousand times x.
//
// A request is an address, before which its method may stand and behind which header and body do:
//
//	POST /cubes/croatia/batch Accept: */* | Origin: http://localhost < {"questions":[""]}
//
// Of its answer the story has the status and what is shown: fields of the header, values of JSON by their pointers (RFC 6901; * is each), "asked",
// which counts the statements that the store was asked, "dataset", by which a page describes its data to search engines, "files" of an archive, what is in the "log", and "body". {ETag} and {/next} in a request are of the answer before. Links of the header are followed.
var asking = regexp.MustCompile(`^(?:([A-Z]+) )?(/\S*)(?: ([A-Z][\w-]*: .*?))?(?: < (.*))?$`)

// serving is how a story wants to be served.
type serving struct {
	Kept         int64
	Public       string
	Rate         float64
	Trust, Local bool
	Token        bool // for loads, which are not begun
	Allow        []string
}

// canned is what the store of a story answers whatever it is asked.
type canned struct {
	serving serving
	cells   []row // the first is the sum
	facts   []map[string]any
	err     error
	asked   int // statements
	log     logged
	last    response
}

// prepare takes a line that says what is there; it is false for others.
func (s *story) prepare(verb, rest string) bool {
	s.Helper()
	switch verb {
	case "serve":
		s.canned.serving, s.handler = serving{}, nil
		s.must(json.Unmarshal([]byte(rest), &s.canned.serving))
	case "finds":
		count, sums, _ := strings.Cut(rest, ":")
		s.canned.cells, s.canned.err = nil, nil
		if n, err := strconv.ParseInt(count, 10, 64); err == nil {
			s.canned.cells = []row{{Count: n, Values: partsIn(sums)}}
		}
	case "cell":
		s.canned.cells = append(s.canned.cells, s.cell(rest))
	case "fact":
		var cells map[string]any
		s.read(rest, &cells)
		s.canned.facts = append(s.canned.facts, cells)
	case "absent":
		s.read(rest, &s.store.absent)
	case "fails":
		s.canned.err = failure(rest)
	case "is":
		if rest == "empty" {
			s.store.cubes = nil
			return true
		}
		s.store.catalogErr, s.store.readyErr = cube.Errorf(cube.CodeUnavailable, "it is %s", rest), errors.New("secret")
	default:
		return false
	}
	return true
}

// failure is the error of a store.
func failure(text string) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded} {
		if text == known.Error() {
			return fmt.Errorf("run: %w", known)
		}
	}
	code, message, _ := strings.Cut(text, " ")
	if !slices.Contains([]cube.Code{cube.CodeUnavailable, cube.CodeGone, cube.CodeTooLarge, cube.CodeInUse}, cube.Code(code)) {
		return errors.New(text)
	}
	if message, cause, caused := strings.Cut(message, " because "); caused {
		return fmt.Errorf("run: %w", cube.Wrap(cube.Code(code), message, errors.New(cause)))
	}
	return cube.Errorf(cube.Code(code), "%s", message)
}

// read reads JSON with its numbers as they are written.
func (s *story) read(text string, into any) {
	s.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	s.must(decoder.Decode(into))
}

// partsIn reads the parts of a group, of which - is none.
func partsIn(text string) []decimal.NullDecimal {
	return amounts(each.Text(strings.Fields(text), func(part string) string { return strings.TrimSpace(strings.TrimPrefix(part+" ", "- ")) })...)
}

func (s *story) cell(text string) row {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var lists [2][]any
	s.must(cmp.Or(decoder.Decode(&lists[0]), decoder.Decode(&lists[1])))
	return row{Keys: valuesOf(lists[0]), Labels: valuesOf(lists[1]), Values: partsIn(text[decoder.InputOffset():])}
}

func valuesOf(list []any) (values []cube.Value) {
	for _, v := range list {
		values = append(values, valueOf(v))
	}
	return values
}

func valueOf(v any) cube.Value {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Int64()
		return cube.Integer(n)
	case string:
		return cube.Text(v)
	}
	return cube.Missing
}

// run answers a statement with what is canned, and else as the story does.
func (s *story) run(usual func(context.Context, *plan.Statement) iter.Seq2[row, error]) func(context.Context, *plan.Statement) iter.Seq2[row, error] {
	return func(ctx context.Context, asked *plan.Statement) iter.Seq2[row, error] {
		if s.canned.asked++; s.canned.cells != nil || s.canned.err != nil {
			return failing(s.canned.err, s.canned.cells...)(ctx, asked)
		}
		return usual(ctx, asked)
	}
}

// Facts implements answer.Store.
func (s told) Facts(_ context.Context, asked *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	s.canned.asked++
	var facts []plan.Fact
	for _, cells := range s.canned.facts[min(int(asked.Skip()), len(s.canned.facts)):] {
		resource, _ := valueOf(cells["_resource"]).Int()
		line, _ := valueOf(cells["_line"]).Int()
		fact := plan.Fact{Resource: int(resource), Line: line}
		for _, c := range asked.Columns() {
			var v plan.FactValue
			if amount, ok := cells[c.Name].(json.Number); ok && c.Type == cube.TypeDecimal {
				v.Amount = amounts(amount.String())[0]
			} else {
				v.Value = valueOf(cells[c.Name])
			}
			fact.Values = append(fact.Values, v)
		}
		facts = append(facts, fact)
	}
	if after := asked.After(); after != nil { // the stories go on in the order of the files
		last, _ := after[len(after)-1].Value.Int()
		facts = slices.DeleteFunc(facts, func(f plan.Fact) bool { return f.Line <= last })
	}
	return endingIn(s.canned.err, facts)
}

// serve serves the story.
func (s *story) serve(store api.Store, o api.Options) http.Handler {
	by := s.canned.serving
	o.Kept, o.PublicURL, o.Local, o.AllowOrigin = by.Kept, by.Public, by.Local, by.Allow
	o.Log, o.Limits = s.canned.log.logger(), limits.Options{Rate: by.Rate, TrustProxy: by.Trust}
	if by.Token {
		o.Loads = jobs.New(nil, jobs.Options{Token: secret, MaxBytes: 1000, Log: o.Log})
	}
	return api.New(store, o)
}

// repeated finds what a line only counts.
var repeated = regexp.MustCompile(`<<(.+?)\*(\d+)>>`)

// written gives a line with what it only counts.
func written(line string) string {
	return repeated.ReplaceAllStringFunc(line, func(text string) string {
		part := repeated.FindStringSubmatch(text)
		n, _ := strconv.Atoi(part[2])
		return strings.Repeat(part[1], n)
	})
}

var filled = regexp.MustCompile(`\{([A-Z][\w-]*|/[\w/]+)\}`)

// exchange sends a request and tells its answer.
func (s *story) exchange(line string) string {
	s.Helper()
	line = filled.ReplaceAllStringFunc(line, func(name string) string { return s.canned.last.part(name[1 : len(name)-1]) })
	part := asking.FindStringSubmatch(line)
	if part == nil {
		s.Fatalf("%q is no request", line)
	}
	request := httptest.NewRequest(cmp.Or(part[1], http.MethodGet), part[2], strings.NewReader(part[4]))
	if part[4] == "" {
		request.Body = http.NoBody
	}
	for field := range strings.SplitSeq(part[3], " | ") {
		switch name, value, _ := strings.Cut(field, ": "); name {
		case "":
		case "Host":
			request.Host = value
		case "Address":
			request.RemoteAddr = value
		case "Scheme":
			request.TLS = &tls.ConnectionState{}
		default:
			request.Header.Add(name, value)
		}
	}
	if part[4] != "" && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	s.served()
	s.canned.log.Reset()
	before, recorder := s.canned.asked, httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	r := response{recorder.Code, recorder.Header(), recorder.Body.String()}
	logged := "\n" + strings.Join(each.Text(s.canned.log.lines(s), r.logLine), "\n")
	if coding := r.header.Get("Content-Encoding"); coding != "" && r.body != "" {
		r.body = decode(s, coding, r.body)
	}
	if kind := r.header.Get("Content-Type"); kind == "application/json" && !s.canned.serving.Local && request.Method != http.MethodHead && !strings.HasSuffix(part[2], "datapackage.json") {
		r.conform(s, request)
	}
	for _, link := range r.header.Values("Link") {
		if s.canned.cells != nil || s.canned.err != nil || s.canned.serving.Rate > 0 || s.canned.serving.Local || request.URL.RawPath != "" {
			break // what else a page asks is not there
		}
		target, _, _ := strings.Cut(strings.TrimPrefix(link, "<"), ">")
		s.followQuietly(part[2], target)
	}
	text, again := strconv.Itoa(r.status), s.canned.last.body != "" && s.canned.last.body == r.body
	s.canned.last = r
	for i, name := range s.shown {
		value := r.part(name)
		switch {
		case name == "asked":
			value = fmt.Sprint("asked ", s.canned.asked-before)
		case name == "log":
			value = logged
		case name == "files":
			value = strings.Join(regexp.MustCompile(`(?m)^file (.*)$`).FindAllString(zipText(s, r.body), -1), "\n")
			value = "\n" + strings.ReplaceAll(value, "file ", "")
		case name == "dataset":
			_, value, _ = strings.Cut(r.body, `<script type="application/ld+json">`)
			value, _, _ = strings.Cut(value, "</script>")
			value = "\n" + brokenJSON(value)
		case name == "body" && again:
			value = "the same body"
		case name == "body" && r.body != "":
			value = "\n" + bodyText(s, r.header.Get("Content-Type"), r.body)
		}
		text += map[bool]string{true: " ", false: " | "}[i == 0] + cmp.Or(value, "-")
	}
	return strings.ReplaceAll(text, " \n", "\n") + "\n"
}

// followQuietly asks for what a header leads to, which is not counted.
func (s *story) followQuietly(address, target string) {
	asked, last := s.canned.asked, s.canned.last
	s.follow(address, target)
	s.canned.asked, s.canned.last = asked, last
}

// isAnswer tells whether the story shows parts of answers, and not of pages.
func (s *story) isAnswer() bool {
	return slices.ContainsFunc(s.shown, func(name string) bool {
		return slices.Contains([]string{"body", "asked", "log", "files", "dataset"}, name) || name[0] == '/' || unicode.IsUpper(rune(name[0]))
	})
}

var durations = regexp.MustCompile(`;dur=\d+\.\d{3}`)

// logLine gives what a line of the log says of any request. It has the length of its answer, and the id.
func (r response) logLine(line map[string]any) string {
	var said []string
	for _, name := range []string{"level", "msg", "method", "route", "cube", "status", "bytes", "code", "message", "cause", "cut"} {
		if name == "bytes" && line[name] == float64(len(r.body)) {
			said = append(said, "all bytes")
		} else if line[name] != nil {
			said = append(said, fmt.Sprint(line[name]))
		}
	}
	if _, timed := line["duration_ms"].(float64); line["id"] != r.header.Get("X-Request-Id") || timed != (line["msg"] == "request") {
		said = append(said, fmt.Sprint("but ", line))
	}
	return strings.Join(said, " ")
}

// part gives a field of the header, or a value of JSON by its pointer.
func (r response) part(name string) string {
	if name[0] != '/' {
		return durations.ReplaceAllString(strings.Join(r.header.Values(name), ", "), "")
	}
	found := at([]json.RawMessage{json.RawMessage(r.body)}, strings.Split(name, "/")[1:])
	texts := make([]string, len(found))
	for i, value := range found {
		if json.Unmarshal(value, &texts[i]) != nil || string(value) == "null" {
			texts[i] = string(value)
		}
	}
	return strings.Join(texts, ", ")
}

// at gives what the values have at a pointer.
func at(values []json.RawMessage, pointer []string) (found []json.RawMessage) {
	if len(pointer) == 0 {
		return values
	}
	for _, value := range values {
		var list []json.RawMessage
		var object map[string]json.RawMessage
		i, err := strconv.Atoi(pointer[0])
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(pointer[0])
		switch {
		case json.Unmarshal(value, &list) == nil && pointer[0] == "*":
			found = append(found, list...)
		case list != nil && err == nil && i < len(list):
			found = append(found, list[i])
		case json.Unmarshal(value, &object) == nil && object[name] != nil:
			found = append(found, object[name])
		}
	}
	return at(found, pointer[1:])
}

// bodyText gives a body as lines: JSON broken between what it lists, tables and archives by what is in them.
func bodyText(s *story, kind, body string) string {
	switch media, _, _ := strings.Cut(kind, ";"); {
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		return brokenJSON(body)
	case read[media] != nil:
		return strings.TrimSuffix(read[media](s, body), "\n")
	}
	return strings.TrimSuffix(visible(body), "\n")
}

// visible writes what cannot be seen as Go does, and so that it is not taken for an escape.
func visible(text string) string {
	var b strings.Builder
	for _, c := range text {
		if quoted := strconv.QuoteRune(c); c == '\n' || c == '\'' || c == '\\' || len(quoted) == len(string(c))+2 {
			b.WriteRune(c)
		} else if c > unicode.MaxLatin1 {
			fmt.Fprintf(&b, "<%U>", c)
		} else {
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// brokenJSON breaks JSON of one line behind the members of the outermost object, and between objects.
func brokenJSON(body string) string {
	var b strings.Builder
	if strings.Contains(body, "\n") {
		return visible(body)
	}
	depth, inText := 0, false
	for i := range len(body) {
		c := body[i]
		b.WriteByte(c)
		switch {
		case c == '"' && !isEscaped(body[:i]):
			inText = !inText
		case inText:
		case strings.IndexByte("[{", c) >= 0:
			depth++
		case strings.IndexByte("]}", c) >= 0:
			depth--
		case c == ',' && (depth <= 1 || body[i-1] == '}' && body[i+1] == '{' && depth < 4):
			b.WriteString("\n" + strings.Repeat("  ", depth))
		}
	}
	return b.String()
}

// isEscaped tells whether a text ends in the backslash of an escape.
func isEscaped(text string) bool { return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1 }
