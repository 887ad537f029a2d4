package main

import (
	"net"
	"testing"
)

func TestWhereAServerIsAskedForItsHealth(t *testing.T) {
	for addr, want := range map[string]string{
		defaultAddr:    "http://127.0.0.1:8080/readyz",
		":8421":        "http://127.0.0.1:8421/readyz",
		"0.0.0.0:80":   "http://127.0.0.1:80/readyz",
		"[::]:80":      "http://127.0.0.1:80/readyz",
		"[::1]:80":     "http://[::1]:80/readyz",
		"10.0.0.7:80":  "http://10.0.0.7:80/readyz",
		"budgets:8080": "http://budgets:8080/readyz",
		":http":        "http://127.0.0.1:80/readyz",
	} {
		if got, err := readyAddress(addr); err != nil || got != want {
			t.Errorf("%s is asked at %s, want %s (%v)", addr, got, want, err)
		}
	}
}

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
