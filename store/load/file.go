package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// file reads the bytes of a resource as published, that is after decompression and before decoding, and counts
// and hashes all of them on the way. Parsers read its text.
type file struct {
	ctx      context.Context // of the load: a long read ends when it does
	source   io.Reader
	text     io.Reader    // the same in UTF-8, checked
	decoded  *decodedText // nil where the file is read as UTF-8
	marked   bool         // whether the text may begin with a byte-order mark
	whole    hash.Hash    // of the file
	body     hash.Hash    // of the file without its header line
	inBody   bool
	bytes    int64
	newlines int64
	last     byte
	row      rowLength
	read     func(n int)
}

// fileError is a mistake in a file.
type fileError struct {
	code, message string // of the finding that it becomes
	line          int64  // 0 where it has no line
}

// Error implements error.
func (e *fileError) Error() string { return e.message }

// newFile reads source, which is in the encoding declared; read is called with the number of bytes of each read.
func newFile(ctx context.Context, source io.Reader, encoding string, read func(n int)) *file {
	f := &file{ctx: ctx, source: source, whole: sha256.New(), body: sha256.New(), read: read}
	if page := newCodePage(encoding); page != nil {
		f.decoded = &decodedText{file: f, page: page, encoding: encoding, raw: make([]byte, 1<<16), plain: true}
		f.text = &sticky{reader: f.decoded}
		return f
	}
	f.text = &sticky{reader: &checkedText{file: f}}
	f.marked = true
	return f
}

// sticky ends with the same error for every reader after the first: a bufio.Reader that peeks forgets it.
type sticky struct {
	reader io.Reader
	err    error
}

// Read implements io.Reader.
func (s *sticky) Read(p []byte) (n int, err error) {
	if s.err != nil {
		return 0, s.err
	}
	n, s.err = s.reader.Read(p)
	return n, s.err
}

// buffered gives the reader for the CSV parser, without a byte-order mark.
func (f *file) buffered() *bufio.Reader {
	r := bufio.NewReaderSize(f.text, 1<<18)
	if mark, _ := r.Peek(3); f.marked && bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = r.Discard(3)
	}
	return r
}

// Read implements io.Reader. It gives the published bytes; what parsers read is the text.
func (f *file) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	before := f.newlines
	n, err := f.source.Read(p)
	f.take(p[:n])
	f.read(n)
	if bad := f.row.check(p[:n], before); bad != nil {
		return 0, bad
	}
	return n, err
}

func (f *file) take(p []byte) {
	if len(p) == 0 {
		return
	}
	f.bytes += int64(len(p))
	f.newlines += int64(bytes.Count(p, []byte{'\n'}))
	f.last = p[len(p)-1]
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

// lines counts the lines read so far, one that has not ended included.
func (f *file) lines() int64 {
	if f.bytes > 0 && f.last != '\n' {
		return f.newlines + 1
	}
	return f.newlines
}

// drain reads what the parser left, so that the hashes cover the whole file.
func (f *file) drain() error {
	_, err := io.Copy(io.Discard, f.text)
	return err
}

func (f *file) hash() string { return hex.EncodeToString(f.whole.Sum(nil)) }

// hashCopy is the hash of the file without its header line.
func (f *file) hashCopy() string { return hex.EncodeToString(f.body.Sum(nil)) }

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
