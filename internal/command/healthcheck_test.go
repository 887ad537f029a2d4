package command

import "testing"

func TestReadyAddress_IsOnThisMachine(t *testing.T) {
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
