package command

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"
)

// healthPatience is how long a server has to say that it is ready; it gives its store two seconds.
const healthPatience = 4 * time.Second

// defaultAddr is where a server listens by default.
const defaultAddr = "127.0.0.1:8080"

func (p *program) healthcheckCommand() *cobra.Command {
	var addr, address string
	cmd := &cobra.Command{
		Use: "healthcheck", Short: "Ask a server whether it is ready",
		Long: `Ask a server whether it and its store answer, for whatever looks after containers: exit code 0 if so, 1 if not.
It is the server that serve with the same --addr, or FISCUBE_ADDR, starts on this machine.`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if address == "" {
				address, err = readyAddress(addr)
			}
			if err != nil {
				return usageError{err}
			}
			return checkHealth(cmd.Context(), address)
		},
	}
	cmd.Flags().StringVar(&addr, "addr", defaultAddr, "the address that the server listens at, as host:port")
	cmd.Flags().StringVar(&address, "url", "", "what to ask instead, such as https://example.org/readyz")
	return cmd
}

// readyAddress is where a server answers that listens at addr. One that listens everywhere is asked here.
func readyAddress(addr string) (string, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", err
	}
	if host == "" || net.ParseIP(host).IsUnspecified() {
		host = "127.0.0.1"
	}
	number, err := net.LookupPort("tcp", port) // it may be a name, as serve takes one
	if err != nil {
		return "", err
	}
	return (&url.URL{Scheme: "http", Host: net.JoinHostPort(host, strconv.Itoa(number)), Path: "/readyz"}).String(), nil
}

func checkHealth(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return usageError{err}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask for its health: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, response.Status)
	}
	return nil
}
