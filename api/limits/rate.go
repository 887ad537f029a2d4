package limits

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"fiscube/cube"
)

// CodeTooManyRequests is the code of an address that asks more often than it may.
const CodeTooManyRequests cube.Code = "too-many-requests"

// burst is for how many seconds an address may ask all at once: a dashboard asks a dozen questions and then none.
const burst = 5

// The fields that say how often an address may ask, and how often it still may (draft-ietf-httpapi-ratelimit-headers-10).
const (
	headerPolicy = "RateLimit-Policy"
	headerRate   = "RateLimit"
)

// Rate refuses an address that makes more requests a second than are allowed; 0 allows all. Exempt says which requests
// are not counted. What else is answered says how many requests the address may still make at once, and in how many seconds
// it may make all again.
func Rate(allowed float64, exempt func(echo.Context) bool) echo.MiddlewareFunc {
	if allowed <= 0 {
		return func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	}
	all := visitors{allowed: rate.Limit(allowed), atOnce: int(math.Ceil(burst * allowed)), left: map[string]*rate.Limiter{}}
	policy := fmt.Sprintf(`"address";q=%d;w=%d`, all.atOnce, burst)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if exempt(c) || c.Request().Context().Value(countedKey{}) != nil {
				return next(c)
			}
			left, header := all.of(network(c.RealIP())), c.Response().Header()
			c.Response().Before(func() { // after what came inside of the request
				tokens := left.Tokens()
				header.Set(headerPolicy, policy)
				header.Set(headerRate, fmt.Sprintf(`"address";r=%d;t=%.0f`, max(0, int(tokens)), math.Ceil((float64(all.atOnce)-tokens)/allowed)))
			})
			count := func() error {
				if left.Allow() {
					return nil
				}
				return cube.Errorf(CodeTooManyRequests, "more than %g requests a second come from this address", allowed)
			}
			if err := count(); err != nil {
				header.Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(1/allowed))))
				return err
			}
			c.Set(countKey, count)
			return next(c)
		}
	}
}

// visitors are the addresses that asked lately, each with what it may still ask.
type visitors struct {
	allowed rate.Limit
	atOnce  int

	mu   sync.Mutex
	left map[string]*rate.Limiter
	next time.Time // when those are looked for that may ask all again, which is as if they had not asked
}

func (v *visitors) of(address string) *rate.Limiter {
	v.mu.Lock()
	defer v.mu.Unlock()
	if now := time.Now(); now.After(v.next) {
		v.next = now.Add(time.Minute)
		maps.DeleteFunc(v.left, func(_ string, left *rate.Limiter) bool { return left.Tokens() >= float64(v.atOnce) })
	}
	left, ok := v.left[address]
	if !ok {
		left = rate.NewLimiter(v.allowed, v.atOnce)
		v.left[address] = left
	}
	return left
}

// countKey is where a request keeps what counts one more.
const countKey = "count"

// CountOneMore counts a request that came inside another, and refuses it as if it had come alone.
func CountOneMore(c echo.Context) error { return More(c)() }

// More gives what counts requests that came inside another, also once that is answered.
func More(c echo.Context) (count func() error) {
	if count, ok := c.Get(countKey).(func() error); ok {
		return count
	}
	return func() error { return nil }
}

// countedKey is the key in the context of a request that is counted already.
type countedKey struct{}

// Counted gives the context of requests that are made for one that is counted already.
func Counted(ctx context.Context) context.Context { return context.WithValue(ctx, countedKey{}, true) }

// network gives what counts as one client: an IPv4 address, or the network of 64 bits that an IPv6 client
// chooses its addresses from.
func network(text string) string {
	address, err := netip.ParseAddr(text)
	if err != nil || address.Unmap().Is4() {
		return text
	}
	prefix, _ := address.WithZone("").Prefix(64) // every such address has one
	return prefix.String()
}

// maxBody is how many bytes may come with a request that needs none.
const maxBody = 64 << 10

// Body refuses long bodies of requests that only read.
func Body(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions {
			return next(c)
		}
		if r.ContentLength > maxBody {
			c.Response().Header().Set(echo.HeaderConnection, "close")
			return cube.Errorf(cube.CodeTooLarge, "a %s request needs no body, and this one has %d bytes", r.Method, r.ContentLength)
		}
		if r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(c.Response(), r.Body, maxBody)
		}
		return next(c)
	}
}
