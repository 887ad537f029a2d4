package publish

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/site"
	"fiscube/api/jobs"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/words"
)

// Names of the fields of a form begin with what they are of; the rest is a name of the files, in letters that no page cleans.
const (
	readingField = "reading."
	answerField  = "answer."
	parentField  = "parent."
	labelField   = "label."
	wasField     = "was." // what counted without an answer, as the person saw it
	printedField = "printed."
)

func fieldOf(kind, name string) string {
	return kind + base64.RawURLEncoding.EncodeToString([]byte(name))
}

// named gives the name in the name of a field.
func named(field, kind string) (string, bool) {
	text, ok := strings.CutPrefix(field, kind)
	name, err := base64.RawURLEncoding.DecodeString(text)
	return string(name), ok && err == nil
}

// nowhere is the choice of no level, or of no names.
const nowhere = "-"

// mostText is how many bytes a person may write into a field.
const mostText = 500

// save keeps what a form says of a draft, and does what its button says.
func (p *Pages) save(c echo.Context) error {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, mostBesides)
	if err := r.ParseForm(); err != nil {
		return cube.Wrap(reply.CodeBadBody, "the form cannot be read", err)
	}
	id, err := p.changeable(c)
	if err != nil {
		return err
	}
	if r.PostForm.Get("do") == "discard" {
		if err := p.drafts.discard(id); err != nil {
			return err
		}
		return seeOther(c, "", "")
	}
	if err := p.drafts.change(id, func(d *draft) error { return d.take(r.PostForm, site.ReaderOf(c).Locale) }); err != nil {
		return err
	}
	if r.PostForm.Get("do") == "publish" {
		if err := p.publish(c, id); err != nil {
			return err
		}
	}
	return seeOther(c, "/"+id, "#problems")
}

// take takes the fields of a form. A field that is not in it stays as it is; one that says what counts anyway says nothing.
func (d *draft) take(form url.Values, in words.Locale) error {
	said := &d.Said
	for name, into := range map[string]*string{
		"name": &said.Name, "licence": &said.Licence, "country": &said.Country, "start": &said.Start, "end": &said.End,
		"year": &said.Year, "sheet": &said.Sheet, "header": &said.Header,
	} {
		if text := strings.TrimSpace(form.Get(name)); form.Has(name) && (*into != "" || text != form.Get(wasField+name)) {
			*into = text
		}
	}
	said.Readings, said.Parents, said.Labels = changed(said.Readings), changed(said.Parents), changed(said.Labels)
	said.Answers, d.Printed = changed(said.Answers), changed(d.Printed)
	for field, values := range form {
		text := strings.TrimSpace(values[0])
		if len(text) > mostText {
			return cube.Errorf(cube.CodeTooLarge, "a field has more than %d bytes", mostText)
		}
		for kind, into := range map[string]map[string]string{readingField: said.Readings, parentField: said.Parents, labelField: said.Labels} {
			if name, ok := named(field, kind); ok {
				into[name] = text
			}
		}
		if name, ok := named(field, printedField); ok {
			d.Printed[name] = readTyped(text, in)
		}
		if key, ok := named(field, answerField); ok && (said.Answers[key] != "" || text != form.Get(fieldOf(wasField, key))) {
			said.Answers[key] = text
		}
	}
	for _, texts := range []map[string]string{said.Readings, said.Parents, said.Labels, said.Answers} {
		maps.DeleteFunc(texts, func(_, text string) bool { return text == "" })
	}
	maps.DeleteFunc(d.Printed, func(_ string, t typed) bool { return t.Text == "" })
	return nil
}

func readTyped(text string, in words.Locale) typed {
	if number, ok := in.ReadDecimal(text); ok {
		return typed{text, number.String()}
	}
	return typed{Text: text}
}

// changed gives a map that may be changed.
func changed[T any](values map[string]T) map[string]T {
	if values == nil {
		return map[string]T{}
	}
	return maps.Clone(values)
}

// publish puts a draft into the queue of loads, unless something is in the way, which its page says.
func (p *Pages) publish(c echo.Context, id string) error {
	found, err := p.drafts.find(id)
	if err != nil {
		return err
	}
	read, err := p.drafts.describe(c.Request().Context(), found)
	if err != nil || len(read.Problems) > 0 || read.Descriptor == nil {
		return err
	}
	return p.drafts.change(id, func(d *draft) error {
		d.Job, err = p.loads.Add(jobs.Source{Made: &jobs.Made{Files: p.drafts.files(id), Descriptor: read.Descriptor, Overlay: read.Overlay}})
		return err
	})
}

// draftOf gives the draft that a path names, with what was read from it.
func (p *Pages) draftOf(c echo.Context) (*draft, *Read, error) {
	found, err := p.drafts.find(request.Path(c, "draft"))
	if err != nil {
		return nil, nil, err
	}
	read, err := p.drafts.describe(c.Request().Context(), found)
	return found, read, err
}
