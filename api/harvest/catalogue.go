package harvest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"fiscube/api/encode"
	"fiscube/cube"
	"fiscube/cube/words"
)

// vocabularies are the prefixes of the terms.
var vocabularies = map[string]string{
	"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/", "foaf": "http://xmlns.com/foaf/0.1/",
	"spdx": "http://spdx.org/rdf/terms#", "xsd": "http://www.w3.org/2001/XMLSchema#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
}

// languageTerm is a language in the list of the Publications Office of the European Union, which portals know. It has those with a code of
// three letters.
func languageTerm(l cube.Language) (term, bool) {
	base, err := language.ParseBase(string(l))
	return term{"http://publications.europa.eu/resource/authority/language/" + strings.ToUpper(base.ISO3())}, err == nil
}

// term is a link to a thing.
type term struct {
	ID string `json:"@id"`
}

// text is a text in a language, or of a type.
type text struct {
	Value    string `json:"@value"`
	Language string `json:"@language,omitempty"`
	Type     string `json:"@type,omitempty"`
}

// thing is a thing without an address of its own.
type thing struct {
	Type  string `json:"@type"`
	Name  string `json:"foaf:name,omitempty"`
	Title string `json:"dct:title,omitempty"`
	Label string `json:"rdfs:label,omitempty"`
}

// dcatCatalogue is a dcat:Catalog.
type dcatCatalogue struct {
	Context     map[string]string `json:"@context"`
	ID          string            `json:"@id"`
	Type        string            `json:"@type"`
	Title       []text            `json:"dct:title"`
	Description []text            `json:"dct:description"`
	Homepage    term              `json:"foaf:homepage"`
	Languages   []term            `json:"dct:language"`
	Service     dcatService       `json:"dcat:service"`
	Datasets    []dcatDataset     `json:"dcat:dataset"`
}

// dcatService is a dcat:DataService: the API.
type dcatService struct {
	ID          string `json:"@id"`
	Type        string `json:"@type"`
	Title       string `json:"dct:title"`
	Endpoint    term   `json:"dcat:endpointURL"`
	Description term   `json:"dcat:endpointDescription"`
	Serves      []term `json:"dcat:servesDataset"`
}

// dcatDataset is a dcat:Dataset: a cube.
type dcatDataset struct {
	ID            string             `json:"@id"`
	Type          string             `json:"@type"`
	Identifier    string             `json:"dct:identifier"`
	Title         []text             `json:"dct:title"`
	Description   []text             `json:"dct:description,omitempty"`
	Page          term               `json:"dcat:landingPage"`
	Publisher     *thing             `json:"dct:publisher,omitempty"`
	License       any                `json:"dct:license,omitempty"`
	Issued        *text              `json:"dct:issued,omitempty"`
	Modified      *text              `json:"dct:modified,omitempty"`
	Version       string             `json:"dcat:version"`
	Languages     []term             `json:"dct:language,omitempty"`
	Period        *dcatPeriod        `json:"dct:temporal,omitempty"`
	Place         *thing             `json:"dct:spatial,omitempty"`
	Keywords      []string           `json:"dcat:keyword,omitempty"`
	Distributions []dcatDistribution `json:"dcat:distribution"`
}

// dcatPeriod is a dct:PeriodOfTime.
type dcatPeriod struct {
	Type  string `json:"@type"`
	Start text   `json:"dcat:startDate"`
	End   text   `json:"dcat:endDate"`
}

// dcatDistribution is a dcat:Distribution: a form in which the data can be had.
type dcatDistribution struct {
	Type     string        `json:"@type"`
	Title    string        `json:"dct:title"`
	Access   term          `json:"dcat:accessURL"`
	Download *term         `json:"dcat:downloadURL,omitempty"`
	Media    term          `json:"dcat:mediaType"`
	License  any           `json:"dct:license,omitempty"`
	Service  *term         `json:"dcat:accessService,omitempty"`
	Bytes    *text         `json:"dcat:byteSize,omitempty"`
	Checksum *spdxChecksum `json:"spdx:checksum,omitempty"`
}

// spdxChecksum is the SHA-256 of a file.
type spdxChecksum struct {
	Type      string `json:"@type"`
	Algorithm term   `json:"spdx:algorithm"`
	Value     text   `json:"spdx:checksumValue"`
}

// mediaTypes is where the types of files have their addresses.
const mediaTypes = "https://www.iana.org/assignments/media-types/"

