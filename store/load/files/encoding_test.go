package files

import (
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"fiscube/cube"
)

// inEncodings are texts in the encodings of several bytes, and of others than Western Europe.
var inEncodings = map[string]struct {
	declared string
	encoder  encoding.Encoding
	cell     string
	broken   string // bytes that are no character in it; "" where each byte is one
}{
	"Ukraine":           {"windows-1251", charmap.Windows1251, "Освіта, їжа", "\x98"},
	"Greece":            {"cp1253", charmap.Windows1253, "Παιδεία", "\xd2"},
	"Turkey":            {"iso-8859-9", charmap.Windows1254, "Eğitim ışık", "\x81"},
	"Israel":            {"windows-1255", charmap.Windows1255, "חינוך", "\xd9"},
	"Egypt":             {"windows-1256", charmap.Windows1256, "التعليم", ""},
	"Latvia":            {"windows-1257", charmap.Windows1257, "Izglītība", "\x81"},
	"Hungary, DOS":      {"ibm852", charmap.CodePage852, "Művelődés", ""},
	"Russia, DOS":       {"cp866", charmap.CodePage866, "Образование ─", ""},
	"Serbia":            {"iso-8859-5", charmap.ISO8859_5, "Образовање", "\x90"},
	"Greece, ISO":       {"ISO-8859-7", charmap.ISO8859_7, "Παιδεία", "\xae"},
	"the euro":          {"latin9", charmap.ISO8859_15, "œuvre 5 €", "\x90"},
	"Russia, Unix":      {"koi8-r", charmap.KOI8R, "Образование", ""},
	"Ukraine, Unix":     {"koi8-u", charmap.KOI8U, "Освіта і їжа", ""},
	"Japan":             {"Shift_JIS", japanese.ShiftJIS, "歳入予算表 ソ能", "\x82,"},
	"Japan, Unix":       {"euc-jp", japanese.EUCJP, "歳入予算", "\xb0,"},
	"Taiwan":            {"big5", traditionalchinese.Big5, "歲入預算 功能", "\xa4,"},
	"China":             {"gbk", simplifiedchinese.GB18030, "教育支出 €㐀", "\xb0,"},
	"Korea":             {"cp949", korean.EUCKR, "세입예산", "\xb0,"},
	"UTF-16 with mark":  {"utf-16", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "Ċ Освіта 😀 ഊ", ""},
	"UTF-16LE":          {"utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "Ċ Освіта 😀 ഊ", "\x00\xdc"},
	"UTF-16BE, a mark":  {"utf-16be", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "Освіта", "\xdc\x00"},
	"UTF-16, of Excel":  {"unicode", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "Ċ Освіта", ""},
	"UTF-16, no mark":   {"utf-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "Ċ Освіта", ""},
	"Excel for Windows": {"ms932", japanese.ShiftJIS, "表ｱｲｳ", "\x82,"},
}

// Each text comes back as it was, in pieces of any length, with the size and the hash of the published bytes and its lines counted.
func TestEncodings_ComeBack(t *testing.T) {
	for name, test := range inEncodings {
		t.Run(name, func(t *testing.T) {
			want := "code,amount\n" + strings.Repeat("\""+test.cell+"\",1\n\n", 300)
			data, err := test.encoder.NewEncoder().String(want)
			if err != nil {
				t.Fatal(err)
			}
			for how, cut := range readers {
				f := newFile(t.Context(), cut(strings.NewReader(data)), test.declared, func([]byte) {})
				got, err := io.ReadAll(f.buffered())
				if got := strings.TrimPrefix(string(got), "\ufeff"); got != want || err != nil || f.lines() != 601 || f.bytes != int64(len(data)) || f.hash() != hexHash(data) {
					t.Errorf("%s: %d lines, %d bytes of %d: %v\n%.40q\nwant\n%.40q", how, f.lines(), f.bytes, len(data), err, got, want)
				}
			}
			rows, _, err := readFile(t, cube.Resource{Encoding: test.declared}, oneFile(data))
			if err != nil || len(rows) != 300 || rows[299] != "600: "+test.cell+"|1" {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}

// A byte that is no character is a mistake on its line, wherever the reads cut the text.
func TestEncodings_BrokenBytesHaveTheirLine(t *testing.T) {
	for name, test := range inEncodings {
		if test.broken == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			before, _ := test.encoder.NewEncoder().String("code,amount\n" + strings.Repeat(test.cell+",1\n", 99))
			after, _ := test.encoder.NewEncoder().String("x,1\n")
			for how, cut := range readers {
				f := newFile(t.Context(), cut(strings.NewReader(before+test.broken+after)), test.declared, func([]byte) {})
				_, err := io.ReadAll(f.text)
				var at *Mistake
				if !errors.As(err, &at) || at.Line != 101 || at.Code != CodeNotInEncoding {
					t.Errorf("%s: %v", how, err)
				}
			}
		})
	}
}

// A character that the end of the file cuts is none.
func TestEncodings_EndInACharacter(t *testing.T) {
	f := newFile(t.Context(), strings.NewReader("a\n\x8d"), "shift_jis", func([]byte) {})
	if text, err := io.ReadAll(f.text); string(text) != "a\n" && err == nil || !strings.Contains(mistakeText(err), "2: the byte 0x8d is no character in shift_jis") {
		t.Errorf("%q, %v", text, mistakeText(err))
	}
}
