package publish

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/findings"
)

// draftJSON is a draft for programs: the same questions, columns and totals as on its page.
type draftJSON struct {
	Status    string           `json:"status"`
	Draft     string           `json:"draft"`
	Name      string           `json:"name,omitempty"`
	Files     []string         `json:"files"`
	Expires   time.Time        `json:"expires_at"`
	Problems  []Problem        `json:"problems"`
	Columns   []columnJSON     `json:"columns"`
	Levels    []levelJSON      `json:"levels"`
	Questions []findings.Asked `json:"questions"`
	Totals    []totalJSON      `json:"totals"`
	Job       string           `json:"job,omitempty"`
}

// What is told in several languages is sent in one.
type (
	columnJSON struct {
		Column
		Why string `json:"evidence,omitempty"`
	}
	levelJSON struct {
		Level
		Why string `json:"evidence,omitempty"`
	}
)

type totalJSON struct {
	Year       string `json:"year"`
	Measure    string `json:"measure"`
	Sum        string `json:"sum"`
	Printed    string `json:"printed,omitempty"`
	Difference string `json:"difference,omitempty"`
}

type startJSON struct {
	Status string      `json:"status"`
	Drafts []madeDraft `json:"drafts"`
}

type madeDraft struct {
	Draft   string    `json:"draft"`
	Name    string    `json:"name,omitempty"`
	Files   []string  `json:"files"`
	Expires time.Time `json:"expires_at"`
}

// startData lists the drafts.
func (p *Pages) startData(c echo.Context) error {
	made := startJSON{Status: "ok", Drafts: []madeDraft{}}
	for _, d := range p.drafts.all() {
		made.Drafts = append(made.Drafts, madeDraft{d.ID, d.Said.Name, d.Files, d.expires()})
	}
	return reply.SendJSON(c, http.StatusOK, made)
}

// draftData gives what was read from a draft, and what is asked.
func (p *Pages) draftData(c echo.Context) error {
	d, read, err := p.draftOf(c)
	if err != nil {
		return err
	}
	made := draftJSON{
		Status: "ok", Draft: d.ID, Name: read.Name, Files: d.Files, Expires: d.expires(), Problems: orEmpty(read.Problems), Columns: []columnJSON{},
		Levels: []levelJSON{}, Questions: []findings.Asked{}, Totals: []totalJSON{}, Job: d.Job,
	}
	in := site.ReaderOf(c).Language
	for _, c := range read.Columns {
		c.Cells = orEmpty(c.Cells)
		made.Columns = append(made.Columns, columnJSON{c, c.Why.In(in)})
	}
	for _, l := range read.Levels {
		made.Levels = append(made.Levels, levelJSON{l, l.Why.In(in)})
	}
	for _, q := range read.Questions {
		made.Questions = append(made.Questions, q.In(in, d.Said.Answers[q.Key]))
	}
	for _, t := range read.Totals {
		total := totalJSON{Year: t.Year, Measure: t.Measure, Sum: t.Sum}
		if compared := d.compare(t); compared.known {
			total.Printed, total.Difference = compared.printed.String(), compared.difference.String()
		}
		made.Totals = append(made.Totals, total)
	}
	return reply.SendJSON(c, http.StatusOK, made)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (d *draft) expires() time.Time { return d.Changed.Add(draftFor).UTC().Truncate(time.Second) }

// compared is a total beside the printed one, where that is known.
type compared struct {
	known                    bool
	sum, printed, difference decimal.Decimal
}

// compare holds a total against the printed one, which a person types in the unit of the amounts.
func (d *draft) compare(t Total) compared {
	sum, bad := decimal.NewFromString(t.Sum)
	printed, none := decimal.NewFromString(d.Printed[t.key()].Number)
	return compared{bad == nil && none == nil, sum, printed, printed.Sub(sum)}
}

func (t Total) key() string { return t.Year + "\n" + t.Measure }

// descriptor sends the descriptor that comes of a draft.
func (p *Pages) descriptor(c echo.Context) error {
	return p.document(c, "datapackage.json", echo.MIMEApplicationJSON, func(read *Read) []byte { return read.Descriptor })
}

// overlay sends its overlay.
func (p *Pages) overlay(c echo.Context) error {
	return p.document(c, "overlay.yaml", "application/yaml", func(read *Read) []byte { return read.Overlay })
}

func (p *Pages) document(c echo.Context, name, media string, of func(*Read) []byte) error {
	_, read, err := p.draftOf(c)
	if err != nil {
		return err
	}
	body := of(read)
	if body == nil {
		return cube.Errorf(cube.CodeConflict, "the files of %s make no package yet", request.Path(c, "draft")).WithHint("look at the problems of the draft")
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	return reply.Send(c, http.StatusOK, media, body)
}
