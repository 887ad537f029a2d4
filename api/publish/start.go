package publish

import (
	"cmp"
	"strings"
	"time"

	"fiscube/api/explorer/site"
)

// startPage is the page of all drafts, where files are sent.
type startPage struct {
	around
	Drafts []shownDraft
	Kinds  string // of files, for the browser
}

type shownDraft struct{ Name, Files, Link, Until string }

func (p *Pages) startPage(v *site.Visit) (*site.Frame, error) {
	page := startPage{around: newAround(v), Kinds: strings.Join([]string{".csv", ".tsv", ".txt", ".xlsx", ".gz", ".zip"}, ",")}
	for _, d := range p.drafts.all() {
		page.Drafts = append(page.Drafts, shownDraft{
			Name: cmp.Or(d.Said.Answers["title"], d.Said.Name, firstOf(d.Files)), Files: strings.Join(d.Files, ", "),
			Link: page.Address + "/" + d.ID + page.Query, Until: v.Say("publish.until", "Time", d.expires().Format(time.DateOnly)),
		})
	}
	return v.Frame(startTemplate, page.Say("publish.title"), page), nil
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
