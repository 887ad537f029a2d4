package command

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"fiscube/internal/version"
)

// lastSpans is how long the last spans may take to be sent.
const lastSpans = 3 * time.Second

// tracer makes what sends spans where the variables of OpenTelemetry say so; nil where they say nothing.
func tracer(ctx context.Context, log *slog.Logger) (made trace.Tracer, stop func(), err error) {
	wanted, err := isTraced(os.Getenv)
	if err != nil || !wanted {
		return nil, func() {}, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("spans are not sent", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("send spans: %w", err)
	}
	of, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "fiscube"), attribute.String("service.version", version.Of().Version)), resource.WithFromEnv())
	if err != nil {
		log.Warn("OTEL_RESOURCE_ATTRIBUTES is heeded in part", "error", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(of))
	return provider.Tracer("fiscube"), func() {
		ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			log.Warn("the last spans are not sent", "error", err)
		}
	}, nil
}

// isTraced reads which exporter the variables want.
func isTraced(variable func(string) string) (bool, error) {
	exporter := strings.ToLower(variable("OTEL_TRACES_EXPORTER"))
	endpoint := cmp.Or(variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), variable("OTEL_EXPORTER_OTLP_ENDPOINT"))
	protocol := cmp.Or(variable("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"), variable("OTEL_EXPORTER_OTLP_PROTOCOL"), "http/protobuf")
	switch {
	case strings.EqualFold(variable("OTEL_SDK_DISABLED"), "true") || exporter == "none" || exporter == "" && endpoint == "":
		return false, nil
	case exporter != "" && exporter != "otlp":
		return false, usageError{fmt.Errorf("OTEL_TRACES_EXPORTER is %q: spans are sent as otlp, or none", exporter)}
	case protocol != "http/protobuf":
		return false, usageError{fmt.Errorf("the protocol of OTLP is %q: spans are sent as http/protobuf, which collectors take at port 4318", protocol)}
	}
	return true, nil
}
