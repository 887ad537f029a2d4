package limits

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
)

// meter counts about how many bytes the answers in flight take, whatever the door of their requests: rows that are gathered, with
// what they become when they are encoded, and bodies that are written for others. Rows of files that go through are not held.
type meter struct {
	bound int64 // 0: none
	held  atomic.Int64
}

// errNoMemory says that an answer has to come back when others have ended.
var errNoMemory = cube.Wrap(cube.CodeUnavailable, "too many answers at once", errors.New("they take the memory that answers may have together"))

// alwaysHeld is what a request may hold also where others hold all: a cheap question is answered beside dear ones.
const alwaysHeld = 64 << 10

// tally is what one request holds. It is freed as a whole when the request ends; what goes on after that for one who has left holds nothing.
type tally struct {
	meter *meter
	outer *tally // of the request that this one was made for; nil for none
	mu    sync.Mutex
	ended bool
	held  atomic.Int64 // changed by who has mu

	inVain atomic.Bool // it has waited for memory, and got none
}

// add holds so many bytes more, if there is room for them.
func (t *tally) add(n int64) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return context.Canceled
	}
	m := t.meter
	mine := t.held.Add(n)
	if all := m.held.Add(n); m.bound <= 0 || all <= m.bound || mine <= alwaysHeld {
		return nil
	}
	t.held.Add(-n)
	m.held.Add(-n)
	for o := t.outer; o != nil; o = o.outer {
		mine += o.held.Load()
	}
	if mine > m.bound {
		return cube.Errorf(cube.CodeTooLarge, "the answer takes more than the %d MB of memory that all answers may have together", max(1, m.bound>>20)).
			WithHint("ask for smaller pages or fewer columns, or for a file as CSV")
	}
	return errNoMemory
}

// free frees what is held beyond so many bytes, and lets nothing more be held if the request has ended.
func (t *tally) free(kept int64, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = ended
	if n := t.held.Load() - kept; n > 0 {
		t.held.Add(-n)
		t.meter.held.Add(-n)
	}
}

// tallyKey is the key of the tally in the context of a request.
type tallyKey struct{}

func tallyOf(ctx context.Context) *tally {
	t, _ := ctx.Value(tallyKey{}).(*tally)
	return t
}

func heldBy(ctx context.Context) int64 {
	if t := tallyOf(ctx); t != nil {
		return t.held.Load()
	}
	return 0
}

// Hold counts bytes that a request keeps in memory until it ends. The error refuses them; nothing is counted then.
func Hold(ctx context.Context, n int64) error {
	if t := tallyOf(ctx); t != nil {
		return t.hold(ctx, n, longestHold)
	}
	return nil
}

// How long an answer waits for memory, how long a file does, which has waited for its turn before, and how often they look whether there is some.
const (
	longestHold     = 3 * time.Second
	longestFileHold = 30 * time.Second
	holdStep        = 20 * time.Millisecond
)

// HoldForFile is Hold for a file.
func HoldForFile(ctx context.Context, n int64) error {
	if t := tallyOf(ctx); t != nil {
		return t.hold(ctx, n, longestFileHold)
	}
	return nil
}

// hold is add for one who is not refused for what others hold for a moment. A request, with those that are made for it, waits in vain once.
func (t *tally) hold(ctx context.Context, n int64, longest time.Duration) error {
	for began := time.Now(); ; time.Sleep(holdStep) {
		err := t.add(n)
		switch {
		case !errors.Is(err, errNoMemory) || ctx.Err() != nil || t.inVain.Load() || t.outer != nil && t.outer.inVain.Load():
			return err
		case time.Since(began) >= longest:
			for o := t; o != nil; o = o.outer {
				o.inVain.Store(true)
			}
			return err
		}
	}
}

// copies is how often a body is in memory that one request of this process writes to another: as it was written, read as JSON, as text in
// a message, and as this grows.
const copies = 8

// HoldCopy counts a body that is written to another request of this process, which keeps it until it ends.
func HoldCopy(ctx context.Context, n int64) error {
	if t := tallyOf(ctx); t != nil && t.outer != nil {
		return t.outer.hold(ctx, copies*n, longestHold)
	}
	return nil
}

