// Package api answers questions over HTTP, with one handler for each noun. A handler reads as the way of its request:
//
//	request.Read, query.Parse   the parameters                 → query.Query, or a mistake with its place
//	request.Cube, plan.Bind     the served cube, and the names → plan.Plan
//	reply.Unchanged             the ETag, which costs no query → perhaps 304
//	kept.Answers                perhaps an answer that was made before
//	limits.Limiter              a slot, a time limit; then answer.Run → answer.Answer
//	package encode              the answer → bytes
//	reply.Send or reply.Export  headers, compression
//
// A handler returns its errors. Package reply gives them their one shape, and only those of type *cube.Error have words
// that reach a caller. openapi.yaml is the reference of what the routes take and give; the tests hold every answer
// against it.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"os"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/trace"

	"fiscube/api/assistant"
	"fiscube/api/babbage"
	"fiscube/api/docs"
	"fiscube/api/explorer"
	"fiscube/api/harvest"
	"fiscube/api/jobs"
	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/publish"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/api/spool"
	"fiscube/cube/search"
	"fiscube/schemas"
)

// Options configure the service.
type Options struct {
	Document     []byte           // openapi.yaml, served as it is
	PublicURL    string           // where callers reach the service, for links; "" takes it from each request
	Operator     harvest.Operator // who serves
	Log          *slog.Logger     // gets one line a request, and the causes of what fails inside
	ReadToken    string           // of those who may read every cube, as who may load also may; "" for none
	LogQuestions bool             // with what was asked
	Loads        *jobs.Queue      // takes packages and removals; nil for none
	Drafts       *publish.Drafts  // of packages that people make on pages; nil for none
	Search       *search.Index    // what /search looks in; the caller keeps it up to date; nil for one that stays empty
	Limits       limits.Options
	Kept         int64        // bytes of answers that are kept; 0 keeps none
	Spool        int64        // bytes on disk of long answers about pinned versions, which have ranges then; 0 keeps none
	Local        bool         // only this machine may read it, and AllowOrigin
	AllowOrigin  []string     // sites that may read a local server too; * for all
	Tracer       trace.Tracer // makes a span of each request; nil for none
	StoreMetrics StoreMetrics // nil where the store has none
	DuckDB       string       // its version; "" where it is not built in
}

// Store is what the service needs of a store, which may have PublishedFiles, too.
type Store interface {
	limits.Store // for questions
	jobs.Remover // for removals over HTTP

	// Ready tells whether the store answers; the error is unavailable.
	Ready(ctx context.Context) error
}

// api has what the handlers share. It never changes.
type api struct {
	Options
	store   Store
	limiter *limits.Limiter
	kept    *kept.Answers
	files   PublishedFiles // nil where the store has none
	spool   *spool.Spool
	metrics *metrics
	apart   bool // the metrics are for the operator alone
}

// New makes the handler of every route.
func New(store Store, options Options) http.Handler {
	a := newAPI(store, options, false)
	e := a.router()
	a.routeOperation(e)
	return e
}

// NewApart makes two handlers: one for everybody, without the metrics, and one for the operator, with them.
func NewApart(store Store, options Options) (everybody, operator http.Handler) {
	a := newAPI(store, options, true)
	e, o := a.router(), a.bare()
	route(e, "/healthz", request.Bare(a.health))
	route(e, "/readyz", request.Bare(a.ready))
	o.Use(a.limiter.Metering, limits.Pausing, reply.Compress, a.observe, secure, own, recoverPanic)
	a.routeOperation(o)
	return e, o
}

// routeOperation routes what an operator asks for.
func (a *api) routeOperation(e *echo.Echo) {
	route(e, "/healthz", request.Bare(a.health))
	route(e, "/readyz", request.Bare(a.ready))
	route(e, "/metrics", request.Bare(a.scrape))
}

// own keeps scripts of other sites from reading an answer.
func own(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Response().Header().Del(echo.HeaderAccessControlAllowOrigin)
		return next(c)
	}
}

func newAPI(store Store, options Options, apart bool) *api {
	a := &api{Options: options, apart: apart, store: store, limiter: limits.New(store, options.Limits)}
	a.kept = kept.New(store, options.Kept)
	a.files, _ = store.(PublishedFiles)
	a.spool = spool.New(os.TempDir(), options.Spool)
	if a.Search == nil {
		a.Search = search.New(store, options.Log)
	}
	a.metrics = newMetrics(a)
	return a
}

