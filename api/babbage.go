package api

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/babbage"
	"fiscube/cube"
)

// The routes below /api/3 answer as a Babbage server does, so that dashboards made for OpenSpending work unchanged
// when they are pointed at them. Everything that means something is done by what answers the other routes; these
// translate (package babbage).

const (
	babbageRoot    = "/api/3"
	babbageVersion = "0.4.0" // the one whose form this is
)

func (a *api) dashboards(e *echo.Echo) {
	drilldown, aggregates := parameter{name: "drilldown", separator: "|"}, parameter{name: "aggregates", separator: "|"}
	fields, cut := parameter{name: "fields", separator: ","}, parameter{name: "cut", separator: "|"}
	order, format := parameter{name: "order", separator: ","}, parameter{name: "format"}
	page, size := parameter{name: "page"}, parameter{name: "pagesize"}
	version := parameter{name: pin.name}
	for path, handle := range map[string]echo.HandlerFunc{
		"":                       dialect(a.babbageHome),
		"/cubes":                 dialect(a.babbageCubes),
		"/cubes/:cube/model":     dialect(a.babbageModel, version),
		"/cubes/:cube/aggregate": dialect(a.babbageAggregate, drilldown, cut, aggregates, order, page, size, format, version),
		// Dashboards send drilldown and aggregates along, which say nothing about facts.
		"/cubes/:cube/facts":          dialect(a.babbageFacts, fields, cut, order, page, size, version, drilldown, aggregates, format),
		"/cubes/:cube/members/:level": dialect(a.babbageMembers, cut, order, page, size, version),
		"/info/:cube/package":         dialect(a.babbagePackage, version),
		"/search/package":             dialect(a.babbageSearch, babbageSearchParameters...),
		"/user/check":                 dialect(userCheck, parameter{name: "next"}, parameter{name: "jwt"}),
		"/user/lib":                   userScript,
	} {
		a.route(e, babbageRoot+path, handle)
	}
}

// asking is a request of a dashboard.
type asking struct {
	echo.Context
	given   map[string]string
	ignored []warning // of the parameters that there are not
}

// askedBy gives the version of the cube that a dashboard asks for: the served one, unless a link of ours pins another.
func (a *api) askedBy(c asking) (*cube.Cube, error) {
	version, err := readVersion(c.given)
	if err != nil {
		return nil, err
	}
	return a.asked(c, version)
}

// dialect makes a handler of what answers with JSON; nil says that it has answered already.
func dialect(answer func(asking) ([]byte, error), known ...parameter) echo.HandlerFunc {
	known = append(known, parameter{name: "callback"})
	return func(c echo.Context) error {
		given, ignored := readLeniently(c.Request().URL.RawQuery, known)
		callback, scripted := given["callback"]
		if scripted && !callbackName.MatchString(callback) {
			return mistake(cube.CodeBadValue, "callback", strconv.Quote(callback)+" is no name of a function",
				"it has letters, digits, _, $ and points, and no digit or point in front")
		}
		body, err := answer(asking{c, given, ignored})
		switch {
		case err != nil || body == nil:
			return err
		case scripted:
			return send(c, http.StatusOK, echo.MIMEApplicationJavaScript, script(callback, body))
		}
		return send(c, http.StatusOK, echo.MIMEApplicationJSON, body)
	}
}

// allowed lists the names that a dashboard could have used in the place of a wrong one.
func allowed(err error) []string {
	var refused *babbage.Refused
	if errors.As(err, &refused) {
		return refused.Allowed
	}
	return nil
}

var callbackName = regexp.MustCompile(`^[A-Za-z_$][\w$.]*$`)

