package load

import (
	"bytes"
	"fmt"
)

// mostRow is how long a row may be: the longest real cell has 2,793 characters, and the parser holds a whole row.
const mostRow = 16 << 20

// rowLength refuses a row that never ends: a file without line ends, or with a quote that is never closed, would
// fill the memory.
type rowLength struct {
	quoted bool // the last byte read is inside quotes
	bytes  int  // since a row began, at least
}

// check reads on. Where the last line end of p is inside quotes, all of p counts to the row. Before is how many
// lines ended before p.
func (r *rowLength) check(p []byte, before int64) error {
	end := bytes.LastIndexByte(p, '\n')
	if end >= 0 && r.quoted == oddQuotes(p[:end]) {
		r.bytes = len(p) - end
	} else {
		r.bytes += len(p)
	}
	r.quoted = r.quoted != oddQuotes(p)
	if r.bytes <= mostRow {
		return nil
	}
	message := fmt.Sprintf("a row has more than %d MB: a line end or a quote is missing", mostRow>>20)
	return &fileError{CodeRowTooLong, message, before + 1}
}

func oddQuotes(p []byte) bool { return bytes.Count(p, []byte{'"'})%2 == 1 }
