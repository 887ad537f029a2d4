package e2e

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// received are the spans that a collector was sent, by their names.
type received struct {
	mu       sync.Mutex
	spans    map[string]*spans.Span
	resource string
}

// ServeHTTP takes spans as a collector does.
func (r *received) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var sent collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(sure(io.ReadAll(request.Body)), &sent); err != nil || request.URL.Path != "/v1/traces" {
		http.Error(w, "no spans", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range sent.ResourceSpans {
		r.resource = of.Resource.String()
		for _, scope := range of.ScopeSpans {
			for _, span := range scope.Spans {
				r.spans[span.Name] = span
			}
		}
	}
}

// A question is a span in the trace of who asks, with its stages below it.
func TestTraces_OfAQuestion(t *testing.T) {
	t.Parallel()
	to := &received{spans: map[string]*spans.Span{}}
	server := httptest.NewServer(to)
	defer server.Close()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, "seeds/example-croatia")
	s := serving(t, startIn(t, ".", []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + server.URL, "OTEL_SERVICE_NAME=budgets", "OTEL_RESOURCE_ATTRIBUTES=town=Zagreb", "OTEL_BSP_SCHEDULE_DELAY=50"},
		"serve", "--addr", "127.0.0.1:0", "--db", db, "--resident", "0", "--metrics-addr", "127.0.0.1:0"))
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	request := sure(http.NewRequest(http.MethodGet, s.url+byYear, nil))
	request.Header.Set("Traceparent", "00-"+trace+"-"+parent+"-01")
	response := sure(http.DefaultClient.Do(request))
	check(response.Body.Close())
	s.get(t, "/cubes/planet")
	s.stop(t)

	to.mu.Lock()
	defer to.mu.Unlock()
	whole := to.spans["GET /cubes/:cube/aggregate"]
	if whole == nil || hex.EncodeToString(whole.TraceId) != trace || hex.EncodeToString(whole.ParentSpanId) != parent || whole.Kind != spans.Span_SPAN_KIND_SERVER {
		t.Fatalf("the spans are %v", to.spans)
	}
	says(t, whole.String(), `"fiscube.cube"`, `"example-croatia"`, `"http.response.status_code"`, "int_value:200")
	if strings.Contains(whole.String(), "drilldown") {
		t.Errorf("a span says what was asked: %v", whole)
	}
	ends := whole.StartTimeUnixNano
	for _, stage := range []string{"parse", "plan", "wait", "store", "encode"} {
		span := to.spans[stage]
		if span == nil || string(span.ParentSpanId) != string(whole.SpanId) || span.StartTimeUnixNano < ends || span.EndTimeUnixNano > whole.EndTimeUnixNano {
			t.Errorf("the stage %s is %v, after %d and in %v", stage, span, ends, whole)
			continue
		}
		ends = span.EndTimeUnixNano
	}
	says(t, to.resource, `"service.name"`, `"budgets"`, `"Zagreb"`)
	says(t, to.spans["GET /cubes/:cube"].String(), "int_value:404")
	says(t, s.err.String(), `"trace_id":"`+trace+`"`)
}

func TestTraces_RefuseWhatIsNotSent(t *testing.T) {
	for variables, want := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 OTEL_EXPORTER_OTLP_PROTOCOL=grpc": "spans are sent as http/protobuf",
		"OTEL_TRACES_EXPORTER=zipkin": "spans are sent as otlp, or none",
	} {
		p := startIn(t, ".", strings.Fields(variables), "serve", "--addr", "127.0.0.1:0", "--db", freshDuckDB(t))
		if code := p.exit(t); code != exitUsage || !strings.Contains(p.err.String(), want) {
			t.Errorf("%s: exit code %d, %s", variables, code, p)
		}
	}
}
