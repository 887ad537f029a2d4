package explorer

import (
	"strconv"

	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/answer"
)

// pinning is what a page says of a version other than the served one.
type pinning struct {
	Text   string // which version it is
	Served string // how the served version answers
	Link   string // leads to the served version
}

// pinned says how the served version answers what a page of another one asks; nil on a page of the served one.
func (w *view) pinned() (*pinning, error) {
	if w.cb.Served {
		return nil, nil
	}
	served := w.a
	served.Version = ""
	made := &pinning{Text: w.Say("view.pinned", "Version", strconv.Itoa(w.cb.Version)), Link: served.String()}
	catalog, err := w.Limiter.Catalog(w.Request().Context())
	if err != nil {
		return nil, err
	}
	cb, err := catalog.Cube(w.cb.Name)
	if err != nil {
		return nil, err
	}
	version := strconv.Itoa(cb.Version)
	_, found, _, err := w.askMore(cb, w.a.Query)
	switch status := reply.Statuses[cube.CodeOf(err)]; {
	case err == nil:
		made.Served = w.Say("view.pinned-served", "Version", version) + " " + w.changedIn(found) + "."
	case status >= 400 && status < 500:
		made.Served = w.Say("view.pinned-served", "Version", version) + " " + w.Say("view.pinned-cannot") + "."
	default:
		return nil, err
	}
	return made, nil
}

// changedIn says by how much the answer of another version differs.
func (w *view) changedIn(found *answer.Answer) string {
	was, is := w.answer.Summary.Values[0], found.Summary.Values[0]
	main := found.Plan.Aggregates()[0]
	text := ""
	switch {
	case was.Valid && is.Valid && was.Decimal.Equal(is.Decimal) || !was.Valid && !is.Valid:
		if text = w.Say("view.pinned-same"); len(w.answer.Plan.Steps()) > 0 {
			text = w.Say("view.pinned-total")
		}
	case !is.Valid:
		text = w.Say("view.pinned-none")
	case !was.Valid:
		text = w.Say("view.pinned-has", "Amount", w.InWords(is.Decimal, currencyOf(found.Plan.Cube().Model, main)), "Exact", w.Decimal(is.Decimal, main.Scale))
	default:
		d, message := is.Decimal.Sub(was.Decimal), "view.pinned-more"
		if d.IsNegative() {
			message = "view.pinned-less"
		}
		text = w.Say(message, "Amount", w.InWords(d.Abs(), currencyOf(found.Plan.Cube().Model, main)), "Exact", w.Decimal(d.Abs(), main.Scale))
		if was.Decimal.IsPositive() {
			text += " (" + w.Change(percentOf(d, was.Decimal)) + ")"
		}
	}
	return text
}
