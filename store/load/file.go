package load

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"unicode/utf8"
)

// file reads the bytes of a resource, checking and hashing all of them on the way.
type file struct {
	ctx    context.Context // of the load: a long read ends when it does
	source io.Reader
	whole  hash.Hash // of the file
	body   hash.Hash // of the file without its header line
	inBody bool
	bytes  int64
	line   int64  // of the next byte
	rest   []byte // the start of a character cut by the last read
	read   func(n int)
}

// errBytes is a byte that no CSV cell can hold, and where it stands.
type errBytes struct {
	code, message string
	line          int64
}

// Error implements error.
func (e *errBytes) Error() string { return e.message }

func newFile(ctx context.Context, source io.Reader, read func(n int)) *file {
	return &file{ctx: ctx, source: source, whole: sha256.New(), body: sha256.New(), line: 1, read: read}
}

// buffered gives the reader for the CSV parser, without a byte-order mark.
func (f *file) buffered() *bufio.Reader {
	r := bufio.NewReaderSize(f, 1<<18)
	if mark, _ := r.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = r.Discard(3)
	}
	return r
}

// Read implements io.Reader.
func (f *file) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := f.source.Read(p)
	f.take(p[:n])
	if bad := f.check(p[:n]); bad != nil {
		return 0, bad
	}
	if errors.Is(err, io.EOF) && len(f.rest) > 0 {
		return n, f.notUTF8()
	}
	f.read(n)
	return n, err
}

func (f *file) take(p []byte) {
	f.bytes += int64(len(p))
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

// check finds the first character that is not UTF-8, or NUL, which no store can hold.
func (f *file) check(p []byte) error {
	if nul := bytes.IndexByte(p, 0); nul >= 0 {
		line := f.line + int64(bytes.Count(p[:nul], []byte{'\n'}))
		return &errBytes{CodeNulCharacter, "the file holds a NUL character", line}
	}
	if len(f.rest) > 0 {
		p = append(f.rest, p...)
	}
	whole := len(p) - incomplete(p)
	if !utf8.Valid(p[:whole]) {
		f.line += int64(bytes.Count(p[:validPrefix(p)], []byte{'\n'}))
		return f.notUTF8()
	}
	f.line += int64(bytes.Count(p[:whole], []byte{'\n'}))
	f.rest = append([]byte(nil), p[whole:]...)
	return nil
}

// validPrefix counts the bytes before the first that is not UTF-8.
func validPrefix(p []byte) int {
	valid := 0
	for valid < len(p) {
		r, size := utf8.DecodeRune(p[valid:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		valid += size
	}
	return valid
}

func (f *file) notUTF8() error {
	return &errBytes{CodeNotUTF8, "the file is not UTF-8", f.line}
}

// incomplete counts the bytes at the end of p that begin a character without ending it.
func incomplete(p []byte) int {
	for back := 1; back <= min(len(p), utf8.UTFMax-1); back++ {
		if start := p[len(p)-back:]; utf8.RuneStart(start[0]) {
			if !utf8.FullRune(start) {
				return back
			}
			return 0
		}
	}
	return 0
}

// drain reads what the parser left, so that the hashes cover the whole file.
func (f *file) drain() error {
	_, err := io.Copy(io.Discard, f)
	return err
}

func (f *file) hash() string     { return hex.EncodeToString(f.whole.Sum(nil)) }
func (f *file) hashCopy() string { return hex.EncodeToString(f.body.Sum(nil)) }
