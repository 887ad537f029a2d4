package api

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// reportJSON is what a load found and assumed.
type reportJSON struct {
	Status    string `json:"status"`
	Cube      string `json:"cube"`
	Version   int    `json:"version"`
	Synthetic bool   `json:"synthetic"`
	*findings.Report
	Findings []findingJSON  `json:"findings"`
	Warnings []cube.Warning `json:"warnings"`
}

// findingJSON is a finding with its message in the language asked for.
type findingJSON struct {
	findings.Finding
	Kind     findings.Kind `json:"kind"`
	KindText string        `json:"kind_text"`
}

// report shows what the load of a version found and assumed.
func (a *api) report(c echo.Context, cb *cube.Cube) error {
	_, lang, err := request.ReadLanguage(c, request.Lang, request.Pin)
	if err != nil {
		return err
	}
	report, err := findings.Of(cb)
	if err != nil {
		return err
	}
	for i := range report.Resources {
		if index, err := plan.ResourceOf(cb, report.Resources[i].Name); err == nil {
			report.Resources[i].File = encode.FileLink(request.Base(c), cb, cb.Resources[index])
		}
		report.Resources[i].Left = prose.LeftOut(report.Resources[i].Left, lang)
	}
	list := make([]findingJSON, len(report.Findings))
	for i, f := range report.Findings {
		f.Message, f.Places = prose.Finding(f, lang), slices.Clone(f.Places)
		for j, at := range f.Places {
			f.Places[j].Cell = prose.CaseOf(f, at, lang)
		}
		list[i] = findingJSON{f, f.Kind(), prose.Kind(f.Kind(), lang)}
	}
	return reply.SendJSON(c, http.StatusOK, reportJSON{"ok", cb.Name, cb.Version, cb.Synthetic, report, list, []cube.Warning{}})
}

// descriptor gives the bytes of datapackage.json as they were published.
func (a *api) descriptor(c echo.Context, cb *cube.Cube) error {
	return reply.Send(c, http.StatusOK, echo.MIMEApplicationJSON, cb.Descriptor)
}

// imageTypes are the media types that a package may show to a browser: none of them can hold a script.
var imageTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// image gives the image that the descriptor holds as a data URI.
func (a *api) image(c echo.Context, cb *cube.Cube) error {
	media, content, ok := readDataURI(cb.Image)
	if !ok || !slices.Contains(imageTypes, media) {
		return cube.Errorf(cube.CodeUnknownRoute, "%s has no image of its own", cb.Name)
	}
	if reply.Unchanged(c, media, cb.Key()) {
		return reply.SendNotModified(c)
	}
	return reply.Send(c, http.StatusOK, media, content)
}

// readDataURI reads data:image/png;base64,… (RFC 2397).
func readDataURI(uri string) (media string, content []byte, ok bool) {
	head, data, ok := strings.Cut(uri, ",")
	if len(head) < len("data:") || !strings.EqualFold(head[:len("data:")], "data:") || !ok {
		return "", nil, false
	}
	data, err := url.PathUnescape(data)
	if err != nil {
		return "", nil, false
	}
	parameters := strings.Split(strings.ToLower(head[len("data:"):]), ";")
	if parameters[len(parameters)-1] != "base64" {
		return parameters[0], []byte(data), true
	}
	data = strings.TrimRight(strings.Join(strings.Fields(data), ""), "=")
	content, err = base64.RawStdEncoding.DecodeString(data)
	return parameters[0], content, err == nil
}
