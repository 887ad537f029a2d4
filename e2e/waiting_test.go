//go:build unix

package e2e

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// A load that waits for another says so, on standard error and in its job.
func TestLoad_SaysThatItWaitsForAnother(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serveWithToken(t, db)
		source := pipe(t, medium())
		first := start(t, "load", "--db", db, source.folder)
		source.survey(t)
		source.feed(t, 0.5)
		second := start(t, "load", "--db", db, small())
		eventually(t, "the command says that it waits", patience, func() bool {
			return strings.Contains(second.err.String(), "Waiting for another load\n")
		})
		sent := s.submit(t, zippedFolder(t, small()))
		eventually(t, "the job says that it waits", patience, func() bool {
			now := s.job(t, sent.ID)
			return now.Progress != nil && now.Progress.Stage == "Waiting for another load"
		})
		if err := source.copy(math.MaxInt64); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		source.close()
		first.succeed(t)
		second.succeed(t)
		s.stop(t)
	})
}
