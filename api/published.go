package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
)

// PublishedFiles has files as they were published, by the SHA-256 of their bytes.
type PublishedFiles interface {
	// FilePart gives the bytes of a file from an offset on, as many as there are in a part. The error is not-kept where the file is not kept.
	FilePart(ctx context.Context, hash string, from int64) ([]byte, error)
}

// publishedFile gives a file as it was published: the bytes whose hash is told wherever the file is cited, which is the tag, too.
func (a *api) publishedFile(c echo.Context, cb *cube.Cube) error {
	name := request.Path(c, "resource")
	index, err := plan.ResourceOf(cb, name)
	if err != nil {
		return err
	}
	r := cb.Resources[index]
	sum, err := hex.DecodeString(r.Found.Hash)
	if a.files == nil || !cb.FilesKept || len(sum) == 0 || err != nil {
		return notKept(r)
	}
	file := &publishedReader{size: r.Found.Bytes, next: func(from int64) ([]byte, error) {
		return limits.Whole(c.Request().Context(), a.limiter, limits.TimingOf(c), 0, func(ctx context.Context) ([]byte, error) {
			return a.files.FilePart(ctx, r.Found.Hash, from)
		})
	}}
	if err := limits.HoldForFile(c.Request().Context(), heldOfFile); err != nil {
		return err
	}
	if err := file.begin(c.Request().Header.Get("Range")); cube.CodeOf(err) == cube.CodeNotKept {
		return notKept(r)
	} else if err != nil {
		return err
	}
	media, named := mediaOf(r)
	header := c.Response().Header()
	header.Set(reply.HeaderETag, `"`+r.Found.Hash+`"`)
	header.Set(reply.HeaderDigest, "sha-256=:"+base64.StdEncoding.EncodeToString(sum)+":")
	header.Set(echo.HeaderContentType, media)
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": named}))
	reply.AddLink(header, encode.FileLink(request.Base(c), cb, r), "canonical")
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, file)
	return file.err
}

// notKept is the error of a file whose bytes nobody has kept. Its rows are there under another name.
func notKept(r cube.Resource) error {
	hint := "fiscube load keeps the files of a package, unless it is told --keep-files no, and those of a package that an earlier release has loaded when it is loaded again"
	if r.LeftOut == "" {
		hint = "…/rows.csv has its rows, written anew; " + hint
	}
	return cube.Errorf(cube.CodeNotKept, "%q is not kept as it was published", r.Name).WithHint(hint)
}

// mediaOf tells what a file is, and how it was called. It was read unpacked, and that is how it is given.
func mediaOf(r cube.Resource) (media, name string) {
	at := r.Path
	if u, err := url.Parse(r.Path); err == nil && u.Scheme != "" {
		at = u.Path
	}
	name = path.Base(at)
	for _, packed := range []string{".gz", ".zip"} {
		if strings.HasSuffix(strings.ToLower(name), packed) {
			name = name[:len(name)-len(packed)]
		}
	}
	switch ending := strings.ToLower(path.Ext(name)); {
	case r.IsWorkbook():
		return encode.MediaXLSX, name
	case ending == ".tsv" || ending == ".tab":
		media = "text/tab-separated-values"
	default:
		media = encode.FormatCSV.Media
	}
	charset := cmp.Or(strings.ToLower(r.Encoding), "utf-8")
	return mime.FormatMediaType(media, map[string]string{"charset": charset}), name
}

// heldOfFile is how many bytes of a file are in memory while it is sent: a part, packed and unpacked.
const heldOfFile = 2 << 20

// publishedReader reads a file part by part, so that nothing is held at the store while its reader takes what it has.
type publishedReader struct {
	next     func(from int64) ([]byte, error)
	size, at int64
	part     []byte // the bytes from start on
	start    int64
	err      error // of the store
}

// begin reads the part that is sent first, so that what is wrong with it can be told.
func (f *publishedReader) begin(ranges string) error {
	var from int64
	if _, err := fmt.Sscanf(ranges, "bytes=%d-", &from); err != nil || from < 0 || from >= f.size {
		from = 0
	}
	if f.size > 0 {
		f.read(from)
	}
	err := f.err
	f.err = nil
	return err
}

func (f *publishedReader) read(from int64) {
	f.part, f.err = f.next(from)
	if f.start = from; f.err == nil && len(f.part) == 0 {
		f.err = cube.Errorf(cube.CodeDamaged, "a kept file ends after %d of %d bytes", from, f.size)
	}
}

// Read implements io.Reader.
func (f *publishedReader) Read(p []byte) (int, error) {
	if f.at >= f.size {
		return 0, io.EOF
	}
	if f.at < f.start || f.at >= f.start+int64(len(f.part)) {
		f.read(f.at)
	}
	if f.err != nil {
		return 0, f.err
	}
	n := copy(p, f.part[f.at-f.start:])
	f.at += int64(n)
	return n, nil
}

// Seek implements io.Seeker.
func (f *publishedReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("before the start of the file")
	}
	f.at = offset
	return offset, nil
}
