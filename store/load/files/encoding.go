package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"fiscube/cube/fdp"
)

// codePages are the encodings of one byte for each character. What is declared as iso-8859-1 is read as
// windows-1252, as browsers do: the two differ in control characters that no CSV holds, where windows-1252 has
// the quotes and dashes that such files do hold. The same holds of iso-8859-9 and windows-1254.
var codePages = map[string]*charmap.Charmap{
	fdp.Windows1250: charmap.Windows1250, fdp.Windows1251: charmap.Windows1251, fdp.Windows1252: charmap.Windows1252, fdp.Windows1253: charmap.Windows1253,
	fdp.Windows1254: charmap.Windows1254, fdp.Windows1255: charmap.Windows1255, fdp.Windows1256: charmap.Windows1256, fdp.Windows1257: charmap.Windows1257,
	fdp.CodePage850: charmap.CodePage850, fdp.CodePage852: charmap.CodePage852, fdp.CodePage866: charmap.CodePage866,
	fdp.Latin1: charmap.Windows1252, fdp.Latin2: charmap.ISO8859_2, fdp.ISOCyrillic: charmap.ISO8859_5, fdp.ISOGreek: charmap.ISO8859_7,
	fdp.Latin5: charmap.Windows1254, fdp.Latin9: charmap.ISO8859_15, fdp.KOI8R: charmap.KOI8R, fdp.KOI8U: charmap.KOI8U,
}

// multiBytes are the encodings of several bytes for a character.
var multiBytes = map[string]encoding.Encoding{
	fdp.UTF16: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), fdp.UTF16LE: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	fdp.UTF16BE: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), fdp.ShiftJIS: japanese.ShiftJIS, fdp.EUCJP: japanese.EUCJP,
	fdp.Big5: traditionalchinese.Big5, fdp.GB18030: simplifiedchinese.GB18030, fdp.EUCKR: korean.EUCKR,
}

// decoder makes text of bytes in another encoding than UTF-8. Decode appends the text of p, up to the first byte that is no character:
// read is how many bytes it took, and bad is the index of that byte, or -1. The bytes of a character that p cuts are left, unless they are the last.
type decoder interface {
	decode(text, p []byte, last bool) (decoded []byte, read, bad int)
}

// newDecoder gives the decoder of an encoding that is declared, nil for UTF-8.
func newDecoder(declared string) decoder {
	name, _ := fdp.Encoding(declared)
	if several := multiBytes[name]; several != nil {
		return &multiByte{several.NewDecoder()}
	}
	if page := newCodePage(name); page != nil {
		return page
	}
	return nil
}

// Decode gives the text of the start of a file, up to the first byte that is no character: bad is its index, or -1.
func Decode(declared string, p []byte) (text []byte, bad int) {
	d := newDecoder(declared)
	if d == nil {
		return p, -1
	}
	text, _, bad = d.decode(nil, p, false)
	return text, bad
}

// multiByte is a decoder of an encoding of several bytes for a character.
type multiByte struct{ transform.Transformer }

// badText is what decoders of several bytes write for a byte that is no character.
const badText = "\ufffd"

// decode implements decoder.
func (m *multiByte) decode(text, p []byte, last bool) (decoded []byte, read, bad int) {
	start := len(text)
	text = slices.Grow(text, len(badText)*len(p)+utf8.UTFMax)
	written, read, _ := m.Transform(text[start:cap(text)], p, last)
	text = text[:start+written]
	if at := bytes.Index(text[start:], []byte(badText)); at >= 0 {
		return text[:start+at], read, m.find(p, at)
	}
	return text, read, -1
}

// find gives the index of the byte that is no character, before which the text has so many bytes.
func (m *multiByte) find(p []byte, before int) int {
	m.Reset()
	_, read, _ := m.Transform(make([]byte, before), p, true)
	return min(read, len(p)-1)
}

// codePage gives for each byte the UTF-8 of its character, nothing for a byte that is not in the encoding.
type codePage [256][]byte

// newCodePage gives the code page of an encoding, nil for one that has none.
func newCodePage(name string) *codePage {
	if codePages[name] == nil {
		return nil
	}
	page := &codePage{}
	for b := range page {
		if r, ok := DecodeByte(name, byte(b)); ok {
			page[b] = utf8.AppendRune(nil, r)
		}
	}
	return page
}

// DecodeByte gives the character of a byte in an encoding of one byte for each character; false where it has none.
func DecodeByte(encoding string, b byte) (rune, bool) {
	chars, ok := codePages[encoding]
	if !ok {
		return utf8.RuneError, false
	}
	r := chars.DecodeByte(b)
	return r, r != utf8.RuneError && !isC1(r)
}

// isC1 says whether a character is one of the controls that code pages give to bytes they have no letter for.
// A file that holds one is in another encoding: the š of windows-1250 is a control in iso-8859-2.
func isC1(r rune) bool { return r >= 0x80 && r <= 0x9f }

// decode implements decoder.
func (c *codePage) decode(text, p []byte, _ bool) (decoded []byte, read, bad int) {
	for i, b := range p {
		if b < utf8.RuneSelf {
			text = append(text, b)
			continue
		}
		char := c[b]
		if char == nil {
			return text, i, i
		}
		text = append(text, char...)
	}
	return text, len(p), -1
}

