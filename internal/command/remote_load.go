package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/store/load"
)

// onlyHere are the flags of load that mean nothing to a server.
var onlyHere = []string{"encoding", "resource", "allow-missing", "allow-private"}

// loadThere has a server load packages, one after the other.
func (p *program) loadThere(cmd *cobra.Command, paths []string, flags *remoteFlags, verbose bool) error {
	for _, name := range onlyHere {
		if cmd.Flags().Changed(name) {
			return usageError{fmt.Errorf("--%s does not go with --server", name)}
		}
	}
	there, err := flags.connect()
	if err != nil {
		return err
	}
	overlay, ctx := cmd.Flag("overlay").Value.String(), cmd.Context()
	return p.each(ctx, paths, func(path string) error {
		return p.loadOneThere(ctx, there, path, overlay, verbose)
	})
}

func (p *program) loadOneThere(ctx context.Context, there *remote, path, overlay string, verbose bool) error {
	began := time.Now()
	job, err := p.sendPackage(ctx, there, path, overlay)
	if err != nil {
		return err
	}
	job, err = p.follow(ctx, there, job.ID)
	switch {
	case err != nil:
		return err
	case job.Result == nil:
		return job.problem()
	}
	p.printLanded(job.Result.landed(), time.Since(began))
	if job.Result.Outcome != cube.OutcomeLoaded {
		return nil
	}
	report := &cube.Report{}
	link := fmt.Sprintf("cubes/%s/report?version=%d", url.PathEscape(job.Result.Cube), job.Result.Version)
	if err := there.ask(ctx, http.MethodGet, link, nil, report); err != nil {
		return err
	}
	p.printReport(report, verbose)
	return nil
}

// sendPackage sends what is at path, and gives the job that the server made of it.
func (p *program) sendPackage(ctx context.Context, there *remote, path, overlay string) (job remoteJob, err error) {
	if strings.Contains(path, "://") {
		return job, there.sendURL(ctx, path, overlay, &job)
	}
	info, err := os.Stat(path)
	if err != nil {
		return job, unreadable(path, err)
	}
	if !info.IsDir() && !strings.EqualFold(filepath.Ext(path), ".json") {
		return job, p.sendZip(ctx, there, path, info.Size(), overlay, &job)
	}
	packed, err := pack(path, info.IsDir(), overlay)
	if err != nil {
		return job, err
	}
	defer packed.close()
	progress := p.progress()
	progress.Begin("Sending", packed.total())
	defer progress.End()
	return job, there.submit(ctx, &body{"application/zip", packed.stream(progress), -1}, &job)
}

var errOverlayOfFolder = usageError{errors.New("with --server, --overlay goes with a folder alone")}

func (r *remote) sendURL(ctx context.Context, at, overlay string, job *remoteJob) error {
	if overlay != "" {
		return errOverlayOfFolder
	}
	content, err := json.Marshal(map[string]string{"url": at})
	if err != nil {
		return err
	}
	send := &body{"application/json", io.NopCloser(strings.NewReader(string(content))), int64(len(content))}
	return r.submit(ctx, send, job)
}

func (p *program) sendZip(ctx context.Context, there *remote, path string, size int64, overlay string, job *remoteJob) error {
	if overlay != "" {
		return errOverlayOfFolder
	}
	f, err := os.Open(path)
	if err != nil {
		return unreadable(path, err)
	}
	progress := p.progress()
	progress.Begin("Sending", size)
	defer progress.End()
	return there.submit(ctx, &body{"application/zip", watched{f, progress}, size}, job)
}

// unreadable is the error of a package that is not there, as a load says it.
func unreadable(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return cube.Wrap(cube.CodeBadPackage, fmt.Sprintf("%s cannot be read: %v", path, err), err)
}

// watched tells the progress what is read.
type watched struct {
	io.ReadCloser
	progress load.Progress
}

// Read implements io.Reader.
func (w watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.progress.Add(int64(n), 0)
	return n, err
}

// remoteJob is what a server tells of a load.
type remoteJob struct {
	ID       string
	State    string
	Progress *remoteProgress
	Result   *remoteResult
	Problem  *struct {
		Code     cube.Code
		Message  string
		Problems []string
	}
}

type remoteProgress struct {
	Stage string
	Bytes int64
	Total int64 `json:"total_bytes"`
	Rows  int64
}

type remoteResult struct {
	Outcome cube.Outcome
	Cube    string
	Version int
	Rows    int64
	Files   int
}

func (r *remoteResult) landed() landed {
	return landed{r.Outcome, onOneLine(r.Cube), r.Version, r.Rows, r.Files}
}

// hasEnded tells whether nothing more is to be expected of the job.
func (j remoteJob) hasEnded() bool { return !slices.Contains([]string{"waiting", "running"}, j.State) }

// problem is why nothing was loaded, as the command says it of a package of its own.
func (j remoteJob) problem() error {
	if j.Problem == nil {
		return errors.New("the server does not say what came of the package")
	}
	lines := j.Problem.Problems
	if len(lines) == 0 {
		lines = []string{j.Problem.Message}
	}
	for i, line := range lines {
		lines[i] = onOneLine(line)
	}
	return cube.Errorf(j.Problem.Code, "%s", strings.Join(lines, "\n"))
}
