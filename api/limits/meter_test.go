package limits

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"
)

// What a request writes to another one of this process is held until that ends, and its own bytes only until it ends itself.
func TestMeter_RequestsInsideAnother(t *testing.T) {
	l := New(nil, Options{Memory: 10 << 20})
	request := func(ctx context.Context, do func(ctx context.Context)) {
		c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx), httptest.NewRecorder())
		_ = l.Metering(func(c echo.Context) error { do(c.Request().Context()); return nil })(c)
	}
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
