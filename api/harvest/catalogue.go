package harvest

import (
	"cmp"
	"maps"
	"net/mail"
	"net/url"
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
	"skos": "http://www.w3.org/2004/02/skos/core#", "vcard": "http://www.w3.org/2006/vcard/ns#",
}

// authority is where the lists of the Publications Office of the European Union are, which portals know.
const authority = "http://publications.europa.eu/resource/authority/"

// listed is a thing of one of these lists, which DCAT-AP wants to be told.
func listed(kind, list, name string) term {
	return term{ID: authority + list + "/" + name, Type: kind, Scheme: &term{ID: authority + list}}
}

// languageTerm is a language in the list of those, which has those with a code of three letters.
func languageTerm(l cube.Language) (term, bool) {
	base, err := language.ParseBase(string(l))
	return listed("dct:LinguisticSystem", "language", strings.ToUpper(base.ISO3())), err == nil
}

// themes are what all budgets are about, in the list of data themes.
func themes() []term {
	economy, government := listed("skos:Concept", "data-theme", "ECON"), listed("skos:Concept", "data-theme", "GOVE")
	economy.Label = &text{Value: "Economy and finance", Language: string(cube.English)}
	government.Label = &text{Value: "Government and public sector", Language: string(cube.English)}
	return []term{economy, government}
}

// term is a link to a thing, of which it may say the kind, what it is called and the list that it is in.
type term struct {
	ID     string `json:"@id"`
	Type   string `json:"@type,omitempty"`
	Title  *text  `json:"dct:title,omitempty"`
	Label  *text  `json:"skos:prefLabel,omitempty"`
	Scheme *term  `json:"skos:inScheme,omitempty"`
}

// document is a page.
func document(address string) term { return term{ID: address, Type: "foaf:Document"} }

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
	Full  string `json:"vcard:fn,omitempty"`
	Email *term  `json:"vcard:hasEmail,omitempty"`
	Page  *term  `json:"vcard:hasURL,omitempty"`
	Home  *term  `json:"foaf:homepage,omitempty"`
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
	Publisher   thing             `json:"dct:publisher"`
	Contact     *thing            `json:"dcat:contactPoint,omitempty"`
	Modified    *text             `json:"dct:modified,omitempty"`
	Themes      term              `json:"dcat:themeTaxonomy"`
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
	Description   []text             `json:"dct:description"`
	Page          term               `json:"dcat:landingPage"`
	Publisher     *thing             `json:"dct:publisher,omitempty"`
	Contact       *thing             `json:"dcat:contactPoint,omitempty"`
	Themes        []term             `json:"dcat:theme"`
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
	About    string        `json:"dct:description"`
	Access   term          `json:"dcat:accessURL"`
	Download *term         `json:"dcat:downloadURL,omitempty"`
	Media    term          `json:"dcat:mediaType"`
	Format   term          `json:"dct:format"`
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

// agent is who publishes the catalogue: where nobody says who, whoever is at its address.
func (o Operator) agent(base string) thing {
	home := document(base + "/")
	name := o.Name
	if u, err := url.Parse(base); err == nil && name == "" {
		name = u.Hostname()
	}
	return thing{Type: "foaf:Agent", Name: name, Home: &home}
}

// contact is how to reach somebody, or nil where no address says how.
func contact(name, address string) *thing {
	t := thing{Type: "vcard:Kind", Full: name}
	switch at := &(term{ID: cleaned(address)}); {
	case strings.HasPrefix(address, "mailto:"):
		t.Email = at
	case isLink(address):
		t.Page = at
	default:
		return nil
	}
	return &t
}

// catalogue describes the cubes.
func (o Operator) catalogue(base string, cubes []*cube.Cube) dcatCatalogue {
	c := dcatCatalogue{
		Context: vocabularies, ID: base + "/catalog.jsonld", Type: "dcat:Catalog", Homepage: document(base + "/"), Datasets: []dcatDataset{},
		Publisher: o.agent(base), Themes: term{ID: authority + "data-theme", Type: "skos:ConceptScheme", Title: &text{Value: "Data theme", Language: string(cube.English)}},
		Service: dcatService{
			ID: base + "/cubes", Type: "dcat:DataService", Title: "fiscube", Endpoint: term{ID: base + "/cubes", Type: "rdfs:Resource"},
			Description: term{ID: base + "/openapi.yaml", Type: "rdfs:Resource"},
			Serves:      []term{},
		},
	}
	c.Contact = contact(c.Publisher.Name, o.Contact)
	for _, l := range words.Languages() {
		say := words.Locale{Language: l}.Say
		c.Title = append(c.Title, text{Value: say("home.loaded"), Language: string(l)})
		c.Description = append(c.Description, text{Value: say("home.tagline"), Language: string(l)})
		if known, ok := languageTerm(l); ok {
			c.Languages = append(c.Languages, known)
		}
	}
	var last time.Time
	for _, cb := range cubes {
		described := dataset(base, cb)
		described.Contact = cmp.Or(described.Contact, c.Contact)
		c.Datasets = append(c.Datasets, described)
		c.Service.Serves = append(c.Service.Serves, term{ID: dataOf(base, cb)})
		if cb.LoadedAt.After(last) {
			last = cb.LoadedAt
		}
	}
	if !last.IsZero() {
		c.Modified = day(last.Format(time.DateOnly))
	}
	return c
}

