package e2e

import (
	"net"
	"testing"
)

// A container names its address once, in a variable: server and health check both go by it.
func TestHealthcheckFollowsTheAddressOfTheServer(t *testing.T) {
	t.Parallel()
	s := serve(t, freshDuckDB(t))
	_, port, err := net.SplitHostPort(s.url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "", "0.0.0.0"} {
		addr := net.JoinHostPort(host, port)
		startIn(t, t.TempDir(), []string{"FISCUBE_ADDR=" + addr}, "healthcheck").succeed(t)
		must(t, "healthcheck", "--addr", addr)
	}
	must(t, "healthcheck", "--addr", "127.0.0.1:1", "--url", s.url+"/readyz")
	fails(t, exitFailed, []string{"healthcheck", "--addr", "127.0.0.1:1"}, "fiscube: ask for its health")
}