// decodedText is the text of a file in another encoding than UTF-8.
type decodedText struct {
	file     *published
	decoder  decoder
	encoding string
	raw      []byte
	cut      int    // bytes at the start of raw that the last read left, of a character that it cut
	buffer   []byte // raw, decoded
	text     []byte // what of it was not yet read
	err      error  // what ended the file, given when the text is read

	utf8  checkedText // of the same bytes: a text that is UTF-8 throughout is in no other encoding
	other bool        // it is not UTF-8
	plain bool        // so far all of it is ASCII
}

// isUTF8 tells, at the end of the file, whether its letters beyond ASCII are all those of UTF-8.
func (t *decodedText) isUTF8() bool { return !t.other && !t.plain && len(t.utf8.rest) == 0 }

// CodeEncodingDiffers is the finding of a file that is UTF-8 although another encoding is declared.
const CodeEncodingDiffers = "encoding-differs"

// CodeNotInEncoding is the finding of a byte that is no character in the declared encoding.
const CodeNotInEncoding = "not-in-encoding"

// Read implements io.Reader.
func (t *decodedText) Read(p []byte) (int, error) {
	for len(t.text) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.err = t.fill()
	}
	n := copy(p, t.text)
	t.text = t.text[n:]
	return n, nil
}

func (t *decodedText) fill() error {
	before := t.file.newlines
	n, err := t.file.Read(t.raw[t.cut:])
	p := t.raw[:t.cut+n]
	t.plain = t.plain && isASCII(p)
	if !t.other && !t.plain {
		t.other = t.utf8.check(p[t.cut:], before) != nil
	}
	text, read, bad := t.decoder.decode(t.buffer[:0], p, errors.Is(err, io.EOF))
	checked := p
	if t.file.decoded {
		checked = text
		if long := t.file.takeText(text); long != nil {
			return long
		}
	}
	if nul := checkNUL(checked, before); nul != nil {
		return nul
	}
	if bad >= 0 {
		message := fmt.Sprintf("the byte %#x is no character in %s", p[bad], t.encoding)
		return &Mistake{CodeNotInEncoding, message, lineOf(text, len(text), before)}
	}
	t.cut = copy(t.raw, p[read:])
	t.buffer, t.text = text, text
	return err
}

// checkedText is the text of a UTF-8 file.
type checkedText struct {
	file *published
	rest []byte // the start of a character cut by the last read
}

// Read implements io.Reader.
func (t *checkedText) Read(p []byte) (int, error) {
	before := t.file.newlines
	n, err := t.file.Read(p)
	if bad := t.check(p[:n], before); bad != nil {
		return 0, bad
	}
	if errors.Is(err, io.EOF) && len(t.rest) > 0 {
		return n, notUTF8(t.file.newlines + 1)
	}
	return n, err
}

// check finds the first character that is not UTF-8, or NUL, which no store can hold. Before is how many lines
// ended before p.
func (t *checkedText) check(p []byte, before int64) error {
	if err := checkNUL(p, before); err != nil {
		return err
	}
	text := p
	if len(t.rest) > 0 {
		text = slices.Concat(t.rest, p)
	}
	whole := len(text) - incomplete(text)
	if !utf8.Valid(text[:whole]) {
		return notUTF8(lineOf(text, validPrefix(text), before))
	}
	t.rest = append([]byte(nil), text[whole:]...)
	return nil
}

// IsUTF16 tells whether a file begins as text in UTF-16 does: with its byte-order mark, or with a character of ASCII.
func IsUTF16(p []byte) bool {
	return len(p) >= 2 && (p[0] == 0xff && p[1] == 0xfe || p[0] == 0xfe && p[1] == 0xff || (p[0] == 0) != (p[1] == 0))
}

func checkNUL(p []byte, before int64) error {
	switch {
	case before > 0:
	case bytes.HasPrefix(p, []byte(zipMark)):
		return badWorkbook(saidWorkbook)
	case bytes.HasPrefix(p, []byte(oldMark)):
		return badWorkbook(saidOld)
	}
	if before == 0 && IsUTF16(p) && bytes.IndexByte(p, 0) >= 0 {
		return &Mistake{CodeNotUTF8, "the file is UTF-16: declare its encoding as utf-16, or name it with --encoding", 1}
	}
	if nul := bytes.IndexByte(p, 0); nul >= 0 {
		return &Mistake{CodeNulCharacter, "the file holds a NUL character", lineOf(p, nul, before)}
	}
	return nil
}

// lineOf gives the line of the byte at index i of p, before which so many lines ended.
func lineOf(p []byte, i int, before int64) int64 {
	return before + int64(bytes.Count(p[:i], []byte{'\n'})) + 1
}

func isASCII(p []byte) bool {
	return !slices.ContainsFunc(p, func(b byte) bool { return b >= utf8.RuneSelf })
}

func notUTF8(line int64) error {
	return &Mistake{CodeNotUTF8, "the file is not UTF-8: declare its encoding, or name it with --encoding", line}
}

// validPrefix counts the bytes before the first that is not UTF-8.
func validPrefix(p []byte) int {
	valid := 0
	for valid < len(p) {
		r, size := utf8.DecodeRune(p[valid:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		valid += size
	}
	return valid
}

// incomplete counts the bytes at the end of p that begin a character without ending it.
func incomplete(p []byte) int {
	for back := 1; back <= min(len(p), utf8.UTFMax-1); back++ {
		if start := p[len(p)-back:]; utf8.RuneStart(start[0]) {
			if !utf8.FullRune(start) {
				return back
			}
			return 0
		}
	}
	return 0
}
