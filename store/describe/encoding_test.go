package describe_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"fiscube/store/describe"
)

// inLanguages are the names of three offices.
var inLanguages = map[string][3]string{
	"Russian":    {"Образование и наука", "ЗДРАВООХРАНЕНИЕ", "Жилищное хозяйство, сумма"},
	"Ukrainian":  {"Освіта і культура", "Охорона здоров'я, їжа", "Житлово-комунальне господарство"},
	"Serbian":    {"Образовање и наука", "Здравство", "Комунална делатност"},
	"Greek":      {"Υπουργείο Παιδείας", "Υγεία και Πρόνοια", "Άλλα Έργα υποδομής"},
	"Hebrew":     {"משרד החינוך", "בריאות", "עבודות ציבוריות ותשתיות"},
	"budgets":    {"סעיף 20", "תחום 2001", "מקורי"},
	"Arabic":     {"وزارة التربية والتعليم", "الصحة العامة", "الأشغال العامة"},
	"Japanese":   {"教育費及び文化費", "健康センターの運営", "土木工事"},
	"simplified": {"教育支出", "医疗卫生与计划生育", "城乡社区事务"},
	"Chinese":    {"教育局預算", "衛生福利支出", "公共工程建設"},
	"Korean":     {"교육부 예산", "보건복지", "국토교통 사업"},
	"Turkish":    {"Eğitim ve çocuk", "Sağlık", "Ulaştırma ışık"},
	"Lithuanian": {"Švietimas ir mokslas", "Sveikatos apsauga, įstaigų", "Būsto ūkis"},
	"Hungarian":  {"Művelődésügy", "Egészségügy", "Gyűjtő út"},
	"Spanish":    {"Educación", "Salud pública", "Obras públicas y año"},
	"German":     {"Schulen für Große", "Gesundheit", "Öffentliche Bäder"},
	"French":     {"Éducation, élèves", "Santé", "Équipement intérieur"},
}

// Each file is in the encoding that is found, which its letters alone tell.
func TestRead_FindsTheEncodingByWhatTheLettersMake(t *testing.T) {
	for _, test := range []struct {
		language, want string
		encoder        encoding.Encoding
	}{
		{"Russian", "windows-1251", charmap.Windows1251},
		{"Ukrainian", "windows-1251", charmap.Windows1251},
		{"Serbian", "windows-1251", charmap.Windows1251},
		{"Russian", "koi8-u", charmap.KOI8R},
		{"Ukrainian", "koi8-u", charmap.KOI8U},
		{"Russian", "cp866", charmap.CodePage866},
		{"Serbian", "iso-8859-5", charmap.ISO8859_5},
		{"Ukrainian", "iso-8859-5", charmap.ISO8859_5},
		{"Greek", "windows-1253", charmap.Windows1253},
		{"Greek", "iso-8859-7", charmap.ISO8859_7},
		{"Hebrew", "windows-1255", charmap.Windows1255},
		{"budgets", "windows-1255", charmap.Windows1255},
		{"Arabic", "windows-1256", charmap.Windows1256},
		{"Japanese", "shift_jis", japanese.ShiftJIS},
		{"Japanese", "euc-jp", japanese.EUCJP},
		{"simplified", "gb18030", simplifiedchinese.GBK},
		{"Chinese", "big5", traditionalchinese.Big5},
		{"Korean", "euc-kr", korean.EUCKR},
		{"Turkish", "windows-1254", charmap.Windows1254},
		{"Lithuanian", "windows-1257", charmap.Windows1257},
		{"Hungarian", "cp852", charmap.CodePage852},
		{"Ukrainian", "utf-16", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
		{"Chinese", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
		{"Russian", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
		{"Spanish", "windows-1252", charmap.ISO8859_1},
		{"German", "windows-1252", charmap.Windows1252},
		{"French", "windows-1252", charmap.ISO8859_15},
		{"Spanish", "cp850", charmap.CodePage850},
	} {
		t.Run(test.language+" "+test.want, func(t *testing.T) {
			names := inLanguages[test.language]
			text := strings.NewReplacer("Educación", `"`+names[0]+`"`, "Salud", `"`+names[1]+`"`, "Obras públicas", `"`+names[2]+`"`).
				Replace(plain(";", func(n int) string { return fmt.Sprint(n + 1) }))
			data, err := test.encoder.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte(data)}}
			descriptor, overlay, err := describedFiles(t, files, describe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(overlay), "encoding "+test.want+" (") {
				t.Errorf("it is not in %s:\n%s", test.want, overlay[:600])
			}
			if model, total := modelAndTotal(t, files, descriptor, overlay); model != plainModel || total != "2022 210, 2023 610, 2024 1010" {
				t.Errorf("the model is\n%s\nand the totals are %s", model, total)
			}
		})
	}
}

// The two readings of a file in which only letters stand that both encodings have are said.
func TestRead_SaysWhichEncodingIsNearlyAsLikely(t *testing.T) {
	data, _ := charmap.Windows1254.NewEncoder().String("year;office;amount\n2024;Işık;1.5\n2024;Şafak;2.5\n")
	files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte(data)}}
	_, overlay, err := describedFiles(t, files, describe.Options{})
	if text := strings.Join(strings.Fields(strings.ReplaceAll(string(overlay), "\n#", " ")), " "); err != nil || !strings.Contains(text, "as many in windows-1250: look at the names") {
		t.Errorf("%v\n%s", err, overlay)
	}
}