// catalogue writes the catalogue of the cubes in JSON-LD.
func catalogue(base string, cubes []*cube.Cube) []byte {
	c := dcatCatalogue{
		Context: vocabularies, ID: base + "/catalog.jsonld", Type: "dcat:Catalog", Homepage: term{base + "/"}, Datasets: []dcatDataset{},
		Service: dcatService{
			ID: base + "/cubes", Type: "dcat:DataService", Title: "fiscube", Endpoint: term{base + "/cubes"}, Description: term{base + "/openapi.yaml"},
			Serves: []term{},
		},
	}
	for _, l := range words.Languages() {
		say := words.Locale{Language: l}.Say
		c.Title = append(c.Title, text{Value: say("home.loaded"), Language: string(l)})
		c.Description = append(c.Description, text{Value: say("home.tagline"), Language: string(l)})
		if known, ok := languageTerm(l); ok {
			c.Languages = append(c.Languages, known)
		}
	}
	for _, cb := range cubes {
		c.Datasets = append(c.Datasets, dataset(base, cb))
		c.Service.Serves = append(c.Service.Serves, term{dataOf(base, cb)})
	}
	return encode.Marshal(c)
}

// dataset describes a cube.
func dataset(base string, cb *cube.Cube) dcatDataset {
	d := dcatDataset{
		ID: dataOf(base, cb), Type: "dcat:Dataset", Identifier: cb.Name, Page: term{pageOf(base, cb)}, License: license(cb), Version: strconv.Itoa(cb.Version),
		Issued: day(cb.CreatedAt), Modified: day(cb.UpdatedAt), Period: period(cb), Keywords: cb.Tags, Distributions: distributions(base, cb),
	}
	for _, l := range slices.Sorted(maps.Keys(cb.Titles)) {
		d.Title = append(d.Title, text{Value: cb.Titles[l], Language: l})
		if known, ok := languageTerm(cube.Language(l)); ok {
			d.Languages = append(d.Languages, known)
		}
	}
	if len(d.Title) == 0 {
		d.Title = []text{{Value: nameOf(cb, cube.English)}}
	}
	if cb.Description != "" {
		d.Description = append(d.Description, text{Value: cb.Description})
	}
	if cb.Synthetic {
		for _, l := range words.Languages() {
			d.Description = append(d.Description, text{Value: words.Locale{Language: l}.Say("page.made-up"), Language: string(l)})
		}
	}
	if d.Modified == nil {
		d.Modified = day(cb.LoadedAt.Format(time.DateOnly))
	}
	if cb.Publisher != "" {
		d.Publisher = &thing{Type: "foaf:Agent", Name: cb.Publisher}
	}
	if cb.Country != "" {
		d.Place = &thing{Type: "dct:Location", Label: cb.Country}
	}
	return d
}

// license is the address of the licence of a cube, or its name, or nil.
func license(cb *cube.Cube) any {
	switch name := cb.License(); {
	case name == "":
		return nil
	case isLink(name):
		return term{name}
	default:
		return thing{Type: "dct:LicenseDocument", Title: name}
	}
}

// day is a published day, or nil where it is none.
func day(published string) *text {
	if date := dateIn(published); date != "" {
		return &text{Value: date, Type: "xsd:date"}
	}
	return nil
}

// period is that of the fiscal years of the rows or, where rows have none, the one that the package says.
func period(cb *cube.Cube) *dcatPeriod {
	if first, last, ok := cb.Years(); ok {
		year := func(n int64) text { return text{Value: strconv.FormatInt(n, 10), Type: "xsd:gYear"} }
		return &dcatPeriod{"dct:PeriodOfTime", year(first), year(last)}
	}
	start, end := day(cb.StartDate), day(cb.EndDate)
	if start == nil || end == nil {
		return nil
	}
	return &dcatPeriod{"dct:PeriodOfTime", *start, *end}
}

// distributions are the package as it was loaded, each file of it, those files where they were published, and the answers of the
// API.
func distributions(base string, cb *cube.Cube) []dcatDistribution {
	data := dataOf(base, cb)
	at := func(title, address, media string) dcatDistribution {
		return dcatDistribution{
			Type: "dcat:Distribution", Title: title, Access: term{address}, Download: &term{address}, Media: term{mediaTypes + media}, License: license(cb),
		}
	}
	answers := at(nameOf(cb, cube.English), data+"/aggregate", "application/json")
	answers.Download, answers.Service = nil, &term{base + "/cubes"}
	list := []dcatDistribution{at(cb.Name+".zip", data+"/package.zip", "application/zip"), answers}
	for _, r := range cb.Resources {
		if r.LeftOut != "" {
			continue
		}
		list = append(list, at(r.Name, rowsOf(base, cb, r), "text/csv"))
		media := "text/csv"
		if r.IsWorkbook() {
			media = encode.MediaXLSX
		}
		kept := encode.FileLink(base, cb, r)
		for _, address := range []string{r.URL, kept} {
			if !isLink(address) {
				continue
			}
			published := at(r.Path, address, media)
			published.Bytes = &text{Value: strconv.FormatInt(r.Found.Bytes, 10), Type: "xsd:nonNegativeInteger"}
			published.Checksum = &spdxChecksum{"spdx:Checksum", term{vocabularies["spdx"] + "checksumAlgorithm_sha256"}, text{Value: r.Found.Hash, Type: "xsd:hexBinary"}}
			list = append(list, published)
		}
	}
	return list
}
