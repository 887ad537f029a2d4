package site

import (
	"cmp"
	"fmt"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/errgroup"

	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Guest is who asks for a page, and where the links of that lead. It asks the store nothing.
type Guest struct {
	Reader
	Root   string                         // leads to the root of the service
	Base   string                         // the whole address of the root, without a slash at its end
	Given  map[string]string              // the parameters that the API knows, too
	raw    string                         // all parameters, as they stand in the address
	titled func() map[titled][]*cube.Cube // the cubes that are served, by what readers would take for the same
}

// Visit is a request for a page.
type Visit struct {
	echo.Context
	*Guest
	Limiter *limits.Limiter // what it asks through
	framed  bool            // other pages may frame the page
	mu      sync.Mutex
	asked   map[string]func() (*answer.Answer, error)
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
	for pair := range strings.SplitSeq(v.raw, "&") {
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
func (g *Guest) home() string {
	return Address{Root: g.Root, Lang: g.Given["lang"]}.String()
}

// Explore leads to the overview of a cube.
func (g *Guest) Explore(cb *cube.Cube) Address {
	return Address{Root: g.Root, Path: "explore/" + url.PathEscape(cb.Name), Version: g.Given["version"], Lang: g.Given["lang"]}
}

// Report leads to how the data of a cube was loaded.
func (g *Guest) Report(cb *cube.Cube) string {
	a := g.Explore(cb)
	return a.At(a.Path + "/report").String()
}

// Changes leads to what changed from one version of a cube to another.
func (g *Guest) Changes(name, before, after string) Address {
	return Address{Root: g.Root, Path: "explore/" + url.PathEscape(name) + "/versions/" + before + "/diff/" + after, Lang: g.Given["lang"]}
}

// feed leads to the feed of the versions of a cube, or of all.
func (g *Guest) feed(name string) string {
	path := "feed.atom"
	if name != "" {
		path = "cubes/" + url.PathEscape(name) + "/" + path
	}
	return Address{Root: g.Root, Path: path, Lang: g.Given["lang"]}.String()
}

// LinesOf leads to the lines of a file.
func (g *Guest) LinesOf(cb *cube.Cube, r cube.Resource) Address {
	a := g.Explore(cb)
	return a.At(a.Path + "/lines/" + url.PathEscape(r.Name))
}

// FileOf leads to a file as it was published, pinned to the version that has its hash; "" where it is not kept.
func (g *Guest) FileOf(cb *cube.Cube, r cube.Resource) string {
	if !cb.FilesKept || r.Found.Hash == "" {
		return ""
	}
	return Address{Root: g.Root, Path: "cubes/" + url.PathEscape(cb.Name) + "/resources/" + url.PathEscape(r.Name), Version: strconv.Itoa(cb.Version)}.String()
}

// PageParameter gives a parameter that only pages know.
func (g *Guest) PageParameter(name string) string { return ParameterIn(g.raw, name) }

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

// Ask answers a question that the page has of its own, each once.
func (v *Visit) Ask(cb *cube.Cube, q query.Query) (*answer.Answer, error) {
	bound, err := plan.Bind(cb, q)
	if err != nil {
		return nil, err
	}
	return v.once(strconv.FormatInt(cb.ID, 10)+" "+bound.String(), func() (*answer.Answer, error) {
		return v.Limiter.Aggregate(v.Request().Context(), limits.TimingOf(v.Context), bound, v.Language)
	})()
}

// once gives what answers a question, which is the same for all who ask it.
func (v *Visit) once(question string, ask func() (*answer.Answer, error)) func() (*answer.Answer, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.asked == nil {
		v.asked = map[string]func() (*answer.Answer, error){}
	}
	if v.asked[question] == nil {
		v.asked[question] = sync.OnceValues(ask)
	}
	return v.asked[question]
}

// mostAtOnce is how many questions of one page are put to the store at once.
const mostAtOnce = 4

// Together asks side by side, and gives the first mistake.
func Together(asks ...func() error) error {
	var group errgroup.Group
	group.SetLimit(mostAtOnce)
	for _, ask := range asks {
		group.Go(func() (err error) {
			defer func() { // which would end the server
				if p := recover(); p != nil {
					err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				}
			}()
			return ask()
		})
	}
	return group.Wait()
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
