package fdp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
)

// MostDescriptorBytes is what a descriptor may be at most: the largest real one has 300 KB, and an image in it may
// add some megabytes.
const MostDescriptorBytes = 16 << 20

// What else a descriptor may hold at most, so that a hostile one costs little: a table of PostgreSQL has no more
// than 1,600 columns.
const (
	mostNesting   = 64
	mostResources = 10_000
	mostColumns   = 1_500
	mostNameRunes = 100
)

// Read reads a descriptor. What is wrong with it comes back as Problems, all at once. With names, the package
// is that of the resources of these names alone.
func Read(data []byte, only ...string) (*cube.Package, error) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	if problem, ok := checkText(text); !ok {
		return nil, Problems{problem}
	}
	r := &report{}
	p := readPackage(value{raw: bytes.TrimSpace(text), report: r}, only)
	if problems := r.problems(); problems != nil {
		return nil, problems
	}
	p.Descriptor = bytes.Clone(data)
	return p, nil
}

// checkText tells whether the bytes are JSON that is safe to read; everything after relies on it.
func checkText(text []byte) (Problem, bool) {
	if len(text) > MostDescriptorBytes {
		return Problem{"", fmt.Sprintf("a descriptor of %d bytes; at most %d are read", len(text), MostDescriptorBytes)}, false
	}
	if i := invalidUTF8(text); i >= 0 {
		return Problem{lineColumn(text, i), "the descriptor is not UTF-8 text"}, false
	}
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return Problem{lineColumn(text, offsetOf(err, text)), err.Error()}, false
	}
	if i := tooDeep(text); i >= 0 {
		return Problem{lineColumn(text, i), fmt.Sprintf("nested more than %d deep", mostNesting)}, false
	}
	return Problem{}, true
}

// invalidUTF8 gives the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// offsetOf gives the offset of the byte that a JSON error is about; the end of the text where it ends too soon.
func offsetOf(err error, text []byte) int {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || strings.HasPrefix(syntax.Error(), "unexpected end") {
		return len(text)
	}
	return int(syntax.Offset) - 1
}

// lineColumn names the place of a byte, both counted from 1, columns in characters.
func lineColumn(text []byte, offset int) string {
	before := text[:max(0, min(offset, len(text)))]
	start := bytes.LastIndexByte(before, '\n') + 1
	line, column := bytes.Count(before, []byte{'\n'})+1, utf8.RuneCount(before[start:])+1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// tooDeep gives the offset of the first bracket of JSON text that is nested too deep, or -1.
func tooDeep(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++ // whatever follows, it does not end the text
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth > mostNesting {
			return i
		}
	}
	return -1
}

func readPackage(v value, only []string) *cube.Package {
	o := v.mustObject()
	if o == nil {
		return nil
	}
	p := &cube.Package{
		Name:          o.take("name").text(),
		ID:            o.take("id").text(),
		Title:         o.take("title").prose(),
		Description:   o.take("description").prose(),
		Encoding:      o.take("encoding").text(),
		Format:        o.take("format").text(),
		YearsIncluded: o.take("years_included").texts(),
		Publisher:     o.take("pub_institutional_name").prose(),
		BudgetStage:   o.take("budget_stage").texts(),
		GovtLevel:     o.take("govt_level").prose(),
		Continent:     o.take("continent").prose(),
		Region:        o.take("region").prose(),
		Country:       o.take("country").prose(),
		Periodicity:   o.take("periodicity").prose(),
		StartDate:     o.take("start_date").text(),
		EndDate:       o.take("end_date").text(),
		Tags:          o.take("tags").texts(),
		CreatedAt:     o.take("createdAt").text(),
		UpdatedAt:     o.take("updatedAt").text(),
		Image:         o.take("image").text(),
		AuthorWebsite: o.take("author_website").prose(),
		AuthorEmail:   o.take("author_email").prose(),
		Synthetic:     o.take("synthetic").truth(),
		Schema:        readSchema(o.take("schema")),
		Sample:        o.take("sample").rows(),
	}
	checkName(o.take("name"), p.Name)
	checkEncoding(o.take("encoding"), p.Encoding)
	checkFormat(o.take("format"), p.Format)
	readContents(o, p, only)
	p.Extra = o.rest()
	return p
}

// readContents reads the resources and the model that their schemas and models form together.
func readContents(o *object, p *cube.Package, only []string) {
	shared := readModel(o.take("model"))
	resources := readResources(o.take("resources"), p.Schema, only)
	for _, r := range resources {
		r.Encoding = cmp.Or(r.Encoding, p.Encoding)
		p.Resources = append(p.Resources, r.Resource)
	}
	p.Model = makeModel(o.report, resources, shared)
}

// checkName checks that a package's name can be a part of a URL and does not look like one of fiscube's own.
func checkName(v value, name string) {
	if name == "" {
		v.require("a package needs a name")
		return
	}
	if utf8.RuneCountInString(name) > mostNameRunes {
		v.problem("a name has at most %d characters", mostNameRunes)
	}
	if strings.ContainsRune(name, '/') || strings.ContainsFunc(name, unicode.IsControl) {
		v.problem("the name %s must hold no / and no control character", quote(name))
	}
	if name[0] == '_' || name[0] == '.' {
		v.problem("the name %s must not begin with _ or .", quote(name))
	}
}
