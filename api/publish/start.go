package publish

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"fiscube/api/explorer/site"
	"fiscube/api/reply"
	"fiscube/cube/prose"
)

// startPage is the page of all drafts, where files are sent.
type startPage struct {
	around
	Drafts []shownDraft
	Kinds  string // of files, for the browser

	Refused *prose.Mistake // why nothing was taken; nil for nothing wrong
	Typed   string         // the address that cannot be fetched; "" where the files are at fault
}

type shownDraft struct{ Name, Files, Link, Until string }

func (p *Pages) startPage(v *site.Visit) (*site.Frame, error) { return p.startPageWith(v, nil) }

// startPageWith is the page with what is wrong with what was sent.
func (p *Pages) startPageWith(v *site.Visit, wrong error) (*site.Frame, error) {
	page := startPage{around: newAround(v), Kinds: strings.Join([]string{".csv", ".tsv", ".txt", ".xlsx", ".gz", ".zip"}, ",")}
	if wrong != nil {
		mistake := prose.TellMistake(reply.Explain(wrong), v.Language)
		page.Refused = &mistake
	}
	var fetched notFetched
	if errors.As(wrong, &fetched) {
		page.Typed = fetched.address
	}
	for _, d := range p.drafts.all() {
		page.Drafts = append(page.Drafts, shownDraft{
			Name: cmp.Or(d.Said.Answers["title"], d.Said.Name, strings.Join(d.Files, ", ")), Files: strings.Join(d.Files, ", "),
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
