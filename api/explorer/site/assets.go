package site

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/chart"
	"fiscube/api/reply"
	"fiscube/api/request"
)

//go:embed assets
var assetFiles embed.FS

// sums name the content of each asset.
var sums = sumsOf(media)

// media are the types of the assets. They do not hang on what the system calls the ends of names.
var media = map[string]string{
	"explorer.css": "text/css; charset=utf-8", "explorer.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml", "favicon.ico": "image/x-icon", // the icon for what reads no SVG
}

func sumsOf(media map[string]string) map[string]string {
	sums := map[string]string{}
	for name := range media {
		sum := sha256.Sum256(read(name))
		sums[name] = hex.EncodeToString(sum[:8])
	}
	return sums
}

// read gives an asset. The style sheet ends in what the figures need.
func read(name string) []byte {
	body, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	if name == "explorer.css" {
		body = append(body, chart.CSS()...)
	}
	return body
}

// Style is the style sheet of all pages.
func Style() []byte { return read("explorer.css") }

// Asset sends a style, script or picture of the pages.
func Asset(c echo.Context) error { return send(c, request.Path(c, "file")) }

func send(c echo.Context, name string) error {
	return reply.SendNamed(c, media[name], sums[name], func() error { return reply.Send(c, http.StatusOK, media[name], read(name)) })
}

// iconKept is for how long /favicon.ico, which is asked without its sum, may be kept.
const iconKept = "max-age=86400"

// Favicon sends the icon at the address where browsers and lists of links look that have not read a page.
func Favicon(c echo.Context) error {
	c.Response().Header().Set(echo.HeaderCacheControl, iconKept)
	return send(c, "favicon.ico")
}
