package api

import (
	"fiscube/api/babbage"
	"fiscube/cube"
)

// What the answers with pages have in common: how they are asked for, and what they end with.

// bound reads a question in the names of the cube that a dashboard asks, and binds it. The plan is nil where it has been
// answered already: what the dashboard has is unchanged.
func bound[Q, P any](
	a *api, c asking, t *timing, read func(*babbage.Names) (Q, error), bind func(*cube.Cube, Q) (*P, error),
) (question Q, plan *P, err error) {
	one, err := a.askedBy(c)
	if err != nil {
		return question, nil, err
	}
	if question, err = read(babbage.NewNames(one.Model)); err != nil {
		return question, nil, err
	}
	t.done(stageParse)
	if plan, err = bind(one, question); err != nil {
		return question, nil, err
	}
	t.done(stagePlan)
	if a.unchanged(c, one, formatJSON.media) {
		return question, nil, sendUnchanged(c)
	}
	return question, plan, nil
}

// babbageEnd is the end of an answer with pages.
type babbageEnd struct {
	Page       int           `json:"page"`
	PageSize   int           `json:"page_size"`
	TotalPages int64         `json:"total_pages"`
	Links      babbageLinks  `json:"links"`
	Warnings   []warning     `json:"warnings"`
	Source     babbageSource `json:"source"`
	Status     string        `json:"status"`
}

// babbageEnd makes the end of an answer with so many rows on all pages, which is ours under a link.
func (a *api) babbageEnd(
	c asking, one *cube.Cube, link string, page cube.Page, rows int64, warnings []warning,
) babbageEnd {
	end := babbageEnd{
		Page: page.Number, PageSize: page.Size, Warnings: append(c.ignored, warnings...), Status: "ok",
		Source: sourceOf(one, a.base(c)+link),
	}
	end.TotalPages, end.Links = pagesOf(c, one.Version, page, rows)
	return end
}

// babbageLinks lead to other pages of the same answer; they are relative, so that they hold below any path.
type babbageLinks struct {
	First string `json:"first,omitempty"`
	Prev  string `json:"prev,omitempty"`
	Next  string `json:"next,omitempty"`
	Last  string `json:"last,omitempty"`
}

// pagesOf counts the pages of an answer with so many rows, and links them.
func pagesOf(c asking, version int, page cube.Page, rows int64) (int64, babbageLinks) {
	if page.Size == 0 {
		return 0, babbageLinks{}
	}
	size := int64(page.Size)
	pages, number := (rows+size-1)/size, int64(page.Number)
	link := func(to int64) string {
		if to < 1 || to > pages {
			return ""
		}
		return pageAt(c.Request().URL, version, to)
	}
	return pages, babbageLinks{First: link(1), Prev: link(min(number-1, pages)), Next: link(number + 1), Last: link(pages)}
}