// lineEnds are two characters that may stand in JSON, but in the strings of older browsers' scripts may not.
var lineEnds = strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`)

// script calls a function with the body, if there is such a function.
func script(callback string, body []byte) []byte {
	return []byte(callback + " && " + callback + "(" + lineEnds.Replace(string(body)) + ")")
}

// readLeniently reads the parameters that are known, and warns of the others. Those that are given once count the
// first time.
func readLeniently(raw string, known []parameter) (given map[string]string, ignored []warning) {
	given, ignored = map[string]string{}, []warning{}
	for piece := range strings.SplitSeq(raw, "&") {
		name, text, _ := strings.Cut(piece, "=")
		name = unescape(name)
		if name == "page_size" {
			name = "pagesize"
		}
		i := slices.IndexFunc(known, func(p parameter) bool { return p.name == name })
		switch {
		case piece == "" || strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "_"):
		case i >= 0:
			_ = known[i].add(given, unescape(text)) // fails only where the first one counts
		default:
			ignored = append(ignored, warning{Code: "parameter-ignored", Message: "there is no parameter " + strconv.Quote(name)})
		}
	}
	return given, ignored
}

// babbageSource says where an answer is from; it is ours.
type babbageSource struct {
	Cube      string `json:"cube"`
	Title     string `json:"title,omitempty"`
	Publisher string `json:"publisher,omitempty"`
	Version   int    `json:"version"`
	Synthetic bool   `json:"synthetic"`
	Link      string `json:"link"` // to our own route, pinned to the version
}

func sourceOf(one *cube.Cube, link string) babbageSource {
	return babbageSource{one.Name, one.Title, one.Publisher, one.Version, one.Synthetic, link}
}

func (a *api) babbageHome(c asking) ([]byte, error) {
	return marshal(struct {
		Status        string `json:"status"`
		API           string `json:"api"`
		Message       string `json:"message"`
		CubesIndexURL string `json:"cubes_index_url"`
		Version       string `json:"version"`
	}{
		"ok", "babbage", "fiscube answers here as Babbage does; its own routes begin with /cubes",
		a.base(c) + babbageRoot + "/cubes/", babbageVersion,
	}), nil
}

func (a *api) babbageCubes(c asking) ([]byte, error) {
	type named struct {
		Name string `json:"name"`
	}
	catalog, err := a.engine.Catalog(c.Request().Context())
	if err != nil {
		return nil, err
	}
	list := []named{}
	for _, one := range catalog.Served() {
		list = append(list, named{one.Name})
	}
	return marshal(struct {
		Status string  `json:"status"`
		Data   []named `json:"data"`
	}{"ok", list}), nil
}

func (a *api) babbageModel(c asking) ([]byte, error) {
	one, err := a.askedBy(c)
	if err != nil {
		return nil, err
	}
	if a.unchanged(c, one, formatJSON.media) {
		return nil, sendUnchanged(c)
	}
	report, err := one.LoadReport()
	if err != nil {
		return nil, err
	}
	return marshal(struct {
		Status string         `json:"status"`
		Name   string         `json:"name"`
		Model  *babbage.Model `json:"model"`
	}{"ok", one.Name, babbage.NewModel(one, report)}), nil
}

func (a *api) babbagePackage(c asking) ([]byte, error) {
	one, err := a.askedBy(c)
	if err != nil {
		return nil, err
	}
	if a.unchanged(c, one, formatJSON.media) {
		return nil, sendUnchanged(c)
	}
	return babbage.Package(one, a.origin(c, one))
}

// origin is where the descriptor of a cube is published.
func (a *api) origin(c asking, one *cube.Cube) string {
	return a.base(c) + "/cubes/" + url.PathEscape(one.Name) + "/datapackage.json"
}

// userCheck tells a viewer who looks at it, which it asks with cookies: then a browser takes no answer that is for
// every site. There are none of ours, and the answer is the same to all.
func userCheck(c asking) ([]byte, error) {
	if origin := c.Request().Header.Get(echo.HeaderOrigin); origin != "" {
		header := c.Response().Header()
		header.Add(echo.HeaderVary, echo.HeaderOrigin)
		header.Set(echo.HeaderAccessControlAllowOrigin, origin)
		header.Set(echo.HeaderAccessControlAllowCredentials, "true")
	}
	return marshal(babbage.Nobody()), nil
}

func userScript(c echo.Context) error {
	return send(c, http.StatusOK, echo.MIMEApplicationJavaScript, babbage.UserScript)
}
