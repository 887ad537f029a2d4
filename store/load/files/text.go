package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"io"
)

// file is a published file as parsers read it.
type file struct {
	*published
	text    io.Reader    // in UTF-8, checked
	decoded *decodedText // nil where the file is read as UTF-8
	marked  bool         // whether the text may begin with a byte-order mark
}

// newFile reads source, which is in the encoding declared; read is called with the bytes of each read.
func newFile(ctx context.Context, source io.Reader, encoding string, read func(p []byte)) *file {
	f := &file{published: &published{ctx: ctx, source: source, whole: sha256.New(), body: sha256.New(), read: read}}
	if decoder := newDecoder(encoding); decoder != nil {
		_, several := decoder.(*multiByte)
		f.published.decoded, f.marked = several, several
		f.decoded = &decodedText{file: f.published, decoder: decoder, encoding: encoding, raw: make([]byte, 1<<16), plain: true}
		f.text = &sticky{reader: f.decoded}
		return f
	}
	f.text = &sticky{reader: &checkedText{file: f.published}}
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

// drain reads what the parser left, so that the hashes cover the whole file.
func (f *file) drain() error {
	_, err := io.Copy(io.Discard, f.text)
	return err
}
