package load

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"fiscube/cube/fdp"
)

// CodeBadCompression is the finding of a compressed file that cannot be unpacked, or unpacks to far more than
// any published table does.
const CodeBadCompression = "bad-compression"

// mostRatio is how many bytes one compressed byte may unpack to. Real tables reach 25, and 100 where most of
// their rows are blank; what is made to fill a disk reaches 1,000. The first looseBytes are not judged.
const (
	mostRatio  = 250
	looseBytes = 32 << 20
)

// isGzip says by its path or URL whether a file is compressed.
func isGzip(path string) bool {
	if fdp.IsURL(path) {
		path = path[:strings.IndexAny(path+"?", "?#")]
	}
	return strings.HasSuffix(strings.ToLower(path), ".gz")
}

// packed reads a file compressed by gzip, counting and hashing what it was compressed to.
type packed struct {
	source io.Reader
	err    error // of the source, other than its end
	sum    hash.Hash
	bytes  int64
	unzip  *gzip.Reader
	text   int64 // bytes unpacked
	most   int64 // bytes that may be
}

func newPacked(source io.Reader, most int64) *packed {
	return &packed{source: source, sum: sha256.New(), most: most}
}

// Read implements io.Reader. It gives the unpacked bytes.
func (p *packed) Read(text []byte) (int, error) {
	var err error
	if p.unzip == nil {
		if p.unzip, err = gzip.NewReader(packedBytes{p}); err != nil {
			return 0, p.reason(err)
		}
	}
	n, err := p.unzip.Read(text)
	p.text += int64(n)
	if p.text > p.most || p.text > looseBytes+mostRatio*p.bytes {
		return 0, &fileError{code: CodeBadCompression, message: fmt.Sprintf("it unpacks to over %d bytes, too many for its size", p.text)}
	}
	return n, p.reason(err)
}

// reason distinguishes a broken file from a source that cannot be read.
func (p *packed) reason(err error) error {
	switch {
	case err == nil || errors.Is(err, io.EOF) && p.unzip != nil:
		return err
	case p.err != nil:
		return p.err
	}
	return &fileError{code: CodeBadCompression, message: fmt.Sprintf("it cannot be unpacked: %v", err)}
}

func (p *packed) hash() string { return hex.EncodeToString(p.sum.Sum(nil)) }

// packedBytes reads the compressed bytes of a file.
type packedBytes struct{ *packed }

// Read implements io.Reader.
func (p packedBytes) Read(data []byte) (int, error) {
	n, err := p.source.Read(data)
	p.bytes += int64(n)
	p.sum.Write(data[:n])
	if err != nil && !errors.Is(err, io.EOF) {
		p.err = err
	}
	return n, err
}
