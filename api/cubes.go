package api

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
)

// cubeJSON is a cube in the list of all.
type cubeJSON struct {
	Name      string    `json:"name"`
	Title     string    `json:"title"`
	Country   string    `json:"country"`
	Years     *[2]int64 `json:"years"`
	Rows      int64     `json:"rows"`
	Version   int       `json:"version"`
	Synthetic bool      `json:"synthetic"`
	Publisher string    `json:"publisher,omitempty"`
	License   string    `json:"license,omitempty"`
	Currency  string    `json:"currency,omitempty"` // of the leading measure
	LoadedAt  time.Time `json:"loaded_at,omitzero"`
}

type cubesJSON struct {
	Status   string         `json:"status"`
	Cubes    []cubeJSON     `json:"cubes"`
	Page     int            `json:"page"`
	PageSize int            `json:"page_size"`
	Warnings []cube.Warning `json:"warnings"`
}

// cubes lists what is loaded.
func (a *api) cubes(c echo.Context) error {
	_, lang, err := request.ReadLanguage(c, request.Lang)
	if err != nil {
		return err
	}
	catalog, err := a.limiter.Catalog(c.Request().Context())
	if err != nil {
		return err
	}
	body := cubesJSON{Status: "ok", Cubes: []cubeJSON{}, Page: 1, Warnings: []cube.Warning{}}
	for _, cb := range catalog.Served() {
		body.Cubes = append(body.Cubes, listed(cb, lang))
	}
	body.PageSize = len(body.Cubes)
	return reply.SendJSON(c, http.StatusOK, body)
}

func listed(cb *cube.Cube, lang cube.Language) cubeJSON {
	listed := cubeJSON{
		Name:      cb.Name,
		Title:     cb.TitleIn(lang),
		Country:   cb.Country,
		Rows:      cb.Rows,
		Version:   cb.Version,
		Synthetic: cb.Synthetic,
		Publisher: cb.Publisher,
		License:   cb.License(),
		LoadedAt:  cb.LoadedAt,
	}
	if leading, ok := cb.Model.Leading(); ok {
		listed.Currency = leading.Currency
	}
	if first, last, ok := cb.Years(); ok {
		listed.Years = &[2]int64{first, last}
	}
	return listed
}

// cubeWholeJSON is a cube with all its descriptor says; what it does not say is left out.
type cubeWholeJSON struct {
	Status string `json:"status"`
	cubeJSON
	Description string           `json:"description,omitempty"`
	StartDate   string           `json:"start_date,omitempty"`
	EndDate     string           `json:"end_date,omitempty"`
	Created     string           `json:"created,omitempty"`
	Updated     string           `json:"updated,omitempty"`
	Tags        []string         `json:"tags"`
	Measures    []encode.Measure `json:"measures"`
	Resources   []resourceJSON   `json:"resources"`
	Warnings    []cube.Warning   `json:"warnings"`
}

// resourceJSON is a CSV file as it was found at the load.
type resourceJSON struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	URL     string `json:"url,omitempty"`
	Bytes   int64  `json:"bytes"`
	Hash    string `json:"hash"`
	File    string `json:"file,omitempty"` // where the file is as it was published
	Rows    int64  `json:"rows"`
	LeftOut string `json:"left_out,omitempty"`
}

// cube describes one cube.
func (a *api) cube(c echo.Context, cb *cube.Cube) error {
	_, lang, err := request.ReadLanguage(c, request.Lang, request.Pin)
	if err != nil {
		return err
	}
	return reply.SendJSON(c, http.StatusOK, cubeWholeJSON{
		Status:      "ok",
		cubeJSON:    listed(cb, lang),
		Description: cb.Description,
		StartDate:   cb.StartDate,
		EndDate:     cb.EndDate,
		Created:     cb.CreatedAt,
		Updated:     cb.UpdatedAt,
		Tags:        append([]string{}, cb.Tags...),
		Measures:    described(cb.Model.Measures(), lang),
		Resources:   resources(cb, request.Base(c), lang),
		Warnings:    []cube.Warning{},
	})
}

func resources(cb *cube.Cube, base string, lang cube.Language) []resourceJSON {
	list := []resourceJSON{}
	for _, r := range cb.Resources {
		list = append(list, resourceJSON{r.Name, r.Path, r.URL, r.Found.Bytes, r.Found.Hash, encode.FileLink(base, cb, r), r.Found.Rows, prose.LeftOut(r.LeftOut, lang)})
	}
	return list
}

func described(measures []cube.Measure, lang cube.Language) []encode.Measure {
	list := []encode.Measure{}
	for _, m := range measures {
		measure := encode.NewMeasure(m, lang)
		measure.Ref = m.Ref
		list = append(list, measure)
	}
	return list
}
