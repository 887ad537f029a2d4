package describe

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube/fdp"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// letters are those of the languages of Latin script whose files come in an encoding, in the order in which they are tried. Files in others are
// read too if their encoding is declared.
var letters = []struct{ encoding, of string }{
	{fdp.Windows1252, western},
	{fdp.Windows1250, central},
	{fdp.CodePage850, western},
	{fdp.Latin2, central},
	{fdp.Windows1254, "çğıöşüâîûÇĞİÖŞÜÂÎÛ"},
	{fdp.Windows1257, "āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ"},
	{fdp.CodePage852, central},
}

const (
	western = "áéíóúüñçàèìòùâêîôûäëïöõãßåøæœÁÉÍÓÚÜÑÇÀÈÌÒÙÂÊÎÔÛÄËÏÖÕÃÅØÆŒ"
	central = "čćžšđČĆŽŠĐáéíóúýěřůťďňÁÉÍÓÚÝĚŘŮŤĎŇąęłńśźżĄĘŁŃŚŹŻőűŐŰäöüÄÖÜßăâîșțşţĂÂÎŞŢ"
)

// languages are the letters beyond ASCII of one language each, in lower case, or of the West: of encodings in which as many bytes are letters, that counts
// whose letters are those of one language.
var languages = []string{western, "čćžšđ", "áčďéěíľĺňóôřŕšťúůýžä", "ąćęłńóśźż", "áéíóöőúüű", "ăâîșțşţ", "çğıöşüâîû", "ąčęėįšųūž", "āčēģīķļņšūž", "õäöüšž"}

// ofOneLanguage gives how many of the counted bytes are letters of the language that has most of them.
func (l *letterCounts) ofOneLanguage(encoding string) (most int64) {
	for _, language := range languages {
		found := int64(0)
		for b, n := range l.of {
			if r, ok := files.DecodeByte(encoding, byte(b)); ok && n > 0 && strings.ContainsRune(language, unicode.ToLower(r)) {
				found += n
			}
		}
		most = max(most, found)
	}
	return most
}

// encoding is how the characters of a file are written.
type encoding struct {
	name string // as a descriptor declares it
	why  string
}

// letterCounts counts the bytes beyond ASCII that stand next to a letter, where only a letter can.
type letterCounts struct {
	of           [256]int64
	latin        int64 // of these, those beside a letter of ASCII
	last, before byte

	line, lines []byte // the last line; those that have such bytes, as far as they are kept
}

// noBreak is a space in most encodings, which may stand beside a letter.
const noBreak = 0xa0

// mostLines is how many bytes of lines are kept.
const mostLines = 1 << 18

// take counts the byte before b, whose neighbours are known now.
func (l *letterCounts) take(b byte) {
	if l.last >= utf8.RuneSelf && (isLetter(l.before) || isLetter(b)) && (l.last != noBreak || isLetter(l.before) && isLetter(b)) {
		l.of[l.last]++
		if isLetter(l.before) && l.before < utf8.RuneSelf || isLetter(b) && b < utf8.RuneSelf {
			l.latin++
		}
	}
	if len(l.lines) < mostLines {
		l.keep(b)
	}
	l.before, l.last = l.last, b
}

// keep takes a byte of a line.
func (l *letterCounts) keep(b byte) {
	if l.line = append(l.line, b); b != '\n' && b != 0 && len(l.line) < mostLines {
		return
	}
	if slices.ContainsFunc(l.line, func(b byte) bool { return b >= utf8.RuneSelf }) {
		l.lines = append(l.lines, l.line...)
	}
	l.line = l.line[:0]
}

func isLetter(b byte) bool {
	return b >= utf8.RuneSelf || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// readEncoding reads a file to its end: it is UTF-8, or in the encoding in which most of its bytes beyond ASCII are letters.
func readEncoding(ctx context.Context, folder fs.FS, path, packed string, o load.Options) (encoding, error) {
	data, err := load.OpenBytes(ctx, folder, path, packed, o)
	if err != nil {
		return encoding{}, err
	}
	defer func() { _ = data.Close() }()
	var counts letterCounts
	in := bufio.NewReaderSize(data, 1<<16)
	start, _ := in.Peek(shownStart)
	if what := noText(start); what != "" {
		return encoding{}, refusal(path, 0, "the file is %s, no text: open it in the program that made it, and save its table as XLSX or CSV", what)
	}
	if wide, ok := inUTF16(start); ok {
		return wide, nil
	}
	var text utf8Text
	beyond := int64(0)
	for n := 0; ; n++ {
		if n%(1<<20) == 0 && ctx.Err() != nil {
			return encoding{}, ctx.Err()
		}
		b, err := in.ReadByte()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return encoding{}, fmt.Errorf("read %s: %w", path, err)
			}
			break
		}
		if b >= utf8.RuneSelf {
			beyond++
		}
		counts.take(b)
		text.take(b)
	}
	counts.take(0)
	switch {
	case beyond == 0:
		return encoding{fdp.UTF8, "all characters are ASCII"}, nil
	case text.ends():
		return encoding{fdp.UTF8, "all characters are UTF-8"}, nil
	}
	return counts.guess(path)
}

