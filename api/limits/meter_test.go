package limits

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// requesting lets a request with a context do something.
func requesting(l *Limiter, ctx context.Context, do func(ctx context.Context)) {
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx), httptest.NewRecorder())
	_ = l.Metering(func(c echo.Context) error { do(c.Request().Context()); return nil })(c)
}

// What a request writes to another one of this process is held until that ends, and its own bytes only until it ends itself.
func TestMeter_RequestsInsideAnother(t *testing.T) {
	l := New(nil, Options{Memory: 10 << 20})
	request := func(ctx context.Context, do func(ctx context.Context)) { requesting(l, ctx, do) }
	holds := func(want int64) {
		t.Helper()
		if held, _ := l.Memory(); held != want {
			t.Errorf("%d bytes are held, want %d", held, want)
		}
	}
	request(t.Context(), func(outer context.Context) {
		for i := range int64(10) {
			request(outer, func(inner context.Context) {
				if err := Hold(inner, 1<<20); err != nil {
					t.Error(err)
				}
				if err := HoldCopy(inner, 1<<20/copies); (err != nil) != (i == 9) {
					t.Errorf("%d: %v", i, err)
				}
			})
			holds(min(i+1, 9) << 20)
		}
		Freeing(outer, func() { _ = Hold(outer, 1<<20); holds(10 << 20) })
		holds(9 << 20)
		request(t.Context(), func(other context.Context) {
			if err := Hold(other, 2<<20); !Busy(err) {
				t.Errorf("beside the first: %v", err)
			}
		})
	})
	holds(0)
}

// A buffer is held as it grows, in steps. It takes nothing more where there is no room, beyond its bound, and when the caller has left.
func TestBuffer(t *testing.T) {
	l := New(nil, Options{Memory: 1 << 20})
	piece := make([]byte, 1000)
	fill := func(ctx context.Context, n int) (err error) {
		b := NewBuffer(ctx)
		for range n {
			if _, err = b.Write(piece); err != nil {
				break
			}
		}
		return err
	}
	var after context.Context
	requesting(l, t.Context(), func(ctx context.Context) {
		after = ctx
		err := fill(ctx, 100)
		if held, _ := l.Memory(); err != nil || held < copiesOfBody*100_000 || held > copiesOfBody*(100_000+lookEach) {
			t.Errorf("%d bytes are held for 100,000: %v", held, err)
		}
		requesting(l, t.Context(), func(other context.Context) {
			if err := fill(other, 300); !Busy(err) {
				t.Errorf("beside another: %v", err)
			}
		})
		left, leave := context.WithCancel(ctx)
		b := NewBuffer(left)
		_, before := b.Write(piece)
		leave()
		_, withinStep := b.Write(piece)
		if _, err := b.Write(make([]byte, lookEach)); before != nil || withinStep != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("when the caller has left: %v, %v, %v", before, withinStep, err)
		}
	})
	if held, _ := l.Memory(); held != 0 || !errors.Is(Hold(after, 1), context.Canceled) {
		t.Errorf("in the end %d bytes are held, and more may be", held)
	}
	requesting(New(nil, Options{}), t.Context(), func(ctx context.Context) {
		if err := fill(ctx, MostBody/len(piece)+1); cube.CodeOf(err) != cube.CodeTooLarge {
			t.Errorf("longer than any: %v", err)
		}
	})
}

// An answer waits while others hold all memory, and a file longer, but neither for ever.
func TestHold_WaitsForOthers(t *testing.T) {
	for _, waits := range []struct {
		hold    func(context.Context, int64) error
		longest time.Duration
	}{{Hold, longestHold}, {HoldForFile, longestFileHold}} {
		for _, after := range []time.Duration{waits.longest / 2, 2 * waits.longest} {
			synctest.Test(t, func(t *testing.T) {
				m := &meter{bound: 1 << 20}
				other, own := &tally{meter: m}, &tally{meter: m}
				if err := other.add(1 << 20); err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(after, func() { other.free(0, true) })
				began := time.Now()
				err := waits.hold(context.WithValue(t.Context(), tallyKey{}, own), alwaysHeld+1)
				if took := time.Since(began); Busy(err) != (after > waits.longest) || took < min(after, waits.longest) || took > waits.longest+holdStep {
					t.Errorf("after %v: %v, when the others end after %v", took, err, after)
				}
				time.Sleep(after)
			})
		}
	}
}
