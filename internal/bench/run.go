package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/sqlgen"
)

// Store is asked plain SQL, and what answers a question.
type Store interface {
	Source(ctx context.Context, s *plan.Statement) (answer.Source, error)
	Ask(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error]
}

// Bench asks a service at a URL about a cube, and its store.
type Bench struct {
	Store Store
	Cube  *cube.Cube
	URL   string
	Times int // that each question is asked once it has been answered
}

// Result is what a question took, in milliseconds.
type Result struct {
	Kind   string  `json:"kind"`
	Path   string  `json:"path"`
	First  float64 `json:"first_ms"` // that time it was asked after the load
	Median float64 `json:"median_ms"`
	P95    float64 `json:"p95_ms"`
	P99    float64 `json:"p99_ms"`
	Rows   int64   `json:"cuboid_rows"` // that the cuboid has, or the facts; 0 for members
	Cuboid string  `json:"cuboid"`      // base, aggregate, facts or members
	SQL    float64 `json:"sql_median_ms"`
	Ratio  float64 `json:"ratio"` // of the SQL to the question
}

// Path is that of the question below the cube.
func (q Question) Path() string {
	values := url.Values{}
	for name, text := range q.Given {
		values.Set(name, text)
	}
	if q.Level != "" {
		return "members/" + url.PathEscape(q.Level) + "?" + values.Encode()
	}
	return "aggregate?" + values.Encode()
}

// Plan gives the plan of a question for cells.
func (q Question) Plan(cb *cube.Cube) (*plan.Plan, error) {
	asked, err := query.Parse(q.Given)
	if err != nil {
		return nil, err
	}
	return plan.Bind(cb, asked)
}

// plain gives the question as plain SQL, and the statement that answers it; nil for members, which are in memory or in tables
// of their own.
func (q Question) plain(cb *cube.Cube) (sqlgen.SQL, *plan.Statement, error) {
	if level, ok := cb.Model.Level(q.Level); ok {
		return sqlgen.PlainMembers(cb, level, q.Given["q"]), nil, nil
	}
	p, err := q.Plan(cb)
	if err != nil {
		return sqlgen.SQL{}, nil, err
	}
	return sqlgen.Plain(p.Main()), p.Main(), nil
}

// Mix gives the questions that Run asks.
func (b *Bench) Mix(ctx context.Context) ([]Question, error) {
	return Mix(b.Cube, func(l cube.Level) (string, string, error) { return b.largest(ctx, l) })
}

// Run measures each question of the mix, and then those of AllOnBase: over HTTP and as SQL in turns, so that what else the machine does
// befalls both.
func (b *Bench) Run(ctx context.Context) (mix, onBase []Result, err error) {
	questions, err := b.Mix(ctx)
	if err != nil {
		return nil, nil, err
	}
	others, err := b.AllOnBase(ctx)
	if err != nil {
		return nil, nil, err
	}
	if mix, err = b.measureAll(ctx, questions); err != nil {
		return nil, nil, err
	}
	onBase, err = b.measureAll(ctx, others)
	return mix, onBase, err
}

func (b *Bench) measureAll(ctx context.Context, questions []Question) ([]Result, error) {
	results := make([]Result, 0, len(questions))
	for _, q := range questions {
		result, err := b.measure(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Path(), err)
		}
		results = append(results, result)
	}
	return results, nil
}

func (b *Bench) measure(ctx context.Context, q Question) (Result, error) {
	result := Result{Kind: q.Kind, Path: q.Path()}
	plain, s, err := q.plain(b.Cube)
	if err != nil {
		return result, err
	}
	if result.First, err = timed(func() error { return b.ask(ctx, result.Path, io.Discard) }); err != nil {
		return result, err
	}
	result.Cuboid = "members"
	if s != nil {
		source, err := b.Store.Source(ctx, s)
		switch result.Cuboid, result.Rows = "aggregate", source.Rows; {
		case err != nil:
			return result, err
		case source.Levels == nil:
			result.Cuboid, result.Rows = "facts", b.Cube.Rows
		case source.Rows == b.Cube.Rows:
			result.Cuboid = "base"
		}
	}
	var asked, sql []float64
	spent := 0.0 // on SQL
	for i := range b.Times {
		took, err := timed(func() error { return b.ask(ctx, result.Path, io.Discard) })
		if err != nil {
			return result, err
		}
		asked = append(asked, took)
		if i%turn != 0 || len(sql) >= fewest && spent > mostSpent {
			continue
		}
		if took, err = timed(func() error { return drain(b.Store.Ask(ctx, plain)) }); err != nil {
			return result, err
		}
		sql, spent = append(sql, took), spent+took
	}
	result.Median, result.P95, result.P99 = percentile(asked, 50), percentile(asked, 95), percentile(asked, 99)
	result.SQL = percentile(sql, 50)
	result.Ratio = result.SQL / result.Median
	return result, nil
}

// The SQL of a question is asked once in a turn of questions, at least so often, and then until it took so many milliseconds in all: the
// median of what takes seconds needs no hundred of them, and the SQL, which leaves the processor's caches full of facts, delays no more than
// the question after it.
const (
	turn      = 20
	fewest    = 3
	mostSpent = 1000
)

func drain(rows iter.Seq2[[]any, error]) error {
	for _, err := range rows {
		if err != nil {
			return err
		}
	}
	return nil
}

func timed(do func() error) (milliseconds float64, err error) {
	began := time.Now()
	err = do()
	return float64(time.Since(began).Nanoseconds()) / 1e6, err
}

func percentile(all []float64, percent int) float64 {
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*percent/100)]
}

// GeometricMean is that of the ratios, 0 of none.
func GeometricMean(results []Result) float64 {
	if len(results) == 0 {
		return 0
	}
	sum := 0.0
	for _, r := range results {
		sum += math.Log(r.Ratio)
	}
	return math.Exp(sum / float64(len(results)))
}

// Get asks the service for a path below the cube.
func (b *Bench) Get(ctx context.Context, path string) ([]byte, error) {
	var body bytes.Buffer
	err := b.ask(ctx, path, &body)
	return body.Bytes(), err
}

// ask writes what the service answers. It is not compressed, which helps on networks alone: the rows of SQL are not either.
func (b *Bench) ask(ctx context.Context, path string, into io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.URL+"/cubes/"+url.PathEscape(b.Cube.Name)+"/"+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept-Encoding", "identity")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s", response.Status, body)
	}
	_, err = io.Copy(into, response.Body)
	return err
}

// largest gives the cut of the largest member of a level, and the longest word of its label.
func (b *Bench) largest(ctx context.Context, l cube.Level) (cut, word string, err error) {
	measure, _ := b.Cube.Model.Leading()
	sum := query.QuoteName(measure.Ref) + ".sum"
	q := Question{Given: map[string]string{
		"drilldown": query.QuoteName(l.Ref), "aggregates": sum, "order": sum + ":desc", "pagesize": "1", "links": "1",
	}}
	body, err := b.Get(ctx, q.Path())
	if err != nil {
		return "", "", err
	}
	var answer struct{ Cells []map[string]any }
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Cells) == 0 {
		return "", "", err
	}
	cut, _ = answer.Cells[0]["_cut"].(string)
	label, _ := answer.Cells[0][l.LabelRef].(string)
	for candidate := range strings.FieldsSeq(label) {
		if len(candidate) > len(word) {
			word = candidate
		}
	}
	return cut, word, nil
}
