package fdp

import (
	"slices"
	"strings"
)

// The encodings of files that can be read.
const (
	UTF8        = "utf-8"
	UTF16       = "utf-16" // with its byte-order mark, little-endian without one
	UTF16LE     = "utf-16le"
	UTF16BE     = "utf-16be"
	Windows1250 = "windows-1250"
	Windows1251 = "windows-1251"
	Windows1252 = "windows-1252"
	Windows1253 = "windows-1253"
	Windows1254 = "windows-1254"
	Windows1255 = "windows-1255"
	Windows1256 = "windows-1256"
	Windows1257 = "windows-1257"
	CodePage850 = "cp850"
	CodePage852 = "cp852"
	CodePage866 = "cp866"
	Latin1      = "iso-8859-1"
	Latin2      = "iso-8859-2"
	ISOCyrillic = "iso-8859-5"
	ISOGreek    = "iso-8859-7"
	Latin5      = "iso-8859-9"
	Latin9      = "iso-8859-15"
	KOI8R       = "koi8-r"
	KOI8U       = "koi8-u"
	ShiftJIS    = "shift_jis"
	EUCJP       = "euc-jp"
	Big5        = "big5"
	GB18030     = "gb18030" // GBK and GB 2312 are parts of it
	EUCKR       = "euc-kr"
)

// encodings lists the spellings that publishers and their tools use, in lower case and without -, _ and spaces.
// ASCII is a part of UTF-8: tools that look at the first lines alone call UTF-8 files so.
var encodings = spellings(map[string]string{
	UTF8:        "utf8sig utf8bom ascii usascii",
	UTF16:       "unicode ucs2 csunicode",
	UTF16LE:     "",
	UTF16BE:     "unicodefffe",
	Windows1250: "win1250 cp1250 xcp1250",
	Windows1251: "win1251 cp1251 xcp1251",
	Windows1252: "win1252 cp1252 xcp1252",
	Windows1253: "win1253 cp1253 xcp1253",
	Windows1254: "win1254 cp1254 xcp1254",
	Windows1255: "win1255 cp1255 xcp1255",
	Windows1256: "win1256 cp1256 xcp1256",
	Windows1257: "win1257 cp1257 xcp1257",
	CodePage850: "ibm850 850 dos850 pc850 codepage850 cspc850multilingual",
	CodePage852: "ibm852 852 dos852 codepage852 cspcp852",
	CodePage866: "ibm866 866 dos866 codepage866 csibm866",
	Latin1:      "latin1 l1 cp819 ibm819 csisolatin1",
	Latin2:      "latin2 l2 csisolatin2",
	ISOCyrillic: "cyrillic csisolatincyrillic",
	ISOGreek:    "greek greek8 csisolatingreek",
	Latin5:      "latin5 l5 csisolatin5",
	Latin9:      "latin9 l9 csisolatin9",
	KOI8R:       "koi8 koi cskoi8r",
	KOI8U:       "koi8ru",
	ShiftJIS:    "sjis cp932 ms932 mskanji windows31j xsjis csshiftjis",
	EUCJP:       "ujis xeucjp",
	Big5:        "big5hkscs cnbig5 cp950 xxbig5 csbig5",
	GB18030:     "gbk gb2312 cp936 ms936 euccn xgbk csgb2312",
	EUCKR:       "cp949 ms949 uhc ksc56011987 ksc5601 korean cseuckr",
})

// spellings gives the encoding of each spelling, its own name among them; nothing declared means UTF-8.
func spellings(of map[string]string) map[string]string {
	all := map[string]string{"": UTF8}
	for name, others := range of {
		all[withoutMarks.Replace(name)] = name
		for other := range strings.FieldsSeq(others) {
			all[other] = name
		}
	}
	return all
}

var withoutMarks = strings.NewReplacer("-", "", "_", "", " ", "")

// Encoding gives the name of a declared encoding in this package, in any spelling: real descriptors say
// utf_8 and utf-8. Nothing declared means UTF-8. It is false for an encoding that cannot be read.
func Encoding(declared string) (name string, ok bool) {
	name, ok = encodings[withoutMarks.Replace(strings.ToLower(declared))]
	return name, ok
}

// encodingNames lists the encodings for people.
func encodingNames() []string {
	var names []string
	for _, name := range encodings {
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
