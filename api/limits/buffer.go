package limits

import (
	"bytes"
	"context"

	"fiscube/cube"
)

// MostBody is how many bytes an answer has at most that is made as a whole before it is sent.
const MostBody = 16 << 20

// The bytes of a body that are counted at once, after which it is looked whether anybody still waits for it, and how often it is in memory: as it
// grows, cleaned, and as it is sent.
const (
	lookEach     = 8 << 10
	copiesOfBody = 3
)

// Buffer takes an answer that is made as a whole before it is sent: a page, a figure. Its bytes are held until the request ends. It takes no more
// of them when the caller has left, when there is no room, or beyond MostBody, and so ends what writes them.
type Buffer struct {
	ctx  context.Context
	body bytes.Buffer
	held int
}

// NewBuffer makes the buffer of the answer to a request.
func NewBuffer(ctx context.Context) *Buffer { return &Buffer{ctx: ctx} }

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	for b.held < b.body.Len()+len(p) {
		if err := b.holdMore(max(lookEach, b.body.Len()+len(p)-b.held)); err != nil {
			return 0, err
		}
	}
	return b.body.Write(p)
}

func (b *Buffer) holdMore(n int) error {
	if err := b.ctx.Err(); err != nil {
		return context.Cause(b.ctx)
	}
	if b.body.Len()+n > MostBody {
		return tooLong()
	}
	if err := Hold(b.ctx, copiesOfBody*int64(n)); err != nil {
		return err
	}
	b.held += n
	return nil
}

// Bytes gives what was written.
func (b *Buffer) Bytes() []byte { return b.body.Bytes() }

// String gives what was written.
func (b *Buffer) String() string { return b.body.String() }

// HoldBody counts a body that was made as a whole.
func HoldBody(ctx context.Context, body []byte) error {
	if len(body) > MostBody {
		return tooLong()
	}
	return Hold(ctx, int64(len(body)))
}

func tooLong() error {
	return cube.Errorf(cube.CodeTooLarge, "the answer has more than the %d MB that one may have as a whole", MostBody>>20).
		WithHint("ask for less of it at once, or for a file as CSV")
}
