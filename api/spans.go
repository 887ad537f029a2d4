package api

import (
	"time"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube/query"
)

// beginSpan continues the trace that a request brings, or begins one. The names of attributes are those of OpenTelemetry.
func (a *api) beginSpan(c echo.Context, start time.Time) trace.Span {
	r := c.Request()
	ctx := r.Context()
	if r.Header.Get("Traceparent") != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	if a.Tracer != nil {
		ctx, _ = a.Tracer.Start(ctx, methodOf(c)+" "+routeOf(c), trace.WithTimestamp(start), trace.WithSpanKind(trace.SpanKindServer),
			trace.WithAttributes(attribute.String("http.request.method", methodOf(c)), attribute.String("http.route", routeOf(c))))
	}
	if ctx != r.Context() {
		c.SetRequest(r.WithContext(ctx))
	}
	return trace.SpanFromContext(ctx)
}

// endSpan ends it, with a span below it for each stage of a question. What was asked is nobody's business.
func (a *api) endSpan(c echo.Context, span trace.Span, t *limits.Timing, start time.Time, took time.Duration, whole bool) {
	if a.Tracer == nil {
		return
	}
	if span.IsRecording() {
		at := start
		for _, s := range t.Stages {
			_, stage := a.Tracer.Start(trace.ContextWithSpan(c.Request().Context(), span), string(s.Stage), trace.WithTimestamp(at))
			at = at.Add(s.Took)
			stage.End(trace.WithTimestamp(at))
		}
		span.SetAttributes(attribute.Int("http.response.status_code", c.Response().Status))
		if name := request.Path(c, "cube"); name != "" {
			span.SetAttributes(attribute.String("fiscube.cube", query.Clip(name)))
		}
		if !whole || c.Response().Status >= 500 {
			span.SetStatus(codes.Error, "")
		}
	}
	span.End(trace.WithTimestamp(start.Add(took)))
}
