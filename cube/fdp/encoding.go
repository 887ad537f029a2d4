package fdp

import (
	"slices"
	"strings"
)

// The encodings of files that can be read.
const (
	UTF8        = "utf-8"
	Windows1250 = "windows-1250"
	Windows1252 = "windows-1252"
	CodePage850 = "cp850"
	Latin1      = "iso-8859-1"
	Latin2      = "iso-8859-2"
)

// encodings lists the spellings that publishers and their tools use, in lower case and without -, _ and spaces.
// ASCII is a part of UTF-8: tools that look at the first lines alone call UTF-8 files so.
var encodings = map[string]string{
	"": UTF8, "utf8": UTF8, "utf8sig": UTF8, "utf8bom": UTF8, "ascii": UTF8, "usascii": UTF8,
	"windows1250": Windows1250, "win1250": Windows1250, "cp1250": Windows1250, "xcp1250": Windows1250,
	"windows1252": Windows1252, "win1252": Windows1252, "cp1252": Windows1252, "xcp1252": Windows1252,
	"cp850": CodePage850, "ibm850": CodePage850, "850": CodePage850, "dos850": CodePage850,
	"pc850": CodePage850, "codepage850": CodePage850, "cspc850multilingual": CodePage850,
	"iso88591": Latin1, "latin1": Latin1, "l1": Latin1, "cp819": Latin1, "ibm819": Latin1, "csisolatin1": Latin1,
	"iso88592": Latin2, "latin2": Latin2, "l2": Latin2, "csisolatin2": Latin2,
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
