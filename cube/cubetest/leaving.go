package cubetest

import (
	"context"
	"time"
)

// Leaving is a context whose caller leaves after so many looks at it.
type Leaving struct{ Looks, After int }

// Err implements context.Context.
func (l *Leaving) Err() error {
	if l.Looks++; l.Looks > l.After {
		return context.Canceled
	}
	return nil
}

// Done implements context.Context.
func (l *Leaving) Done() <-chan struct{} { return nil }

// Deadline implements context.Context.
func (l *Leaving) Deadline() (deadline time.Time, ok bool) { return }

// Value implements context.Context.
func (l *Leaving) Value(any) any { return nil }
