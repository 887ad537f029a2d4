package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The elements and attributes of figures. None of them needs a policy to admit styles or scripts.
var (
	elements   = []string{"svg", "desc", "a", "g", "title", "rect", "path", "text"}
	attributes = []string{"xmlns", "class", "role", "aria-label", "width", "height", "viewBox", "font-family", "href", "x", "y", "d", "fill", "stroke",
		"stroke-width", "stroke-dasharray", "fill-opacity", "pointer-events", "font-size", "font-weight", "text-anchor", "unicode-bidi", "transform"}
)

// read checks that a drawing is well-formed and has nothing but what figures have, and gives its links and texts.
func read(t *testing.T, drawn string) (links, texts []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(drawn))
	d.Strict = true
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return links, texts
		}
		if err != nil {
			t.Fatalf("%v in %s", err, drawn)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(elements, token.Name.Local) {
				t.Fatalf("an element %s in %s", token.Name.Local, drawn)
			}
			for _, a := range token.Attr {
				if !slices.Contains(attributes, a.Name.Local) {
					t.Fatalf("an attribute %s in %s", a.Name.Local, drawn)
				}
				if a.Name.Local == "href" {
					links = append(links, a.Value)
				}
			}
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.Comment, xml.ProcInst, xml.Directive:
			t.Fatalf("%T in %s", token, drawn)
		}
	}
}

func FuzzFigures_HostileTexts(f *testing.F) {
	for _, s := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "a\x00b\x1b[31m", "\u202egnp.exe", "]]>", "&lt;", "'", "\xff\xfe", "javascript:alert(1)",
		"java\tscript:alert(1)", " JaVaScRiPt:alert(1)", "data:text/html,x", "?cut=a:1&b=<2>", "//elsewhere/", "\u2066a\u2069\ufeff\uffff", strings.Repeat("w", 2000)} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, s, href string) {
		fr := frame(1200)
		fr.Title, fr.Desc = s, s
		p := Part{Value: number64(5), Label: s, Amount: s, Share: s, Title: s, Href: href}
		for name, draw := range map[string]func() (Figure, *Refusal){
			"bars":    func() (Figure, *Refusal) { return Bars(fr, []Part{p}) },
			"treemap": func() (Figure, *Refusal) { return Treemap(fr, []Part{p, p, p}) },
			"line": func() (Figure, *Refusal) {
				return Lines(fr, []Year{{s, s, ""}, {s, "", s}}, []Series{{s, []Point{{Part: p}, {Part: p}}}}, axisText)
			},
		} {
			figure, refusal := draw()
			if refusal != nil {
				t.Fatalf("%s: %+v", name, *refusal)
			}
			links, texts := read(t, string(figure.HTML()))
			for _, link := range links {
				if low := strings.ToLower(strings.TrimSpace(link)); strings.HasPrefix(low, "javascript:") || strings.HasPrefix(low, "data:") || strings.HasPrefix(low, "vbscript:") {
					t.Errorf("a link %q", link)
				}
			}
			for _, text := range texts {
				if !utf8.ValidString(text) || strings.ContainsAny(text, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00\x1b") {
					t.Errorf("a text %q", text)
				}
			}
			var file bytes.Buffer
			if err := figure.WithCaption(Caption{Subtitle: s, Source: s, Notices: []string{s, s}}).SVG(&file); err != nil {
				t.Fatal(err)
			}
			read(t, file.String())
		}
	})
}
