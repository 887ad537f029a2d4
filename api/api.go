// Package api answers questions over HTTP. A request runs down one line, and every file holds one noun of it:
//
//	readQuestion → Engine.Cube → Cube.Bind → Engine.Aggregate or Run → the encoder of the format
//
// A handler returns its mistakes; problem.go turns them into the one shape of error, and nothing but a
// *cube.Error has words that reach a caller. openapi.yaml is the reference of what the routes take and give;
// the tests hold every answer against it.
package api

import (
	"log/slog"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"fiscube/cube"
	"fiscube/search"
)

// Options are what an operator decides of the service.
type Options struct {
	Document  []byte        // openapi.yaml, served as it is
	PublicURL string        // where callers reach the service, for links; "" takes it from each request
	Log       *slog.Logger  // gets one line a request, and the causes of what fails inside
	Loads     *Loads        // takes packages and removals; nil for none
	Search    *search.Index // what /search looks in; somebody else keeps it up. nil for one that stays empty
	Limits    Limits
	Stats     func() []cube.Stat // what the store tells of itself, for the metrics; nil where it tells nothing
}

// api is what the handlers share. It is never changed once made.
type api struct {
	Options
	engine    *cube.Engine
	questions turns   // of all that is asked of the store
	streams   turns   // of those of them that are streamed
	queue     turns   // of those that wait for one of these
	shares    *shares // of streams and queue
	visitors  *middleware.RateLimiterMemoryStore
	metrics   *metrics
}

// New makes the handler of every route.
func New(engine *cube.Engine, options Options) http.Handler {
	a := newAPI(engine, options)
	e := echo.New()
	e.HTTPErrorHandler = a.problem
	e.IPExtractor = addressed(a.Limits.TrustProxy)
	e.Use(timed, a.measured, compressed, a.logged, open, a.rationed, bodiless, a.recovered)
	a.route(e, "/", bare(a.home))
	a.route(e, "/cubes", bare(a.cubes))
	a.route(e, "/cubes/:cube", a.pinnableJSON(a.cube, inLang))
	a.route(e, "/cubes/:cube/model", a.pinnableJSON(a.model))
	a.route(e, "/cubes/:cube/report", a.pinnableJSON(a.report))
	a.route(e, "/cubes/:cube/datapackage.json", a.pinnableJSON(a.descriptor))
	a.route(e, "/cubes/:cube/image", a.pinnable(a.image))
	a.route(e, "/cubes/:cube/versions", bare(a.versions))
	a.route(e, "/cubes/:cube/aggregate", a.aggregate)
	a.route(e, "/cubes/:cube/package.zip", a.datapackage)
	a.route(e, "/cubes/:cube/members/:level", a.members)
	a.route(e, "/cubes/:cube/facts", a.facts)
	a.route(e, "/cubes/:cube/resources/:resource", a.pinnable(a.resource))
	a.route(e, "/cubes/:cube/tree/:dimension", a.tree)
	a.route(e, "/cubes/:cube/explain", a.explain)
	a.route(e, "/search", a.search)
	a.route(e, "/healthz", bare(a.health))
	a.route(e, "/readyz", bare(a.ready))
	a.route(e, "/metrics", bare(a.scrape))
	a.route(e, "/openapi.yaml", bare(a.reference))
	a.route(e, "/docs", bare(a.docs))
	a.route(e, "/docs/:file", a.docsFile)
	a.dashboards(e)
	a.loading(e)
	return e
}

func newAPI(engine *cube.Engine, options Options) *api {
	a := &api{Options: options, engine: engine}
	if a.Search == nil {
		a.Search = search.New(engine, options.Log)
	}
	streams := (a.Limits.Queries + 1) / 2
	a.questions, a.streams, a.queue = newTurns(a.Limits.Queries), newTurns(streams), make(turns, max(a.Limits.Queue, 0))
	a.shares = newShares(streams, cap(a.queue))
	a.visitors = newVisitors(a.Limits.Rate)
	a.metrics = newMetrics(a)
	return a
}

// route answers the path with and without a trailing slash: a redirect would cost every client a second trip.
func (a *api) route(e *echo.Echo, path string, handle echo.HandlerFunc) {
	paths := []string{path, path + "/"}
	if path == "/" {
		paths = paths[:1]
	}
	for _, p := range paths {
		e.GET(p, handle)
		e.HEAD(p, handle)
	}
}

// bare refuses the parameters that a route without any is given.
func bare(handle echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := readParameters(c.Request().URL.RawQuery, nil); err != nil {
			return err
		}
		return handle(c)
	}
}

func cubeName(c echo.Context) string { return pathParameter(c, "cube") }

// pathParameter gives a part of the path. Echo hands it over as it stood in the URL where that differs from what Go
// would write, and decoded otherwise.
func pathParameter(c echo.Context, name string) string {
	text := c.Param(name)
	if c.Request().URL.RawPath == "" {
		return text
	}
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// reference serves openapi.yaml.
func (a *api) reference(c echo.Context) error {
	if a.tagged(c, "application/yaml", string(a.Document)) {
		return sendUnchanged(c)
	}
	return send(c, http.StatusOK, "application/yaml", a.Document)
}
