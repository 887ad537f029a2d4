package jobs

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// This file is for the pages of publishers, which show the token once and put packages into the same queue.

// Admits tells whether a secret is the token. Who shows a wrong one waits for the answer.
func (q *Queue) Admits(ctx context.Context, secret string) bool {
	if q.token.matches(secret) {
		return true
	}
	delayWrong(ctx)
	return false
}

// IsShown tells whether a request shows the token in its header.
func (q *Queue) IsShown(r *http.Request) bool {
	secret, given := bearer(r)
	return given && q.token.matches(secret)
}

// Shows tells whether a request shows a secret in its header. Nobody can show one that is "".
func Shows(r *http.Request, secret string) bool {
	shown, given := bearer(r)
	return given && secret != "" && newToken(secret).matches(shown)
}

// Refuse answers a request without the token.
func (q *Queue) Refuse(c echo.Context) error {
	_, given := bearer(c.Request())
	return refuseToken(c, given)
}

// MaxBytes is how many bytes may be sent at once.
func (q *Queue) MaxBytes() int64 { return q.maxBytes }

// Body is the body of a request that may take as long as it takes, provided it comes.
func Body(c echo.Context) io.Reader { return newDeadlineBody(c) }

// Add puts a package into the queue and gives the id of its job.
func (q *Queue) Add(source Source) (id string, err error) {
	if err := q.enter(); err != nil {
		return "", err
	}
	j := newJob(source, func() error { return nil })
	if err := q.submit(j); err != nil {
		q.leave()
		return "", err
	}
	return j.view.ID, nil
}

// Status is how far a job has come, for people.
type Status struct {
	Ended    bool
	Stage    string // of one that goes on; "" while it waits
	Percent  int64  // of the stage; 0 where that is not known
	Rows     int64
	Cube     string // that was loaded; "" for none
	Outcome  findings.Outcome
	Code     cube.Code // why nothing was loaded
	Message  string
	Problems []string
}

// Status gives how far a job has come; false for one that this process does not know, or no more.
func (q *Queue) Status(id string) (Status, bool) {
	j, err := q.find(id)
	if err != nil {
		return Status{}, false
	}
	now := j.current()
	s := Status{Ended: now.EndedAt != nil}
	if p := now.Progress; p != nil && !s.Ended {
		s.Stage, s.Rows = p.Stage, p.Rows
		if p.Percent != nil {
			s.Percent = *p.Percent
		}
	}
	if r := now.Result; r != nil {
		s.Cube, s.Outcome, s.Rows = r.Cube, r.Outcome, r.Rows
	}
	if p := now.Problem; p != nil {
		s.Code, s.Message, s.Problems = p.Code, p.Message, p.Problems
	}
	return s, true
}

func delayWrong(ctx context.Context) {
	select {
	case <-time.After(wrongTokenDelay):
	case <-ctx.Done():
	}
}
