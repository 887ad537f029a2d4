package api

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"golang.org/x/time/rate" // in which echo's store of visitors counts

	"fiscube/cube"
)

// Limits are what the service lets its callers have. A zero lifts the limit.
type Limits struct {
	Query      time.Duration // until the store has answered a question, or given the first cell of a stream
	Queries    int           // questions that are put to the store at once; long files have half of these
	Queue      int           // questions that wait for their turn; the files of one address have half of it
	Rate       float64       // requests a second from one address, beyond a burst
	TrustProxy bool          // a proxy in a private network says the address in X-Forwarded-For
}

// burst is for how many seconds an address may ask all at once: a dashboard asks a dozen questions and then none.
const burst = 5

// newVisitors counts the requests of each address, or is nil where all are allowed.
func newVisitors(allowed float64) *middleware.RateLimiterMemoryStore {
	if allowed <= 0 {
		return nil
	}
	return middleware.NewRateLimiterMemoryStoreWithConfig(middleware.RateLimiterMemoryStoreConfig{
		Rate: rate.Limit(allowed), Burst: int(math.Ceil(burst * allowed)),
	})
}

// rationed refuses an address that asks more often than it may. Those who look after the service are let through.
func (a *api) rationed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if a.visitors == nil || operational(routeOf(c)) {
			return next(c)
		}
		if ok, _ := a.visitors.Allow(network(c.RealIP())); ok { // in memory nothing fails
			return next(c)
		}
		c.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(1/a.Limits.Rate))))
		return cube.Errorf(codeTooManyRequests, "more than %g requests a second come from this address", a.Limits.Rate)
	}
}

// operational tells whether a route is for whoever runs the service.
func operational(route string) bool {
	return route == "/healthz" || route == "/readyz" || route == "/metrics"
}

// network gives what stands for one asker: an IPv4 address, or the network of 64 bits that an IPv6 client
// chooses its addresses from.
func network(text string) string {
	address, err := netip.ParseAddr(text)
	if err != nil || address.Unmap().Is4() {
		return text
	}
	prefix, _ := address.WithZone("").Prefix(64) // every such address has one
	return prefix.String()
}

// addressed says where an address is taken from.
func addressed(trustProxy bool) echo.IPExtractor {
	if trustProxy {
		return echo.ExtractIPFromXFFHeader()
	}
	return echo.ExtractIPDirect()
}

// maxBody is how many bytes may come with a request that needs none.
const maxBody = 64 << 10

// bodiless refuses to take in what no reading route looks at.
func bodiless(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions {
			return next(c)
		}
		if r.ContentLength > maxBody {
			c.Response().Header().Set(echo.HeaderConnection, "close")
			return cube.Errorf(cube.CodeTooLarge, "a %s request needs no body, and this one has %d bytes", r.Method, r.ContentLength)
		}
		r.Body = http.MaxBytesReader(c.Response(), r.Body, maxBody)
		return next(c)
	}
}

// limit bounds how long the store may take, until it is lifted. End has to be called in any case.
type limit struct {
	ctx   context.Context
	timer *time.Timer // nil: no bound
	end   func()
}

func (a *api) limit(ctx context.Context) limit {
	ctx, cancel := context.WithCancelCause(ctx)
	if a.Limits.Query <= 0 {
		return limit{ctx, nil, func() { cancel(nil) }}
	}
	timer := time.AfterFunc(a.Limits.Query, func() { cancel(errLate) })
	return limit{ctx, timer, func() { timer.Stop(); cancel(nil) }}
}

// errLate is why a limit ended what was asked.
var errLate = errors.New("the time limit of questions is over")

// lift lets the rest take as long as it takes.
func (l limit) lift() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// explain says of an error that the limit brought about how long was allowed.
func (l limit) explain(err error, allowed time.Duration) error {
	if err == nil || !errors.Is(context.Cause(l.ctx), errLate) {
		return err
	}
	late := cube.Wrap(cube.CodeUnavailable, fmt.Sprintf("the question took longer than the %v that one may take", allowed), err)
	late.Hint = "cut it down, or drill fewer levels"
	return late
}
