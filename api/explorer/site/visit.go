package site

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Visit is a request for a page.
type Visit struct {
	echo.Context
	Reader
	Root    string            // leads to the root of the service
	Given   map[string]string // the parameters
	Limiter *limits.Limiter   // what it asks through
	framed  bool              // other pages may frame the page
	titled  map[titled][]*cube.Cube
}

// visitKey is where a request for a page keeps its visit.
const visitKey = "visit"

// rootOf leads from a path to the root.
func rootOf(path string) string { return strings.Repeat("../", strings.Count(path, "/")-1) }

// inLanguage leads to the same page in another language.
func (v *Visit) inLanguage(lang cube.Language) string {
	return v.without("lang", "lang="+string(lang))
}

// without leads to the same page without a parameter, and with others.
func (v *Visit) without(name string, others ...string) string {
	var kept []string
	for pair := range strings.SplitSeq(v.Request().URL.RawQuery, "&") {
		if pair != "" && !strings.HasPrefix(pair, name+"=") {
			kept = append(kept, pair)
		}
	}
	return strings.TrimSuffix(v.Here()+"?"+strings.Join(append(kept, others...), "&"), "?")
}

// Here leads to the path of the page itself. It has a slash: the templates take a link with a colon and no slash before it for one
// to another scheme.
func (v *Visit) Here() string {
	return cmp.Or(v.Root, "./") + strings.TrimPrefix(v.Request().URL.EscapedPath(), "/")
}

// home leads to the start page.
func (v *Visit) home() string {
	return Address{Root: v.Root, Lang: v.Given["lang"]}.String()
}

// Explore leads to the overview of a cube.
func (v *Visit) Explore(cb *cube.Cube) Address {
	return Address{Root: v.Root, Path: "explore/" + url.PathEscape(cb.Name), Version: v.Given["version"], Lang: v.Given["lang"]}
}

// LinesOf leads to the lines of a file.
func (v *Visit) LinesOf(cb *cube.Cube, r cube.Resource) Address {
	a := v.Explore(cb)
	return a.At(a.Path + "/lines/" + url.PathEscape(r.Name))
}

// PageParameter gives a parameter that only pages know.
func (v *Visit) PageParameter(name string) string { return ParameterIn(v.Request().URL.RawQuery, name) }

// ParameterIn gives a parameter of a raw query, or "".
func ParameterIn(raw, name string) string {
	for pair := range strings.SplitSeq(raw, "&") {
		if key, text, _ := strings.Cut(pair, "="); key == name {
			return request.Unescape(text)
		}
	}
	return ""
}

// Cube gives the cube that the path names, in the version that is asked for.
func (v *Visit) Cube() (*cube.Cube, error) {
	return request.Cube(v.Context, v.Limiter, request.Path(v.Context, "cube"), v.Given)
}

// Ask answers a question that the page has of its own.
func (v *Visit) Ask(cb *cube.Cube, q query.Query) (*answer.Answer, error) {
	bound, err := plan.Bind(cb, q)
	if err != nil {
		return nil, err
	}
	return v.Limiter.Aggregate(v.Request().Context(), limits.TimingOf(v.Context), bound, v.Language)
}

// Listed are the cubes that are served, those of made-up data last.
func Listed(catalog *cube.Catalog) []*cube.Cube {
	var published, madeUp []*cube.Cube
	for _, cb := range catalog.Served() {
		if cb.Synthetic {
			madeUp = append(madeUp, cb)
		} else {
			published = append(published, cb)
		}
	}
	return append(published, madeUp...)
}
