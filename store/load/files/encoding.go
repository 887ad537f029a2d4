package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"fiscube/cube/fdp"
)

// codePages are the encodings of one byte for each character. What is declared as iso-8859-1 is read as
// windows-1252, as browsers do: the two differ in control characters that no CSV holds, where windows-1252 has
// the quotes and dashes that such files do hold.
var codePages = map[string]*charmap.Charmap{
	fdp.Windows1250: charmap.Windows1250,
	fdp.Windows1252: charmap.Windows1252,
	fdp.CodePage850: charmap.CodePage850,
	fdp.Latin1:      charmap.Windows1252,
	fdp.Latin2:      charmap.ISO8859_2,
}

// codePage gives for each byte the UTF-8 of its character, nothing for a byte that is not in the encoding.
type codePage [256][]byte

// newCodePage gives the code page of an encoding that is declared, nil for UTF-8.
func newCodePage(declared string) *codePage {
	name, _ := fdp.Encoding(declared)
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

// decode appends the text of bytes, up to the first byte that is not in the encoding: bad is its index, or -1.
func (c *codePage) decode(text, p []byte) (decoded []byte, bad int) {
	for i, b := range p {
		if b < utf8.RuneSelf {
			text = append(text, b)
			continue
		}
		char := c[b]
		if char == nil {
			return text, i
		}
		text = append(text, char...)
	}
	return text, -1
}

// decodedText is the text of a file in another encoding than UTF-8.
type decodedText struct {
	file     *published
	page     *codePage
	encoding string
	raw      []byte
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
	n, err := t.file.Read(t.raw)
	if bad := checkNUL(t.raw[:n], before); bad != nil {
		return bad
	}
	t.plain = t.plain && isASCII(t.raw[:n])
	if !t.other && !t.plain {
		t.other = t.utf8.check(t.raw[:n], before) != nil
	}
	text, bad := t.page.decode(t.buffer[:0], t.raw[:n])
	if bad >= 0 {
		message := fmt.Sprintf("the byte %#x is no character in %s", t.raw[bad], t.encoding)
		return &Mistake{CodeNotInEncoding, message, lineOf(t.raw, bad, before)}
	}
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
		return &Mistake{CodeNotUTF8, "the file is UTF-16, which fiscube does not read: save it as UTF-8", 1}
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
