package harvest

import (
	"strconv"

	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

// Dataset is a cube as schema.org describes datasets, which search engines read in its page.
type Dataset struct {
	Context     string        `json:"@context"`
	Type        string        `json:"@type"`
	ID          string        `json:"@id"`
	URL         string        `json:"url"`
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Identifier  string        `json:"identifier"`
	Version     string        `json:"version"`
	Free        bool          `json:"isAccessibleForFree"`
	Language    string        `json:"inLanguage"` // of this description
	License     string        `json:"license,omitempty"`
	Creator     *Organization `json:"creator,omitempty"`
	Years       string        `json:"temporalCoverage,omitempty"`
	Place       string        `json:"spatialCoverage,omitempty"`
	Keywords    []string      `json:"keywords,omitempty"`
	Modified    string        `json:"dateModified"`
	Measured    []string      `json:"variableMeasured,omitempty"`
	Catalogue   InCatalogue   `json:"includedInDataCatalog"`
	Downloads   []Download    `json:"distribution"`
}

// Organization publishes a cube.
type Organization struct {
	Type string `json:"@type"`
	Name string `json:"name"`
}

// InCatalogue is the catalogue that a cube is in.
type InCatalogue struct {
	Type string `json:"@type"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Download is a form in which the data can be had.
type Download struct {
	Type  string `json:"@type"`
	Name  string `json:"name"`
	Media string `json:"encodingFormat"`
	URL   string `json:"contentUrl"`
}

// Describe describes a cube in a language, for its page.
func Describe(base string, cb *cube.Cube, l cube.Language) Dataset {
	d := Dataset{
		Context: "https://schema.org/", Type: "Dataset", ID: dataOf(base, cb), URL: pageOf(base, cb), Name: nameOf(cb, l), Description: cb.DescriptionIn(l),
		Identifier: cb.Name, Version: strconv.Itoa(cb.Version), Free: true, Language: string(l), License: cb.License(), Place: cb.CountryIn(l), Keywords: cb.Tags,
		Modified: cb.LoadedAt.Format("2006-01-02T15:04:05Z07:00"), Catalogue: InCatalogue{"DataCatalog", "fiscube", base + "/"},
		Downloads: []Download{{"DataDownload", cb.Name + ".zip", "application/zip", dataOf(base, cb) + "/package.zip"}},
	}
	if d.Description == "" {
		d.Description = aboutOf(cb, l)
	}
	if cb.Synthetic {
		d.Description += " " + words.Locale{Language: l}.Say("page.made-up")
	}
	if cb.Publisher != "" {
		d.Creator = &Organization{"Organization", cb.Publisher}
	}
	if first, last, ok := cb.Years(); ok {
		d.Years = strconv.FormatInt(first, 10) + "/" + strconv.FormatInt(last, 10)
	}
	for _, m := range cb.Model.Measures() {
		d.Measured = append(d.Measured, prose.MeasureTitle(m, l))
	}
	for _, r := range cb.Resources {
		if r.LeftOut == "" && len(d.Downloads) <= mostDownloads {
			d.Downloads = append(d.Downloads, Download{"DataDownload", r.Name, "text/csv", rowsOf(base, cb, r)})
		}
	}
	return d
}

// mostDownloads is how many files the page of a cube names; the catalogue has all.
const mostDownloads = 30
