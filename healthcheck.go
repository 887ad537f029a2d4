package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

// healthPatience is how long a server has to say that it is ready; it gives its store two seconds.
const healthPatience = 4 * time.Second

func (p *program) healthcheckCommand() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use: "healthcheck", Short: "Ask a server whether it is ready",
		Long: `Ask a server whether it and its store answer, for whatever looks after containers: exit code 0 if so, 1 if not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return checkHealth(cmd.Context(), url) },
	}
	cmd.Flags().StringVar(&url, "url", "http://127.0.0.1:8080/readyz", "the address to ask")
	return cmd
}

func checkHealth(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return usageError{err}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask for its health: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, response.Status)
	}
	return nil
}
