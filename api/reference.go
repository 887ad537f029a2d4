package api

import (
	"net/http"
	"sync"

	"github.com/labstack/echo/v4"
	"go.yaml.in/yaml/v3"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
)

// referenceRoutes gives what serves openapi.yaml: as it is, and as JSON.
func referenceRoutes(document []byte) map[string]echo.HandlerFunc {
	asJSON := sync.OnceValues(func() ([]byte, error) {
		var parsed any
		if err := yaml.Unmarshal(document, &parsed); err != nil {
			return nil, err
		}
		return encode.Marshal(parsed), nil
	})
	return map[string]echo.HandlerFunc{
		"/openapi.yaml": unchanging("application/yaml", func() ([]byte, error) { return document, nil }),
		"/openapi.json": unchanging("application/json", asJSON),
	}
}

// unchanging serves a text that is always the same.
func unchanging(media string, text func() ([]byte, error)) echo.HandlerFunc {
	return request.Bare(func(c echo.Context) error {
		body, err := text()
		if err != nil {
			return err
		}
		if reply.Unchanged(c, media, string(body)) {
			return reply.SendNotModified(c)
		}
		return reply.Send(c, http.StatusOK, media, body)
	})
}

// withReference leads from an answer to the reference of the service, for programs and for people (RFC 8631).
func withReference(handle echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		reply.AddDescription(c)
		return handle(c)
	}
}
