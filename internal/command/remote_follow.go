package command

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"fiscube/cube"
	"fiscube/store/load"
)

// How often a server is asked how a load goes: soon after it began, then once a second. One that does not answer
// for a while may be behind a network that comes back.
const (
	firstLook  = 100 * time.Millisecond
	lastLook   = time.Second
	mostMisses = 10
)

// final are the answers after which asking again is of no use.
var final = []cube.Code{"unknown-job", "unauthorized", "unknown-route"}

// loadGoesOn is the error of a user who stops looking on while the server loads.
type loadGoesOn struct{ id string } // "" where the server has not said it

// Error implements error.
func (e *loadGoesOn) Error() string {
	if e.id == "" {
		return "stopped; the server has the package, and may go on with the load"
	}
	return "stopped; the server goes on with the load, as job " + e.id
}

// follow shows how a load goes until it ends.
func (p *program) follow(ctx context.Context, there *remote, id string) (remoteJob, error) {
	shown := &shownProgress{progress: p.progress()}
	defer shown.end()
	misses := 0
	for wait := firstLook; ; wait = min(2*wait, lastLook) {
		select {
		case <-ctx.Done():
			return remoteJob{}, &loadGoesOn{onOneLine(id)}
		case <-time.After(wait):
		}
		var job remoteJob
		err := there.ask(ctx, http.MethodGet, "jobs/"+url.PathEscape(id), nil, &job)
		switch misses++; {
		case err == nil && job.hasEnded():
			return job, nil
		case err == nil:
			misses = 0
			shown.show(job.Progress)
		case ctx.Err() != nil: // told above
		case misses > mostMisses || slices.Contains(final, cube.CodeOf(err)):
			return remoteJob{}, errors.Join(err, fmt.Errorf("what came of the load, job %s, is not known", onOneLine(id)))
		}
	}
}

// shownProgress shows what a server tells, now and then, as if it happened here.
type shownProgress struct {
	progress load.Progress
	last     remoteProgress // the zero value before the first
}

// show tells of a stage what was added since the last look.
func (s *shownProgress) show(now *remoteProgress) {
	if now == nil {
		return
	}
	if now.Stage != s.last.Stage || now.Bytes < s.last.Bytes {
		s.end()
		s.last = remoteProgress{Stage: now.Stage}
		s.progress.Begin(onOneLine(now.Stage), now.Total)
	}
	s.progress.Add(now.Bytes-s.last.Bytes, now.Rows-s.last.Rows)
	s.last = *now
}

func (s *shownProgress) end() {
	if s.last.Stage != "" {
		s.progress.End()
		s.last = remoteProgress{}
	}
}
