package command

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"fiscube/store/load"
)

// progress shows how a load goes: a bar on a terminal, else a line now and then.
func (p *program) progress() load.Progress {
	if p.terminal {
		return &barProgress{out: p.err}
	}
	return &lineProgress{out: p.err, every: 5 * time.Second}
}

// barProgress draws a bar with rows, bytes, rate and time left.
type barProgress struct {
	out      io.Writer
	progress *mpb.Progress
	bar      *mpb.Bar
	rows     atomic.Int64
}

// Begin implements load.Progress.
func (b *barProgress) Begin(stage string, bytes int64) {
	b.rows.Store(0)
	b.progress = mpb.New(mpb.WithOutput(b.out), mpb.WithWidth(30))
	b.bar = b.progress.AddBar(bytes,
		mpb.PrependDecorators(decor.Name(stage, decor.WC{W: 9, C: decor.DindentRight})),
		mpb.AppendDecorators(
			decor.CountersKibiByte("% .1f / % .1f", decor.WCSyncSpace),
			decor.AverageSpeed(decor.SizeB1024(0), " % .1f", decor.WCSyncSpace),
			decor.Any(func(decor.Statistics) string { return fmt.Sprintf(" %d rows", b.rows.Load()) }),
			decor.AverageETA(decor.ET_STYLE_GO, decor.WCSyncSpace),
		))
}

// Add implements load.Progress.
func (b *barProgress) Add(bytes, rows int64) {
	b.rows.Add(rows)
	b.bar.IncrInt64(bytes)
}

// End implements load.Progress. Wait returns when the bar is full or aborted: one of an unknown total is filled, and one
// that the stage did not fill, because it failed or was stopped, is aborted and remains on the terminal as it is.
func (b *barProgress) End() {
	b.bar.SetTotal(-1, true)
	b.bar.Abort(false)
	b.progress.Wait()
}

// lineProgress prints a line when a stage has run for a while, and again every so often: a load of a moment
// prints nothing, unless it waits.
type lineProgress struct {
	out   io.Writer
	every time.Duration

	mu          sync.Mutex
	stage       string
	total       int64
	bytes, rows int64
	began, said time.Time
}

// Begin implements load.Progress.
func (l *lineProgress) Begin(stage string, bytes int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage, l.total, l.bytes, l.rows = stage, bytes, 0, 0
	l.began = time.Now()
	l.said = l.began
	if strings.HasPrefix(stage, load.StageWaiting) {
		_, _ = fmt.Fprintln(l.out, stage)
	}
}

// Add implements load.Progress.
func (l *lineProgress) Add(bytes, rows int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes += bytes
	l.rows += rows
	if time.Since(l.said) >= l.every {
		l.said = time.Now()
		_, _ = fmt.Fprintln(l.out, l.text())
	}
}

// End implements load.Progress.
func (l *lineProgress) End() {}

func (l *lineProgress) text() string {
	const mega = 1 << 20
	seconds := time.Since(l.began).Seconds()
	rate := float64(l.bytes) / seconds
	text := fmt.Sprintf("%s: %d MB, %d rows, %.1f MB/s", l.stage, l.bytes/mega, l.rows, rate/mega)
	if l.total > l.bytes && rate > 0 {
		left := time.Duration(float64(l.total-l.bytes) / rate * float64(time.Second))
		text += fmt.Sprintf(", %d %%, %s left", l.bytes*100/l.total, left.Round(time.Second))
	}
	return text
}
