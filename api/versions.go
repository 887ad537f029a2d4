package api

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// A question that names its version is pinned: whoever follows its link gets the same numbers for as long as
// the version is kept, and is told when it is not.

// pin is the parameter that names the version.
var pin = parameter{name: "version", twice: cube.CodeBadValue}

// servedVersion stands for a question that is not pinned.
const servedVersion = 0

// headerLink leads to other resources (RFC 8288).
const headerLink = "Link"

// pinnedFor is how long an answer to a pinned question may be kept by its asker.
const pinnedFor = "max-age=86400"

// pinnable hands the version asked for to a route that takes no other parameter but the language, where it does.
func (a *api) pinnable(handle func(echo.Context, *cube.Cube) error, more ...parameter) echo.HandlerFunc {
	parameters := slices.Concat(more, []parameter{pin})
	return func(c echo.Context) error {
		given, err := readParameters(c.Request().URL.RawQuery, parameters)
		if err != nil {
			return err
		}
		number, err := readVersion(given)
		if err != nil {
			return err
		}
		one, err := a.asked(c, number)
		if err != nil {
			return err
		}
		return handle(c, one)
	}
}

// pinnableJSON is pinnable for what every version has, as JSON.
func (a *api) pinnableJSON(handle func(echo.Context, *cube.Cube) error, more ...parameter) echo.HandlerFunc {
	return a.pinnable(func(c echo.Context, one *cube.Cube) error {
		if a.unchanged(c, one, formatJSON.media) {
			return sendUnchanged(c)
		}
		return handle(c, one)
	}, more...)
}

// readVersion gives the number of the version asked for, or servedVersion.
func readVersion(given map[string]string) (int, error) {
	text, ok := given[pin.name]
	if !ok {
		return servedVersion, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, mistake(cube.CodeBadValue, pin.name, "version is "+strconv.Quote(text), "versions are numbered 1, 2, 3 …")
	}
	return number, nil
}

// asked gives a version of the cube that the path names.
func (a *api) asked(c echo.Context, number int) (*cube.Cube, error) {
	if number == servedVersion {
		return a.engine.Cube(c.Request().Context(), cubeName(c))
	}
	c.Response().Header().Set(echo.HeaderCacheControl, pinnedFor)
	return a.engine.Version(c.Request().Context(), cubeName(c), number)
}

// unpinned leads from a pinned question to the same one on the served version. The reference is relative, so that it
// also holds below a path of another server.
func unpinned(u *url.URL) (target string, pinned bool) {
	rest := without(u, pin.name)
	return reference(rest), len(rest) < len(without(u))
}

// inLink escapes the characters of a query that would end a link early or that no URL may hold.
func inLink(query string) string {
	var b strings.Builder
	for _, char := range []byte(query) {
		if char <= ' ' || char >= 0x7f || strings.IndexByte(`<>"\^{|}`+"`", char) >= 0 {
			fmt.Fprintf(&b, "%%%02X", char)
			continue
		}
		b.WriteByte(char)
	}
	return b.String()
}

type versionsJSON struct {
	Status   string        `json:"status"`
	Cube     string        `json:"cube"`
	Version  int           `json:"version"`
	Versions []versionJSON `json:"versions"`
	Page     int           `json:"page"`
	PageSize int           `json:"page_size"`
	Warnings []warning     `json:"warnings"`
}

// versionJSON is a version that is kept.
type versionJSON struct {
	Number      int       `json:"number"`
	LoadedAt    time.Time `json:"loaded_at"`
	Rows        int64     `json:"rows"`
	Fingerprint string    `json:"fingerprint"`
	Served      bool      `json:"served"`
}

// versions lists the versions of a cube that are kept, oldest first.
func (a *api) versions(c echo.Context) error {
	catalog, err := a.engine.Catalog(c.Request().Context())
	if err != nil {
		return err
	}
	served, err := catalog.Cube(cubeName(c))
	if err != nil {
		return err
	}
	body := versionsJSON{Status: "ok", Cube: served.Name, Version: served.Version, Page: 1, Warnings: []warning{}}
	for _, one := range catalog.Versions(served.Name) {
		body.Versions = append(body.Versions, versionJSON{one.Version, one.LoadedAt, one.Rows, one.Fingerprint, one.Served})
	}
	body.PageSize = len(body.Versions)
	return sendJSON(c, http.StatusOK, body)
}
