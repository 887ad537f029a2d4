package limits

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"fiscube/cube"
)

// Every answer says how often its address may ask and what is left of that, also after what came inside of a request. Who has asked nothing
// for long is forgotten.
func TestRate_SaysWhatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := echo.New()
		rated := Rate(0.5, func(c echo.Context) bool { return c.Path() == "/healthz" })
		ask := func(address, path string, inside int) (left string) {
			t.Helper()
			request := httptest.NewRequest(http.MethodGet, path, nil)
			request.RemoteAddr = address
			recorder := httptest.NewRecorder()
			c := e.NewContext(request, recorder)
			c.SetPath(path)
			err := rated(func(c echo.Context) error {
				for range inside {
					_ = CountOneMore(c)
				}
				return c.NoContent(http.StatusOK)
			})(c)
			if err != nil {
				if refused := (&cube.Error{}); !errors.As(err, &refused) || refused.Code != CodeTooManyRequests {
					t.Error(err)
				}
				_ = c.NoContent(http.StatusTooManyRequests)
			}
			header := recorder.Header()
			if policy := header.Get("RateLimit-Policy"); policy != `"address";q=3;w=5` && path != "/healthz" {
				t.Errorf("the policy is %s", policy)
			}
			return strings.TrimSpace(header.Get("RateLimit") + " " + header.Get("Retry-After"))
		}
		for i, step := range []struct {
			address, path string
			inside        int
			pause         time.Duration
			want          string
		}{
			{"192.0.2.1:1", "/", 0, 0, `"address";r=2;t=2`},
			{"192.0.2.1:2", "/", 1, 0, `"address";r=0;t=6`},
			{"192.0.2.1:3", "/", 0, 0, `"address";r=0;t=6 2`},
			{"192.0.2.2:1", "/", 0, 0, `"address";r=2;t=2`},
			{"192.0.2.1:4", "/healthz", 0, 0, ""},
			{"192.0.2.1:5", "/", 0, 3 * time.Second, `"address";r=0;t=5`},
			{"192.0.2.1:6", "/", 0, time.Hour, `"address";r=2;t=2`},
		} {
			time.Sleep(step.pause)
			if got := ask(step.address, step.path, step.inside); got != step.want {
				t.Errorf("%d: %s, want %s", i, got, step.want)
			}
		}
	})
}

func TestVisitors_AreForgottenWhereTheyMayAskAllAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := visitors{allowed: 1. / 60, atOnce: 2, left: map[string]*rate.Limiter{}}
		v.of("calm").Allow()
		v.of("busy").AllowN(time.Now(), 2)
		time.Sleep(time.Minute + time.Second)
		if v.of("another"); len(v.left) != 2 || !v.of("busy").Allow() || v.of("busy").Allow() {
			t.Errorf("%d are known", len(v.left))
		}
	})
}
