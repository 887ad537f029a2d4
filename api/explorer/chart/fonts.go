package chart

import (
	"bytes"
	"cmp"
	"embed"
	"os"
	"slices"
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"
)

//go:embed fonts/*.ttf
var files embed.FS

// The fonts of pictures, by which the texts of all figures are measured. The first is the usual one.
var (
	regular = sync.OnceValue(func() []*font.Face { return embedded("Regular") })
	bold    = sync.OnceValue(func() []*font.Face { return embedded("Bold") })
)

func embedded(weight string) []*font.Face {
	var faces []*font.Face
	for _, script := range []string{"", "Arabic", "Hebrew", "Georgian", "Armenian", "Thai", "Devanagari"} {
		ttf, err := files.ReadFile("fonts/NotoSans" + script + "-" + weight + ".ttf")
		if err != nil {
			panic(err) // the font is part of the program
		}
		face, err := font.ParseTTF(bytes.NewReader(ttf))
		if err != nil {
			panic(err)
		}
		faces = append(faces, face)
	}
	return faces
}

// fonts gives each character of a text its font.
type fonts struct {
	faces  []*font.Face // the first that has a character draws it
	isBold bool
}

// fontsOf puts the font first that has most of a text, so that numbers and brackets look as the letters beside them.
func fontsOf(text []rune, isBold bool) fonts {
	faces := regular()
	if isBold {
		faces = bold()
	}
	if lacks(faces[0], text) > 0 {
		faces = slices.Clone(faces)
		slices.SortStableFunc(faces, func(a, b *font.Face) int { return cmp.Compare(lacks(a, text), lacks(b, text)) })
	}
	return fonts{faces, isBold}
}

// lacks counts the characters that a font does not have.
func lacks(face *font.Face, text []rune) (n int) {
	for _, r := range text {
		if !has(face, r) {
			n++
		}
	}
	return n
}

// ResolveFace gives the font of a character. One that no font has is a box.
func (f fonts) ResolveFace(r rune) *font.Face {
	for _, face := range f.faces {
		if has(face, r) {
			return face
		}
	}
	if face := installed().face(r, f.isBold); face != nil {
		return face
	}
	return f.faces[0]
}

func has(face *font.Face, r rune) bool {
	_, ok := face.NominalGlyph(r)
	return ok
}

// machine is the fonts installed on this machine, for letters that no font of the program has, such as those of Chinese.
type machine struct{ *fontscan.FontMap }

var installed = sync.OnceValue(func() machine {
	m := machine{fontscan.NewFontMap(silent{})}
	// The list is not kept on the disk: a server makes it once in its life, if at all.
	if directory, err := os.MkdirTemp("", "fonts"); err == nil {
		defer os.RemoveAll(directory)
		_ = m.UseSystemFonts(directory) // without any, letters are boxes
	}
	return m
})

// face is an installed font with a character, bold if there is one; nil: there is none.
func (m machine) face(r rune, isBold bool) *font.Face {
	weight := font.WeightNormal
	if isBold {
		weight = font.WeightBold
	}
	m.SetQuery(fontscan.Query{Families: []string{"Noto Sans", fontscan.SansSerif}, Aspect: font.Aspect{Weight: weight}})
	m.SetScript(language.LookupScript(r))
	if face := m.ResolveFace(r); face != nil && has(face, r) {
		return face
	}
	return nil
}

// silent says nothing of fonts that cannot be read.
type silent struct{}

// Printf implements the logger of fontscan.
func (silent) Printf(string, ...any) {}
