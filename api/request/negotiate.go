package request

import (
	"cmp"
	"mime"
	"strconv"
	"strings"

	"fiscube/api/encode"
	"fiscube/cube"
)

// Writing reads the parameters that say how to write an answer, and of the headers Accept.
func Writing(given map[string]string, accept []string) (encode.Writing, error) {
	format, badFormat := readFormat(given, accept)
	quoted, badNumbers := Quoted(given)
	excel, badExcel := Flag(given, "excel")
	err := cmp.Or(badFormat, badNumbers, badExcel)
	if err == nil && excel && format != encode.FormatCSV {
		err = Mistake(cube.CodeBadValue, "excel", "excel says how CSV is written, and the answer is "+format.Name, "add format=csv")
	}
	return encode.Writing{Format: format, Quoted: quoted, Excel: excel}, err
}

// readFormat gives the format that the parameter says, or else the header Accept.
func readFormat(given map[string]string, accept []string) (*encode.Format, error) {
	text, ok := given["format"]
	if !ok {
		return preferred(accept), nil
	}
	var names []string
	for _, f := range encode.Formats {
		if f.Name == text {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return encode.FormatJSON, Mistake(cube.CodeBadValue, "format", "no format "+strconv.Quote(text), "the formats are "+strings.Join(names, ", "))
}

// preferred weighs the formats by the most exact range that admits each. Of those that weigh the same one that is
// named wins, and JSON where none is: what a browser sends means JSON.
func preferred(accept []string) *encode.Format {
	best, most := encode.FormatJSON, preference{}
	for _, f := range encode.Formats {
		p := preferenceOf(f, accept)
		if p.weight > most.weight || p.weight == most.weight && p.weight > 0 && p.named() && !most.named() {
			best, most = f, p
		}
	}
	return best
}

// preference is how much a format is wanted, from 0 to 1, and how exactly that was said: 3 by its name.
type preference struct {
	weight float64
	exact  int
}

func (p preference) named() bool { return p.exact == 3 }

func preferenceOf(f *encode.Format, accept []string) preference {
	var p preference
	kind, _, _ := strings.Cut(f.Media, "/")
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, parameters, err := mime.ParseMediaType(strings.TrimSpace(item))
		if err == nil {
			p.weigh(media, parameters["q"], f.Media, kind+"/*", "*/*")
		}
	}
	return p
}

// weigh takes up a range of the header if it is one of the names, the exact one first, that admit the format.
func (p *preference) weigh(media, q string, names ...string) {
	for i, name := range names {
		if media != name || len(names)-i <= p.exact {
			continue
		}
		*p = preference{weight: 1, exact: len(names) - i}
		if weight, err := strconv.ParseFloat(q, 64); err == nil {
			p.weight = weight
		}
	}
}

// Quoted tells whether amounts are asked for as strings.
func Quoted(given map[string]string) (bool, error) {
	text, ok := given["numbers"]
	if ok && text != "string" {
		return false, Mistake(cube.CodeBadValue, "numbers", "numbers is "+strconv.Quote(text), "the only choice is string")
	}
	return ok, nil
}
