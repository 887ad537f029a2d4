package cubetest

import "context"

// Leaving is a context whose caller leaves after so many looks at it. The context within it never ends.
type Leaving struct {
	context.Context
	Looks, After int
}

// Err implements context.Context.
func (l *Leaving) Err() error {
	if l.Looks++; l.Looks > l.After {
		return context.Canceled
	}
	return nil
}
