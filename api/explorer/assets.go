package explorer

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/chart"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

//go:embed assets
var assetFiles embed.FS

// keptForever is for what is named by its content.
const keptForever = "max-age=31536000, immutable"

// sums name the content of each asset.
var sums = sumsOf("explorer.css", "explorer.js", "icon.svg")

func sumsOf(names ...string) map[string]string {
	sums := map[string]string{}
	for _, name := range names {
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

// asset sends a style, script or picture of the pages. With the sum of what it holds now it may be kept for ever.
func asset(c echo.Context) error {
	given, err := request.Read(c.Request().URL.RawQuery, []request.Parameter{{Name: "v", Twice: cube.CodeBadValue}})
	if err != nil {
		return err
	}
	name := request.Path(c, "file")
	sum, ok := sums[name]
	if !ok {
		return echo.ErrNotFound
	}
	if given["v"] == sum {
		c.Response().Header().Set(echo.HeaderCacheControl, keptForever)
	}
	media := mime.TypeByExtension(path.Ext(name))
	if reply.Unchanged(c, media, sum) {
		return reply.SendNotModified(c)
	}
	return reply.Send(c, http.StatusOK, media, read(name))
}
