package harvest

import (
	"encoding/xml"
	"net/url"
	"slices"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// urlSet is a sitemap (sitemaps.org), with the languages of its pages.
type urlSet struct {
	XMLName xml.Name  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	XHTML   string    `xml:"xmlns:xhtml,attr"`
	Pages   []pageURL `xml:"url"`
}

// pageURL is a page in one language, with its others.
type pageURL struct {
	Address string      `xml:"loc"`
	Changed string      `xml:"lastmod,omitempty"`
	Others  []alternate `xml:"xhtml:link"`
}

// alternate is the same page in a language; x-default is the page that chooses by what the browser prefers.
type alternate struct {
	Rel      string `xml:"rel,attr"`
	Language string `xml:"hreflang,attr"`
	Address  string `xml:"href,attr"`
}

// mostPages is how many addresses a sitemap may have (sitemaps.org).
const mostPages = 50_000

// sitemap lists the start page and the pages of the cubes, each in every language.
func sitemap(base string, cubes []*cube.Cube) []byte {
	set := urlSet{XHTML: "http://www.w3.org/1999/xhtml"}
	add := func(address string, changed time.Time) {
		others := []alternate{{"alternate", "x-default", address}}
		for _, l := range words.Languages() {
			others = append(others, alternate{"alternate", string(l), address + "?lang=" + string(l)})
		}
		for _, other := range others {
			page := pageURL{Address: other.Address, Others: others}
			if !changed.IsZero() {
				page.Changed = changed.UTC().Format(time.RFC3339)
			}
			set.Pages = append(set.Pages, page)
		}
	}
	var last time.Time
	for _, cb := range cubes {
		if cb.LoadedAt.After(last) {
			last = cb.LoadedAt
		}
	}
	add(base+"/", last)
	for _, cb := range cubes {
		if len(set.Pages)+len(words.Languages())+1 <= mostPages {
			add(pageOf(base, cb), cb.LoadedAt)
		}
	}
	body, err := xml.MarshalIndent(set, "", " ")
	if err != nil {
		panic(err) // texts always encode
	}
	return slices.Concat([]byte(xml.Header), body, []byte("\n"))
}

// previewBots fetch a page when somebody shares a link to it, and show its title and picture.
var previewBots = []string{
	"Twitterbot", "facebookexternalhit", "LinkedInBot", "Slackbot-LinkExpanding", "WhatsApp", "TelegramBot", "Discordbot", "Mastodon", "Bluesky Cardyb",
}

// robots lets previews of shared links be made, and keeps other robots from the answers to every question that links lead to, of which there is no end, and from the data behind
// them. The pages of the sitemap remain.
func robots(base string, _ []*cube.Cube) []byte {
	below := ""
	if u, err := url.Parse(base); err == nil {
		below = u.EscapedPath()
	}
	lines := each.Text(previewBots, func(bot string) string { return "User-agent: " + bot })
	lines = append(lines, "Allow: "+below+"/", "", "User-agent: *", "Allow: "+below+"/explore/*?lang=")
	for _, path := range []string{"/explore/*?", "/embed/", "/cubes/", "/api/", "/?q="} {
		lines = append(lines, "Disallow: "+below+path)
	}
	return []byte(strings.Join(append(lines, "", "Sitemap: "+base+"/sitemap.xml", ""), "\n"))
}
