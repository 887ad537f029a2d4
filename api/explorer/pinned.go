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
func (p *Pages) pinned(w *view) (*pinning, error) {
	if w.cb.Served {
		return nil, nil
	}
	served := w.a
	served.version = ""
	made := &pinning{Text: w.Fill(w.Words.Pinned, strconv.Itoa(w.cb.Version)), Link: served.String()}
	catalog, err := p.limiter.Catalog(w.Request().Context())
	if err != nil {
		return nil, err
	}
	cb, err := catalog.Cube(w.cb.Name)
	if err != nil {
		return nil, err
	}
	version := strconv.Itoa(cb.Version)
	found, err := p.answer(w.visit, cb, w.a.q)
	switch status := reply.Statuses[cube.CodeOf(err)]; {
	case err == nil:
		made.Served = w.Fill(w.Words.PinnedServed, version) + " " + w.changedIn(found) + "."
	case status >= 400 && status < 500:
		made.Served = w.Fill(w.Words.PinnedServed, version) + " " + w.Words.PinnedCannot + "."
	default:
		return nil, err
	}
	return made, nil
}

// changedIn says by how much the answer of another version differs.
func (w *view) changedIn(found *answer.Answer) string {
	was, is := w.answer.Summary.Values[0], found.Summary.Values[0]
	main := found.Plan.Aggregates()[0]
	rows := rowsChanged(w.answer, found)
	text := ""
	switch {
	case was.Valid && is.Valid && was.Decimal.Equal(is.Decimal) || !was.Valid && !is.Valid:
		if text = w.Words.PinnedSame; rows > 0 {
			text = w.Words.PinnedTotal
		}
	case !is.Valid:
		text = w.Words.PinnedNone
	case !was.Valid:
		text = w.Fill(w.Words.PinnedHas, w.InWords(is.Decimal, currencyOf(found.Plan.Cube().Model, main)), w.Decimal(is.Decimal, main.Scale))
	default:
		d, words := is.Decimal.Sub(was.Decimal), w.Words.PinnedMore
		if d.IsNegative() {
			words = w.Words.PinnedLess
		}
		text = w.Fill(words, w.InWords(d.Abs(), currencyOf(found.Plan.Cube().Model, main)), w.Decimal(d.Abs(), main.Scale))
		if was.Decimal.IsPositive() {
			text += " (" + w.Change(percentOf(d, was.Decimal)) + ")"
		}
	}
	if rows > 0 {
		text += "; " + w.Fill(w.Words.PinnedRows, rows)
	}
	return text
}

// rowsChanged counts the members with another amount in the second answer, and those that only one of the two has. It is 0 where one
// of them does not name all its members.
func rowsChanged(was, is *answer.Answer) int {
	amounts, changed := map[string]answer.Cell{}, 0
	for _, a := range []*answer.Answer{was, is} {
		if len(a.Plan.Steps()) == 0 || int64(len(a.Cells)) != a.Summary.Count || a.Plan.Rollup() || a.Plan.Remainder() && len(a.Cells) > 0 && a.Cells[len(a.Cells)-1].Others > 0 {
			return 0
		}
	}
	for _, cell := range was.Cells {
		amounts[cube.KeysID(cell.Keys)] = cell
	}
	for _, cell := range is.Cells {
		before, ok := amounts[cube.KeysID(cell.Keys)]
		delete(amounts, cube.KeysID(cell.Keys))
		x, y := before.Values, cell.Values[0]
		if !ok || x[0].Valid != y.Valid || !x[0].Decimal.Equal(y.Decimal) {
			changed++
		}
	}
	return changed + len(amounts)
}
