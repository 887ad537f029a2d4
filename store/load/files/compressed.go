package files

import (
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"fiscube/cube"
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
		return 0, &Mistake{Code: CodeBadCompression, Message: fmt.Sprintf("it unpacks to over %d bytes, too many for its size", p.text)}
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
	return &Mistake{Code: CodeBadCompression, Message: fmt.Sprintf("it cannot be unpacked: %v", err)}
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

// What a zip may be at most. Its directory is read whole, so it is bounded before its entries are counted.
const (
	mostZipEntries   = 20_000
	mostZipDirectory = 16 << 20
)

// archive gives the files of a zip. Nothing is unpacked to disk: they are read out of it. Zips in it are files
// like any other.
type archive struct {
	entries map[string]*zip.File // by their clean paths
	top     string               // the folder that holds the descriptor, with its slash; "" for the root
}

// openZip reads the directory of a zip that holds a descriptor of that name.
func openZip(data io.ReaderAt, size, most int64, descriptor string) (*archive, error) {
	a, err := readZip(data, size, most)
	if err != nil {
		return nil, err
	}
	return a, a.findTop(descriptor)
}

// readZip reads the directory of a zip and refuses one that is made to harm.
func readZip(data io.ReaderAt, size, most int64) (*archive, error) {
	directory := &bounded{data: data, left: mostZipDirectory}
	reader, err := zip.NewReader(directory, size)
	if err != nil {
		return nil, badZip("it cannot be read: %v", err)
	}
	directory.left = -1
	a := &archive{entries: map[string]*zip.File{}}
	if len(reader.File) > mostZipEntries {
		return nil, badZip("it holds %d files; at most %d are read", len(reader.File), mostZipEntries)
	}
	for _, entry := range reader.File {
		if err := a.add(entry); err != nil {
			return nil, err
		}
	}
	return a, a.checkSize(size, most)
}

func badZip(format string, args ...any) error {
	return cube.Errorf(cube.CodeBadPackage, "the zip is refused: "+format, args...)
}

// bounded reads a zip; at most so many bytes while its directory is read, then without bound.
type bounded struct {
	data io.ReaderAt
	left int64 // -1 for no bound
}

// ReadAt implements io.ReaderAt.
func (b *bounded) ReadAt(p []byte, at int64) (int, error) {
	if b.left >= 0 {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, errors.New("its directory is too large")
		}
	}
	return b.data.ReadAt(p, at)
}

// add notes an entry. Folders need none: a file is named by its whole path.
func (a *archive) add(entry *zip.File) error {
	name := entry.Name
	rooted := strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':'
	switch {
	case rooted || strings.ContainsAny(name, "\\\x00"):
		return badZip("its entry %q is no path in it", name)
	case slices.Contains(strings.Split(name, "/"), ".."):
		return badZip("its entry %q leads out of a folder by ..", name)
	case !entry.Mode().IsRegular():
		return nil
	case entry.Flags&1 != 0:
		return badZip("its entry %q is encrypted", name)
	}
	clean := path.Clean(name)
	if _, twice := a.entries[clean]; twice {
		return badZip("two entries are named %q", clean)
	}
	a.entries[clean] = entry
	return nil
}

// checkSize compares what the entries say they unpack to with what they are packed in. That they do not unpack
// to more is checked when they are read.
func (a *archive) checkSize(size, most int64) error {
	var total uint64
	for name, entry := range a.entries {
		unpacked := entry.UncompressedSize64
		if unpacked > looseBytes && unpacked/mostRatio > entry.CompressedSize64 {
			return badZip("its entry %q unpacks to %d bytes, too many for its size", name, unpacked)
		}
		if total += unpacked; unpacked > uint64(most) || total > uint64(most) {
			return badZip("it unpacks to more than %d bytes", most)
		}
	}
	if total > looseBytes && total/mostRatio > uint64(size) {
		return badZip("it unpacks to %d bytes, too many for its size", total)
	}
	return nil
}

// findTop finds the descriptor in the fewest folders: people zip the folders around a package, too.
func (a *archive) findTop(descriptor string) error {
	depth, several := -1, false
	for name := range a.entries {
		folder, file := path.Split(name)
		switch deep := strings.Count(folder, "/"); {
		case file != descriptor || depth >= 0 && deep > depth:
		case deep == depth:
			several = true
		default:
			a.top, depth, several = folder, deep, false
		}
	}
	switch {
	case depth < 0:
		return badZip("it holds no %s", descriptor)
	case several:
		return badZip("several of its folders hold %s", descriptor)
	}
	return nil
}

// Open implements fs.FS.
func (a *archive) Open(name string) (fs.File, error) {
	entry, ok := a.entries[a.top+name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data, err := entry.Open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &zipped{data, entry}, nil
}

// zipped is an open file of a zip.
type zipped struct {
	io.ReadCloser
	entry *zip.File
}

// Stat implements fs.File.
func (z *zipped) Stat() (fs.FileInfo, error) { return z.entry.FileInfo(), nil }

// Read implements fs.File. An entry ends with an error where it unpacks to more than it says; archive/zip sees
// to that.
func (z *zipped) Read(p []byte) (int, error) {
	n, err := z.ReadCloser.Read(p)
	if isCorrupt(err) {
		return n, &Mistake{Code: CodeBadCompression, Message: fmt.Sprintf("it cannot be unpacked: %v", err)}
	}
	return n, err
}

// isCorrupt distinguishes an error of the zip's content from one of the disk.
func isCorrupt(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt)
}

// unzipped gives the one file of a zip that is a resource (Data Package: compression).
func unzipped(data io.ReadCloser, most int64) (io.ReadCloser, error) {
	defer func() { _ = data.Close() }()
	a, spool, err := spoolZip(data, most)
	switch {
	case err != nil:
		return nil, err
	case len(a.entries) != 1:
		err = &Mistake{Code: CodeBadCompression, Message: fmt.Sprintf("it holds %d files: a resource that is a zip has one", len(a.entries))}
	default:
		for name := range a.entries {
			file, failed := a.Open(name)
			if err = failed; err == nil {
				return spooled{file, spool}, nil
			}
		}
	}
	_ = spool.Close()
	return nil, err
}

// spoolZip keeps a zip in a temporary file, since it is read from its end, and reads its directory.
func spoolZip(data io.Reader, most int64) (*archive, io.Closer, error) {
	spool, err := os.CreateTemp("", "fiscube-*.zip")
	if err != nil {
		return nil, nil, err
	}
	_ = os.Remove(spool.Name()) // it is gone when it is closed
	size, err := io.Copy(spool, io.LimitReader(data, most+1))
	var a *archive
	if err == nil {
		a, err = readZip(spool, size, most)
	}
	if err != nil {
		_ = spool.Close()
		return nil, nil, err
	}
	return a, spool, nil
}

// spooled is a file of a spooled zip.
type spooled struct {
	fs.File
	spool io.Closer
}

// Close implements io.Closer.
func (s spooled) Close() error { return errors.Join(s.File.Close(), s.spool.Close()) }
