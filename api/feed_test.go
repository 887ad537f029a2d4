package api_test

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"
)

// Feeds have what RFC 4287 requires of a feed and of each entry (sections 4.1.1 and 4.1.2), each once, and whole addresses.
func TestFeed_IsAtom(t *testing.T) {
	type item struct {
		IDs     []string `xml:"id"`
		Titles  []string `xml:"title"`
		Updated []string `xml:"updated"`
		Authors []string `xml:"author>name"`
		Links   []struct {
			Href string `xml:"href,attr"`
		} `xml:"link"`
	}
	for _, path := range []string{"/feed.atom", "/cubes/croatia/feed.atom"} {
		var feed struct {
			XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
			item
			Entries []item `xml:"http://www.w3.org/2005/Atom entry"`
		}
		if r := ask(t, handler(t, newFake(t)), path); xml.Unmarshal([]byte(r.body), &feed) != nil || len(feed.Entries) == 0 {
			t.Fatalf("%s: %s", path, r.body)
		}
		seen := map[string]bool{}
		for _, item := range append(feed.Entries, feed.item) {
			for _, required := range [][]string{item.IDs, item.Titles, item.Updated, item.Authors} {
				if len(required) != 1 || required[0] == "" {
					t.Fatalf("%s: %+v", path, item)
				}
			}
			_, err := time.Parse(time.RFC3339, item.Updated[0])
			if err != nil || seen[item.IDs[0]] || item.Updated[0] > feed.Updated[0] || len(item.Links) == 0 || !strings.HasPrefix(item.Links[0].Href, "http://") {
				t.Errorf("%s: %+v: %v", path, item, err)
			}
			seen[item.IDs[0]] = true
		}
	}
}