// dataset describes a cube.
func dataset(base string, cb *cube.Cube) dcatDataset {
	d := dcatDataset{
		ID: dataOf(base, cb), Type: "dcat:Dataset", Identifier: cb.Name, Page: document(pageOf(base, cb)), License: license(cb), Version: strconv.Itoa(cb.Version),
		Issued: day(cb.CreatedAt), Modified: day(cb.UpdatedAt), Period: period(cb), Keywords: cb.Tags, Distributions: distributions(base, cb), Themes: themes(),
	}
	for _, l := range slices.Sorted(maps.Keys(cb.Titles)) {
		title := text{Value: cb.Titles[l]}
		if known, ok := languageTerm(cube.Language(l)); ok {
			title.Language = l
			d.Languages = append(d.Languages, known)
		}
		d.Title = append(d.Title, title)
	}
	if len(d.Title) == 0 {
		d.Title = []text{{Value: nameOf(cb, cube.English)}}
	}
	if d.Description = []text{{Value: cb.Description}}; cb.Description == "" {
		d.Description = []text{{Value: aboutOf(cb, cube.English), Language: string(cube.English)}}
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
	address := cb.AuthorWebsite
	if mail, err := mail.ParseAddress(cb.AuthorEmail); err == nil {
		address = "mailto:" + mail.Address
	}
	d.Contact = contact(cmp.Or(cb.Publisher, nameOf(cb, cube.English)), address)
	if cb.Country != "" {
		d.Place = &thing{Type: "dct:Location", Label: cb.Country}
	}
	return d
}

// license is the address of the licence of a cube, or its name, or nil.
func license(cb *cube.Cube) any {
	const kind = "dct:LicenseDocument"
	switch name, address := cb.License(), cb.LicenseLink(); {
	case name == "":
		return nil
	case address != "":
		return term{ID: cleaned(address), Type: kind}
	default:
		return thing{Type: kind, Title: name}
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
	at := func(title, about, address, kind string) dcatDistribution {
		return dcatDistribution{
			Type: "dcat:Distribution", Title: title, About: about + " · " + nameOf(cb, cube.English), Access: term{ID: address}, Download: &term{ID: address}, License: license(cb),
			Media: term{ID: mediaTypes + kinds[kind], Type: "dct:MediaType"}, Format: listed("dct:MediaTypeOrExtent", "file-type", kind),
		}
	}
	answers := at(nameOf(cb, cube.English), "Answers to questions", data+"/aggregate", "JSON")
	answers.Download, answers.Service = nil, &term{ID: base + "/cubes"}
	list := []dcatDistribution{at(cb.Name+".zip", "The data package as it was loaded", data+"/package.zip", "ZIP"), answers}
	for _, r := range cb.Resources {
		if r.LeftOut != "" {
			continue
		}
		list = append(list, at(r.Name, "The rows of a file as they were loaded", rowsOf(base, cb, r), "CSV"))
		kind := "CSV"
		if r.IsWorkbook() {
			kind = "XLSX"
		}
		for _, file := range [][2]string{{"The file where it was published", cleaned(r.URL)}, {"The file as it was published", encode.FileLink(base, cb, r)}} {
			if !isLink(file[1]) {
				continue
			}
			published := at(r.Path, file[0], file[1], kind)
			published.Bytes = &text{Value: strconv.FormatInt(r.Found.Bytes, 10), Type: "xsd:nonNegativeInteger"}
			published.Checksum = &spdxChecksum{"spdx:Checksum", term{ID: vocabularies["spdx"] + "checksumAlgorithm_sha256"}, text{Value: r.Found.Hash, Type: "xsd:hexBinary"}}
			list = append(list, published)
		}
	}
	return list
}

// kinds are the media types of the kinds of files that distributions are, by their names in the list of those.
var kinds = map[string]string{"CSV": "text/csv", "JSON": "application/json", "XLSX": encode.MediaXLSX, "ZIP": "application/zip"}