// bare makes a router without routes.
func (a *api) bare() *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = reply.Problems(a.Log)
	e.IPExtractor = echo.ExtractIPDirect()
	if a.Limits.TrustProxy {
		e.IPExtractor = echo.ExtractIPFromXFFHeader()
	}
	return e
}

// router routes what is for everybody.
func (a *api) router() *echo.Echo {
	e := a.bare()
	pages := explorer.New(a.limiter, a.Search)
	guard := func(next echo.HandlerFunc) echo.HandlerFunc { return next }
	if a.Local {
		guard = local(a.AllowOrigin)
	}
	e.Use(a.limiter.Metering, limits.Pausing, reply.Compress, a.observe, secure, a.trust, guard, pages.Problems, limits.Rate(a.Limits.Rate, operational), limits.Body, recoverPanic, a.kept.Again)
	for path, handle := range pages.Routes() {
		if path == "/" {
			handle = withReference(handle)
		}
		route(e, path, handle)
	}
	for path, handle := range harvest.Routes(a.limiter, a.Operator) {
		route(e, path, handle)
	}
	route(e, "/cubes", withReference(withPage(jsonAlone(a.cubes), pageOfSearch)))
	route(e, "/cubes/:cube", withReference(withPage(jsonAlone(a.pinnableJSON(a.cube, request.Lang)), pageOfCube(""))))
	route(e, "/cubes/:cube/model", withPage(jsonAlone(a.pinnableJSON(a.model, request.Lang)), pageOfCube("")))
	route(e, "/cubes/:cube/report", withPage(jsonAlone(a.pinnableJSON(a.report, request.Lang)), pageOfCube("/report")))
	route(e, "/cubes/:cube/datapackage.json", a.pinnableJSON(a.descriptor))
	route(e, "/cubes/:cube/image", a.pinnable(a.image))
	route(e, "/cubes/:cube/versions", request.Bare(a.versions))
	route(e, differencePath, withPage(jsonAlone(a.difference), pageOfDifference))
	route(e, "/cubes/:cube/aggregate", withPage(a.aggregate, pageOfAnswer))
	e.POST(batchPath, a.batch)
	e.POST(batchPath+"/", a.batch)
	route(e, "/cubes/:cube/package.zip", a.datapackage)
	route(e, "/cubes/:cube/members/:level", withPage(a.members, pageOfLevel("level")))
	route(e, "/cubes/:cube/facts", withPage(a.facts, pageOfFacts))
	route(e, "/cubes/:cube/resources/:resource", withPage(jsonAlone(a.resource), pageOfLines))
	route(e, "/cubes/:cube/resources/:resource/rows.csv", a.pinnable(a.rowsOfFile))
	route(e, "/cubes/:cube/tree/:dimension", withPage(jsonAlone(a.tree), pageOfLevel("dimension")))
	route(e, "/cubes/:cube/explain", a.explain)
	route(e, "/search", withPage(jsonAlone(a.search), pageOfSearch))
	for path, handle := range referenceRoutes(a.Document) {
		route(e, path, handle)
	}
	for _, kind := range []schemas.Kind{schemas.Descriptor, schemas.Overlay} {
		route(e, "/schemas/"+string(kind)+".schema.json", unchanging("application/schema+json", func() ([]byte, error) { return schemas.Text(kind) }))
	}
	route(e, "/docs", docs.Page(a.limiter))
	route(e, "/docs/:file", docs.File)
	for path, handle := range babbage.Handlers(a.limiter, a.kept) {
		route(e, babbage.Root+path, handle)
	}
	tools := assistant.New(e, "")
	e.POST(assistantPath, tools.Handle)
	e.POST(assistantPath+"/", tools.Handle)
	if a.Loads != nil {
		a.Loads.Register(e, a.store)
	}
	if a.Loads != nil && a.Drafts != nil {
		publish.Register(e, a.limiter, a.Loads, a.Drafts)
	}
	return e
}

// assistantPath is where assistants send their messages.
const assistantPath = "/mcp"

// route answers the path with and without a trailing slash: a redirect would cost every client a second trip.
func route(e *echo.Echo, path string, handle echo.HandlerFunc) {
	e.GET(path, handle)
	e.HEAD(path, handle)
	if path != "/" {
		e.GET(path+"/", handle)
		e.HEAD(path+"/", handle)
	}
}

// operational reports whether a route is for the operator.
func operational(c echo.Context) bool {
	route := routeOf(c)
	return route == "/healthz" || route == "/readyz" || route == "/metrics"
}
