package files

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// published reads the bytes of a resource as published, that is after decompression and before decoding, and counts
// and hashes all of them on the way.
type published struct {
	ctx      context.Context // of the load: a long read ends when it does
	source   io.Reader
	whole    hash.Hash // of the file
	body     hash.Hash // of the file without its header line
	inBody   bool
	bytes    int64
	newlines int64
	last     byte
	row      rowLength
	binary   bool // it is no text, and has no lines
	decoded  bool // its lines are known when it is decoded: the byte of a line feed may be a part of a character
	read     func(p []byte)
}

// Read implements io.Reader. It gives the published bytes; what parsers read is the text.
func (f *published) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	before := f.newlines
	n, err := f.source.Read(p)
	f.take(p[:n])
	f.read(p[:n])
	if f.binary || f.decoded {
		return n, err
	}
	if bad := f.row.check(p[:n], before); bad != nil {
		return 0, bad
	}
	return n, err
}

func (f *published) take(p []byte) {
	if len(p) == 0 {
		return
	}
	f.bytes += int64(len(p))
	if !f.decoded {
		f.countLines(p)
	}
	f.whole.Write(p)
	if !f.inBody {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			return
		}
		f.inBody = true
		p = p[end+1:]
	}
	f.body.Write(p)
}

func (f *published) countLines(p []byte) {
	f.newlines += int64(bytes.Count(p, []byte{'\n'}))
	f.last = p[len(p)-1]
}

// takeText counts the lines of text that was decoded, and refuses a row that never ends.
func (f *published) takeText(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	before := f.newlines
	f.countLines(text)
	return f.row.check(text, before)
}

// lines counts the lines read so far, one that has not ended included.
func (f *published) lines() int64 {
	if f.bytes > 0 && f.last != '\n' {
		return f.newlines + 1
	}
	return f.newlines
}

func (f *published) hash() string { return hex.EncodeToString(f.whole.Sum(nil)) }

// hashCopy is the hash of the file without its header line.
func (f *published) hashCopy() string { return hex.EncodeToString(f.body.Sum(nil)) }

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
	return &Mistake{CodeRowTooLong, message, before + 1}
}

func oddQuotes(p []byte) bool { return bytes.Count(p, []byte{'"'})%2 == 1 }
