package command

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/csv"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/store"
)

// formTable is an answer as a table, for people.
const formTable = "table"

func (p *program) queryCommand() *cobra.Command {
	form := formTable
	cmd := &cobra.Command{
		Use: "query NAME [QUESTION…]", Short: "Ask a cube a question, without a server",
		Long: `Ask a cube a question, without a server. A question is what stands behind the ? in the address of an answer; its
parameters may also stand for themselves. docs/query-language.md has all of them. Warnings go to standard error.`,
		Example: "  fiscube query croatia-budget-spending drilldown=Year aggregates=approved_value.sum\n" +
			"  fiscube query croatia-budget-spending 'drilldown=Year|admin1_code&cut=Year:2016;2017' --format csv",
		Args: func(cmd *cobra.Command, args []string) error { return exactly("a cube")(cmd, args[:min(1, len(args))]) }, ValidArgsFunction: p.completeCube,
	}
	cmd.Flags().Var(choice[string]{&form, []string{formTable, formJSON, "csv", "ndjson", "xlsx", "parquet", "arrow", "jsonstat", "csvw"}}, "format", "the form of the answer; a table for people")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		question := strings.TrimPrefix(strings.Join(append(args[1:], "format="+strings.Replace(form, formTable, "csv", 1)), "&"), "?")
		return p.withStore(cmd, args, func(ctx context.Context, s store.Store) error {
			path := "/cubes/" + url.PathEscape(args[0]) + "/aggregate"
			if form != formTable {
				return p.answer(ctx, s, path, question, p.out)
			}
			var answer bytes.Buffer
			if err := p.answer(ctx, s, path, question, &answer); err != nil {
				return err
			}
			rows, err := csv.NewReader(&answer).ReadAll()
			p.printTable(rows)
			return err
		})
	}
	return cmd
}

// warningItem matches a warning in the header of a file.
var warningItem = regexp.MustCompile(`([a-z-]+);message=%"([^"]*)"`)

// answer has the handler that answers everybody answer a question in this process, and writes the answer. Who can open the store may read all of it.
// What a reader of a file should know of its amounts goes to standard error; what is refused is an error in the words of the handler.
func (p *program) answer(ctx context.Context, s store.Store, path, question string, out io.Writer) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+defaultAddr+path, http.NoBody)
	if err != nil {
		return err
	}
	token := rand.Text()
	r.URL.RawQuery, r.RequestURI = question, path
	r.Header.Set("Authorization", "Bearer "+token)
	w := &answerWriter{Writer: out, header: http.Header{}}
	api.New(s, api.Options{ReadToken: token, Log: slog.New(slog.DiscardHandler)}).ServeHTTP(w, r)
	if refused := problemOf(w.problem.Bytes()); refused != nil && w.status < http.StatusInternalServerError {
		return questionError{refused}
	} else if refused != nil {
		return refused
	}
	for _, warning := range warningItem.FindAllStringSubmatch(w.header.Get("Fiscube-Warnings"), -1) {
		text, _ := url.PathUnescape(warning[2]) // the handler escaped it
		p.tell("fiscube: " + onOneLine(text) + " [" + warning[1] + "]")
	}
	if strings.HasPrefix(w.header.Get("Content-Type"), "application/json") {
		_, err = io.WriteString(out, "\n")
	}
	return cmp.Or(w.err, err)
}

// questionError is a question that cannot be answered as it is asked.
type questionError struct{ error }

// Unwrap gives what is wrong.
func (e questionError) Unwrap() error { return e.error }

// answerWriter takes an answer: one that is good to a writer.
type answerWriter struct {
	io.Writer
	header  http.Header
	status  int
	problem bytes.Buffer
	err     error
}

// Header implements http.ResponseWriter.
func (w *answerWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) { w.status = status }

// Write implements http.ResponseWriter.
func (w *answerWriter) Write(b []byte) (n int, err error) {
	if w.status >= http.StatusMultipleChoices {
		return w.problem.Write(b)
	}
	n, err = w.Writer.Write(b)
	w.err = cmp.Or(w.err, err)
	return n, err
}

// problemOf is the error that an answer tells, or nil where it tells none.
func problemOf(answer []byte) error {
	var body struct {
		Code    cube.Code
		Message string
		Context struct {
			Hint, Parameter string
			Position        int
		}
	}
	if err := json.Unmarshal(answer, &body); err != nil || body.Message == "" {
		return nil
	}
	problem := cube.Errorf(body.Code, "%s", onOneLine(body.Message)).WithHint(onOneLine(body.Context.Hint))
	if body.Context.Parameter != "" {
		problem.Position = &cube.Position{Parameter: onOneLine(body.Context.Parameter), Offset: body.Context.Position}
	}
	return problem
}
