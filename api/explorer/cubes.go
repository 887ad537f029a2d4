package explorer

import "fiscube/api/explorer/site"

// showCube shows the answer to a question or, without one, the overview. A name with the end of a picture is the figure as a file.
func showCube(v *visit) (*site.Frame, error) {
	cb, end, err := v.named()
	if err != nil {
		return nil, err
	}
	a, err := v.Address(cb)
	if err != nil {
		return nil, err
	}
	if end != "" {
		return nil, v.picture(cb, a, end)
	}
	if v.PageParameter("_ask") != "" {
		return nil, v.answerPrepared(cb, a)
	}
	if a.Beside, a.Measure = v.PageParameter("_with"), v.PageParameter("_measure"); a.Beside != "" || a.Measure != "" {
		return v.compare(cb, a)
	}
	if len(a.Query.Clauses()) == 0 {
		return v.overview(cb, a)
	}
	w, err := v.askView(cb, a)
	if err != nil {
		return nil, err
	}
	f := v.Frame(templates["view"], w.HeadingOf(w.Kind()), v.viewPage(w))
	f.MadeUp = cb.Synthetic
	return f, nil
}