// marks are what files begin with that people take for tables, and are no text.
var marks = []struct{ mark, of string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old workbook (XLS)"},
	{"%PDF-", "a PDF"},
	{"PAR1", "a Parquet file"},
}

// shownStart is how much of a file shows what it is.
const shownStart = 4096

// inUTF16 tells whether a file is UTF-16 by its beginning: by its byte-order mark, or by the zeros of its marks and line ends.
func inUTF16(start []byte) (encoding, bool) {
	if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
		return encoding{fdp.UTF16, "it begins with the byte-order mark of UTF-16"}, true
	}
	var zeros [2]int // at even and odd places
	for i, b := range start {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch even, odd := zeros[0], zeros[1]; {
	case odd > 1 && odd > 4*even:
		return encoding{fdp.UTF16LE, "each second byte of its marks is zero"}, true
	case even > 1 && even > 4*odd:
		return encoding{fdp.UTF16BE, "each first byte of its marks is zero"}, true
	}
	return encoding{}, false
}

// noText says what a file is by its beginning; "" for text.
func noText(start []byte) string {
	for _, m := range marks {
		if strings.HasPrefix(string(start), m.mark) {
			return m.of
		}
	}
	return ""
}

// latinShare is which part of the characters beyond ASCII are letters beside others in a file of Latin script, of ten.
const latinShare = 6

// guess gives the encoding of Latin script in which most of the counted bytes are letters, the first of several; where they are not, as ñóììà has
// letters that no word has beside each other, that of another script.
func (l *letterCounts) guess(path string) (encoding, error) {
	best, most, all := "", int64(-1), int64(0)
	var alike []string
	for _, n := range l.of {
		all += n
	}
	for _, try := range letters {
		found, possible := int64(0), true
		for b, n := range l.of {
			r, ok := files.DecodeByte(try.encoding, byte(b))
			possible = possible && (ok || n == 0)
			if ok && strings.ContainsRune(try.of, r) {
				found += n
			}
		}
		switch isAlike := possible && found == most && all > 0 && l.differ(best, try.encoding); {
		case possible && found > most:
			best, most, alike = try.encoding, found, nil
		case isAlike && l.ofOneLanguage(try.encoding) > l.ofOneLanguage(best):
			best, alike = try.encoding, append(alike, best)
		case isAlike:
			alike = append(alike, try.encoding)
		}
	}
	if min(l.latin, most)*10 < all*latinShare {
		if other, ok := guessScript(l.lines); ok {
			return other, nil
		}
	}
	if best == "" {
		return encoding{}, refusal(path, 0, "the file is in none of the encodings that fiscube guesses: save it as UTF-8, or name its encoding with --encoding")
	}
	why := fmt.Sprintf("it is not UTF-8; %s of %s characters beyond ASCII are letters in %s", count(most), count(all), best)
	if len(alike) > 0 {
		why += ", and as many in " + listed(alike, "and") + ": look at the names"
	}
	return encoding{best, why}, nil
}

// differ tells whether two encodings make other letters of the counted bytes.
func (l *letterCounts) differ(one, other string) bool {
	for b, n := range l.of {
		first, _ := files.DecodeByte(one, byte(b))
		second, _ := files.DecodeByte(other, byte(b))
		if n > 0 && first != second {
			return true
		}
	}
	return false
}

// utf8Text tells whether bytes are UTF-8.
type utf8Text struct {
	rest   [utf8.UTFMax]byte // the start of a character
	length int
	bad    bool
}

func (t *utf8Text) take(b byte) {
	if t.bad || t.length == 0 && b < utf8.RuneSelf {
		return
	}
	t.rest[t.length] = b
	t.length++
	if !utf8.FullRune(t.rest[:t.length]) {
		return
	}
	r, size := utf8.DecodeRune(t.rest[:t.length])
	t.bad = r == utf8.RuneError && size == 1
	t.length = 0
}

// ends tells whether all that was taken is UTF-8.
func (t *utf8Text) ends() bool { return !t.bad && t.length == 0 }