// Metering counts what a request holds until it ends.
func (l *Limiter) Metering(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		t := &tally{meter: &l.meter, outer: tallyOf(r.Context())}
		defer t.free(0, true)
		c.SetRequest(r.WithContext(context.WithValue(r.Context(), tallyKey{}, t)))
		return next(c)
	}
}

// Freeing makes a part of an answer, after which what it held is free.
func Freeing(ctx context.Context, part func()) {
	t := tallyOf(ctx)
	if t == nil {
		part()
		return
	}
	defer t.free(t.held.Load(), false)
	part()
}

// Memory gives how many bytes the answers in flight hold, and how many they may; 0 for no bound.
func (l *Limiter) Memory() (held, bound int64) { return l.meter.held.Load(), l.meter.bound }

// gatheringKey marks the context of an answer whose rows are kept until it is whole.
type gatheringKey struct{}

func gathering(ctx context.Context) context.Context {
	return context.WithValue(ctx, gatheringKey{}, true)
}

// metered is a store whose rows count where they are gathered, while they are.
type metered struct{ answer.Store }

// Cells implements answer.Store.
func (s metered) Cells(ctx context.Context, statement *plan.Statement) (plan.Result, error) {
	result, err := s.Store.Cells(ctx, statement)
	if err == nil {
		result.Groups = counted(ctx, result.Groups, func(g plan.Group) int64 {
			return bytesOfRow + bytesOf(g.Keys) + bytesOf(g.Labels) + bytesOfAmount*int64(len(g.Parts))
		})
	}
	return result, err
}

// Facts implements answer.Store.
func (s metered) Facts(ctx context.Context, statement *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	return counted(ctx, s.Store.Facts(ctx, statement), func(f plan.Fact) int64 {
		n := int64(bytesOfRow)
		for _, v := range f.Values {
			n += bytesOfValue(v.Value)
			if v.Amount != (decimal.NullDecimal{}) {
				n += bytesOfAmount
			}
		}
		return n
	})
}

// Members implements answer.Store.
func (s metered) Members(ctx context.Context, statement *plan.MemberStatement) (plan.MemberRows, error) {
	rows, err := s.Store.Members(ctx, statement)
	if err == nil {
		rows.Members = counted(ctx, rows.Members, func(m plan.MemberRow) int64 {
			n := bytesOfRow + bytesOf(m.Path) + bytesOfValue(m.Label)
			for _, use := range m.Labels {
				n += bytesOfRow + bytesPerByte*int64(len(use.Text))
			}
			return n
		})
	}
	return rows, err
}

// What a row takes while its answer is made, about: as the store gave it, as a cell, and as text that is encoded in a buffer that grows.
const (
	bytesOfRow    = 256
	bytesOfCell   = 112
	bytesOfAmount = 160
	bytesPerByte  = 3 // of a text
)

func bytesOf(values []cube.Value) (n int64) {
	for _, v := range values {
		n += bytesOfValue(v)
	}
	return n
}

func bytesOfValue(v cube.Value) int64 {
	if _, whole := v.Int(); whole {
		return bytesOfCell
	}
	return bytesOfCell + bytesPerByte*int64(len(v.String()))
}

// counted holds the rows of an answer that is gathered as they come, a stretch at a time. It ends them with the context, for a
// store that has the rows does not look at it.
func counted[Row any](ctx context.Context, rows iter.Seq2[Row, error], size func(Row) int64) iter.Seq2[Row, error] {
	t := tallyOf(ctx)
	if ctx.Value(gatheringKey{}) == nil {
		t = nil
	}
	return func(yield func(Row, error) bool) {
		n, bytes := 0, int64(0)
		var none Row
		for row, err := range rows {
			if err == nil && t != nil {
				bytes += size(row)
			}
			if n++; n%stretch == 0 {
				if err == nil {
					err = ctx.Err()
				}
				if err == nil && bytes > 0 {
					err, bytes = t.hold(ctx, bytes, longestHold), 0
				}
				if err != nil {
					yield(none, err)
					return
				}
			}
			if !yield(row, err) {
				return
			}
		}
		if bytes > 0 {
			if err := t.hold(ctx, bytes, longestHold); err != nil {
				yield(none, err)
			}
		}
	}
}
