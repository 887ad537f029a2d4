package jobs

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"sync"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/redact"
)

// state is how far a job has come. The last four are its end.
type state string

const (
	stateWaiting   state = "waiting"
	stateRunning   state = "running"
	stateDone      state = "done"
	stateRefused   state = "refused"   // the package cannot be loaded as it is
	stateFailed    state = "failed"    // for a reason outside the package
	stateCancelled state = "cancelled" // the server was stopped
)

// job is the load of one package. It is the Progress of that load, too.
type job struct {
	source Source
	close  func() error // removes what was sent

	mu   sync.Mutex
	view jobJSON
}

// jobJSON is a job as callers see it.
type jobJSON struct {
	Status    string        `json:"status"`
	ID        string        `json:"id"`
	State     state         `json:"state"`
	URL       string        `json:"url,omitempty"`
	CreatedAt time.Time     `json:"created_at"`
	StartedAt *time.Time    `json:"started_at,omitempty"`
	EndedAt   *time.Time    `json:"ended_at,omitempty"`
	Progress  *progressJSON `json:"progress,omitempty"`
	Result    *resultJSON   `json:"result,omitempty"`
	Problem   *refusalJSON  `json:"problem,omitempty"`
}

// progressJSON is how far a stage has come; what a stage will read in all is not always known.
type progressJSON struct {
	Stage      string `json:"stage"`
	Bytes      int64  `json:"bytes"`
	TotalBytes int64  `json:"total_bytes,omitempty"`
	Percent    *int64 `json:"percent,omitempty"`
	Rows       int64  `json:"rows"`
}

// resultJSON is what a load left behind. Its links are relative to the root of the service.
type resultJSON struct {
	Outcome  findings.Outcome `json:"outcome"`
	Cube     string           `json:"cube"`
	Version  int              `json:"version"`
	Rows     int64            `json:"rows"`
	Files    int              `json:"files"`
	Findings findingsJSON     `json:"findings"`
	Links    linksJSON        `json:"links"`
	Asked    []findings.Asked `json:"questions,omitempty"` // of tables without a descriptor
}

// findingsJSON counts the findings of the report.
type findingsJSON struct {
	Warning int `json:"warning"`
	Info    int `json:"info"`
}

type linksJSON struct {
	Cube   string `json:"cube"`
	Report string `json:"report"`
	// Package is the whole package, with the overlay that was applied: for CSV files that of their description.
	Package string `json:"package"`
}

// refusalJSON is why nothing was loaded, a refused package with all that is wrong with it.
type refusalJSON struct {
	Code     cube.Code `json:"code"`
	Message  string    `json:"message"`
	Problems []string  `json:"problems,omitempty"`
}

func newJob(source Source, close func() error) *job {
	return &job{source: source, close: close, view: jobJSON{
		Status: "ok", ID: rand.Text(), State: stateWaiting, URL: redact.Text(source.URL), CreatedAt: time.Now().UTC(),
	}}
}

// current gives the job as it is now.
func (j *job) current() jobJSON {
	j.mu.Lock()
	defer j.mu.Unlock()
	view := j.view
	if view.Progress != nil {
		progress := *view.Progress
		progress.Percent = percent(progress)
		view.Progress = &progress
	}
	return view
}

func percent(p progressJSON) *int64 {
	if p.TotalBytes <= 0 {
		return nil
	}
	whole := min(100, p.Bytes*100/p.TotalBytes)
	return &whole
}

func (j *job) start() {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now().UTC()
	j.view.State, j.view.StartedAt = stateRunning, &now
}

// end notes how the job ended; one of result and problem is nil.
func (j *job) end(s state, result *resultJSON, problem *refusalJSON) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now().UTC()
	j.view.State, j.view.EndedAt, j.view.Result, j.view.Problem = s, &now, result, problem
}

// endedBefore reports whether the job ended before a time.
func (j *job) endedBefore(t time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.view.EndedAt != nil && j.view.EndedAt.Before(t)
}

// Begin implements Progress.
func (j *job) Begin(stage string, bytes int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.view.Progress = &progressJSON{Stage: stage, TotalBytes: bytes}
}

// Add implements Progress.
func (j *job) Add(bytes, rows int64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if p := j.view.Progress; p != nil {
		p.Bytes += bytes
		p.Rows += rows
	}
}

// End implements Progress. The last stage stays in sight.
func (j *job) End() {}

func resultOf(loaded findings.Loaded) *resultJSON {
	cb := loaded.Cube
	link := "cubes/" + url.PathEscape(cb.Name)
	return &resultJSON{
		Outcome: loaded.Outcome, Cube: cb.Name, Version: cb.Version, Rows: cb.Rows, Files: len(cb.Resources),
		Findings: countFindings(cb), Asked: loaded.Asked,
		Links: linksJSON{Cube: link, Report: fmt.Sprintf("%s/report?version=%d", link, cb.Version),
			Package: fmt.Sprintf("%s/package.zip?version=%d", link, cb.Version)},
	}
}

// countFindings counts none where the report cannot be read: asking for it says why.
func countFindings(cb *cube.Cube) findingsJSON {
	counts := findingsJSON{}
	report, err := findings.Of(cb)
	if err != nil {
		return counts
	}
	for _, f := range report.Findings {
		switch f.Severity {
		case findings.SeverityWarning:
			counts.Warning++
		case findings.SeverityInfo:
			counts.Info++
		}
	}
	return counts
}
