package series

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"fiscube/cube"
)

// Write writes series of the same name as a file that Read reads.
func Write(list []cube.Series) []byte {
	var b bytes.Buffer
	first := list[0]
	fmt.Fprintf(&b, "# title: %s\n# source: %s\n# licence: %s\n# updated: %s\n", first.Title, first.Source, first.License, first.Updated)
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"country", "year", string(first.Unit)}) // a buffer takes everything
	for _, s := range list {
		for _, v := range s.Values {
			_ = w.Write([]string{s.Country, strconv.FormatInt(v.Year, 10), v.Value.String()})
		}
	}
	w.Flush()
	return b.Bytes()
}

// ByName groups series by their names, as files have them, in order.
func ByName(all []cube.Series) [][]cube.Series {
	var files [][]cube.Series
	for _, s := range all {
		if last := len(files) - 1; last >= 0 && files[last][0].Name == s.Name {
			files[last] = append(files[last], s)
		} else {
			files = append(files, []cube.Series{s})
		}
	}
	return files
}
