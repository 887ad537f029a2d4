package harvest

import (
	"cmp"
	"encoding/xml"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/words"
	"fiscube/internal/tidy"
)

// atomFeed is a feed (RFC 4287), and atomItem what it and its entries have alike.
type atomFeed struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string   `xml:"xml:lang,attr"`
	atomItem
	Entries []atomEntry `xml:"entry"`
}

type atomEntry struct {
	atomItem
	Summary string `xml:"summary"`
}

type atomItem struct {
	ID      string     `xml:"id"`
	Title   string     `xml:"title"`
	Updated string     `xml:"updated"`
	Author  string     `xml:"author>name"`
	Links   []atomLink `xml:"link"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

const (
	mediaAtom   = "application/atom+xml"
	mostEntries = 50
)

// feedOf answers with the newest versions: those of the cube that the path names or, where it names none, of all cubes that are served. Its identifiers are the
// addresses of the pages of versions, which stay. It puts no question to the store: readers ask for a feed again and again.
func feedOf(loaded Catalogue) echo.HandlerFunc {
	return func(c echo.Context) error {
		given, lang, err := request.ReadLanguage(c, request.Lang)
		if err != nil {
			return err
		}
		catalog, err := loaded.Catalog(c.Request().Context())
		if err != nil {
			return err
		}
		of, l, base := catalog.Served(), words.Locale{Language: lang}, request.Base(c)
		feed := atomFeed{Lang: string(lang), atomItem: atomItem{ID: base + "/feed.atom", Title: l.Say("changes.feed"), Author: "fiscube"}}
		page := base + "/"
		if name := request.Path(c, "cube"); name != "" {
			cb, err := catalog.Cube(name)
			if err != nil {
				return err
			}
			feed.ID, feed.Title, feed.Author, page, of = dataOf(base, cb)+"/feed.atom", nameOf(cb, lang), publisherOf(cb), pageOf(base, cb), []*cube.Cube{cb}
		}
		self := feed.ID
		if given[request.Lang.Name] != "" {
			self += "?lang=" + string(lang)
		}
		feed.Links = []atomLink{{"self", mediaAtom, self}, {"alternate", "text/html", page}}
		feed.Updated = time.Unix(0, 0).UTC().Format(time.RFC3339) // of a feed without entries
		for i, entry := range newest(catalog, of, base, l) {
			if feed.Entries = append(feed.Entries, entry); i == 0 {
				feed.Updated = entry.Updated
			}
		}
		body, err := xml.MarshalIndent(feed, "", " ")
		if err != nil {
			return err
		}
		body = []byte(tidy.Visible(xml.Header + string(body) + "\n"))
		if reply.Unchanged(c, mediaAtom, string(body)) {
			return reply.SendNotModified(c)
		}
		return reply.Send(c, http.StatusOK, mediaAtom, body)
	}
}

// newest tells of the newest versions of cubes that are kept, the newest first.
func newest(catalog *cube.Catalog, of []*cube.Cube, base string, l words.Locale) (list []atomEntry) {
	for _, served := range of {
		var before *cube.Cube
		for _, cb := range catalog.Versions(served.Name) {
			number := strconv.Itoa(cb.Version)
			made := atomEntry{Summary: prose.Version(before, cb, l), atomItem: atomItem{
				ID: pageOf(base, cb) + "?version=" + number, Title: nameOf(cb, l.Language) + " · " + l.Say("changes.version", "Number", number),
				Updated: cb.LoadedAt.UTC().Format(time.RFC3339), Author: publisherOf(cb),
			}}
			made.Links = []atomLink{{"alternate", "text/html", made.ID}}
			if before != nil {
				diff := pageOf(base, cb) + "/versions/" + strconv.Itoa(before.Version) + "/diff/" + number
				made.Links = append(made.Links, atomLink{"related", "text/html", diff})
			}
			list, before = append(list, made), cb
		}
	}
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b atomEntry) int { return cmp.Compare(b.Updated, a.Updated) })
	return list[:min(len(list), mostEntries)]
}

func publisherOf(cb *cube.Cube) string { return cmp.Or(cb.Publisher, "fiscube") }
