package describe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"fiscube/cube/fdp"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// letters are those of the languages whose files come in an encoding, in the order in which they are tried. Files in others are
// read too if their encoding is declared.
var letters = []struct{ encoding, of string }{
	{fdp.Windows1252, "áéíóúüñçàèìòùâêîôûäëïöõãßåøÁÉÍÓÚÜÑÇÀÈÌÒÙÂÊÎÔÛÄËÏÖÕÃÅØ"},
	{fdp.Windows1250, "čćžšđČĆŽŠĐáéíóúýěřůťďňÁÉÍÓÚÝĚŘŮŤĎŇąęłńśźżĄĘŁŃŚŹŻőűŐŰäöüÄÖÜßăâîșțşţĂÂÎŞŢ"},
	{fdp.CodePage850, "áéíóúüñçàèìòùâêîôûäëïöõãßåøÁÉÍÓÚÜÑÇÀÈÌÒÙÂÊÎÔÛÄËÏÖÕÃÅØ"},
	{fdp.Latin2, "čćžšđČĆŽŠĐáéíóúýěřůťďňÁÉÍÓÚÝĚŘŮŤĎŇąęłńśźżĄĘŁŃŚŹŻőűŐŰäöüÄÖÜßăâîşţĂÂÎŞŢ"},
}

// encoding is how the characters of a file are written.
type encoding struct {
	name string // as a descriptor declares it
	why  string
}

// letterCounts counts the bytes beyond ASCII that stand next to a letter, where only a letter can.
type letterCounts struct {
	of           [256]int64
	last, before byte
}

// take counts the byte before b, whose neighbours are known now.
func (l *letterCounts) take(b byte) {
	if l.last >= utf8.RuneSelf && (isLetter(l.before) || isLetter(b)) {
		l.of[l.last]++
	}
	l.before, l.last = l.last, b
}

func isLetter(b byte) bool {
	return b >= utf8.RuneSelf || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// readEncoding reads a file to its end: it is UTF-8, or in the encoding in which most of its bytes beyond ASCII are letters.
func readEncoding(ctx context.Context, folder fs.FS, path string, o load.Options) (encoding, error) {
	data, err := load.OpenBytes(ctx, folder, path, o)
	if err != nil {
		return encoding{}, err
	}
	defer func() { _ = data.Close() }()
	var counts letterCounts
	in := bufio.NewReaderSize(data, 1<<16)
	start, _ := in.Peek(longestMark)
	if what := noText(start); what != "" {
		return encoding{}, refusal(path, 0, "the file is %s, no text: open it in the program that made it, and save its table as CSV", what)
	}
	if files.IsUTF16(start) {
		return encoding{}, refusal(path, 1, "the file is UTF-16, which fiscube does not read: save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8")
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
	{"PK\x03\x04", "a workbook (XLSX or ODS) or another zip"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old workbook (XLS)"},
	{"%PDF-", "a PDF"},
	{"PAR1", "a Parquet file"},
}

// longestMark is the length of the longest of marks.
const longestMark = 8

// noText says what a file is by its beginning; "" for text.
func noText(start []byte) string {
	for _, m := range marks {
		if strings.HasPrefix(string(start), m.mark) {
			return m.of
		}
	}
	return ""
}

// guess gives the encoding in which most of the counted bytes are letters, the first of several.
func (l *letterCounts) guess(path string) (encoding, error) {
	best, most, all := "", int64(-1), int64(0)
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
		if possible && found > most {
			best, most = try.encoding, found
		}
	}
	if best == "" {
		return encoding{}, refusal(path, 0, "the file is in none of the encodings that fiscube guesses: save it as UTF-8, or name its encoding with --encoding")
	}
	return encoding{best, fmt.Sprintf("it is not UTF-8; %s of %s characters beyond ASCII are letters in %s", count(most), count(all), best)}, nil
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
