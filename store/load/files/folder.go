package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// Folder gives the files of a package, wherever they are.
type Folder struct {
	files   fs.FS    // of a folder or zip; nil for a package at a URL
	base    *url.URL // of a package at a URL: where its descriptor is
	fetcher *fetcher
	most    int64 // bytes that a compressed file may unpack to
}

// New makes a folder that gives no files until it is told where they are.
func New(l Limits) *Folder { return &Folder{fetcher: newFetcher(l), most: l.Unpacked} }

// Close removes what was fetched.
func (f *Folder) Close() error { return f.fetcher.Close() }

// Use gives the files of a folder.
func (f *Folder) Use(files fs.FS) { f.files = files }

// UseZip gives the files of a zip that holds a descriptor of that name.
func (f *Folder) UseZip(data io.ReaderAt, size int64, descriptor string) error {
	files, err := openZip(data, size, f.most, descriptor)
	if err != nil {
		return err
	}
	f.files = files
	return nil
}

// UseURL gives the files beside the one at a URL.
func (f *Folder) UseURL(at *url.URL) { f.base = at }

// Fetch gives the file at a URL, and where it was in the end, after redirects.
func (f *Folder) Fetch(ctx context.Context, at *url.URL) (text *io.SectionReader, from *url.URL, err error) {
	fetched, err := f.fetcher.get(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	return fetched.text.Whole(), fetched.from, nil
}

// HasFiles tells whether the files are in a folder or zip.
func (f *Folder) HasFiles() bool { return f.files != nil }

// open opens the file at a path as a descriptor names it. The error is fs.ErrNotExist where there is none.
func (f *Folder) open(ctx context.Context, path string) (io.ReadCloser, error) {
	if f.files != nil && !fdp.IsURL(path) {
		file, err := f.files.Open(path)
		if err != nil {
			return nil, err
		}
		if info, err := file.Stat(); err == nil && info.IsDir() {
			return nil, errors.Join(&fs.PathError{Op: "open", Path: path, Err: errors.New("it is a folder")}, file.Close())
		}
		return file, nil
	}
	at, err := f.locate(path)
	if err != nil {
		return nil, err
	}
	file, err := f.fetcher.get(ctx, at)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(file.text.Whole()), nil
}

func (f *Folder) locate(path string) (*url.URL, error) {
	if fdp.IsURL(path) {
		return url.Parse(path)
	}
	return f.base.ResolveReference(&url.URL{Path: path}), nil
}

// Published gives the URL of the file at a path, or "" for a package that was not read from one.
func (f *Folder) Published(path string) string {
	if f.base == nil && !fdp.IsURL(path) {
		return ""
	}
	at, err := f.locate(path)
	if err != nil {
		return "" // reading it will say so
	}
	return at.String()
}

// OpenResource opens the file of a resource, or its compressed form where there is no other. Found is the path of
// what was opened.
func (f *Folder) OpenResource(ctx context.Context, path string) (data io.ReadCloser, found string, err error) {
	data, err = f.open(ctx, path)
	if !errors.Is(err, fs.ErrNotExist) || isGzip(path) || fdp.IsURL(path) {
		return data, path, err
	}
	if packed, second := f.open(ctx, path+".gz"); second == nil {
		return packed, path + ".gz", nil
	}
	return nil, path, err
}

// OpenBytes opens a file as published, unpacked where it is compressed: as its name says, or as packed does, which is gz, zip or "".
func (f *Folder) OpenBytes(ctx context.Context, path, packed string) (io.ReadCloser, error) {
	data, err := f.open(ctx, path)
	if err != nil {
		return nil, CannotRead(path, err)
	}
	switch {
	case packed == "zip":
		data, err = unzipped(data, f.most)
		return data, err
	case packed != "gz" && !isGzip(path):
		return data, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{newPacked(data, f.most), data}, nil
}

// Matching lists the files of a folder or zip whose paths match a pattern. Those beside a URL cannot be listed.
func (f *Folder) Matching(pattern string) ([]string, error) {
	if f.files == nil {
		return nil, nil
	}
	paths, err := fs.Glob(f.files, pattern)
	if err != nil {
		return nil, CannotRead(pattern, err)
	}
	return paths, nil
}

// ReadSmall reads a file that is kept in memory, such as the descriptor.
func (f *Folder) ReadSmall(ctx context.Context, path string, most int64) ([]byte, error) {
	data, err := f.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = data.Close() }()
	return ReadSmall(data, path, most)
}

// ReadSmall reads all of a file that is kept in memory, of which a mistake has the name.
func ReadSmall(data io.Reader, name string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(data, most+1))
	if err != nil {
		return nil, CannotRead(name, err)
	}
	if int64(len(text)) > most {
		return nil, cube.Errorf(cube.CodeBadPackage, "%s has more than %d bytes, the most that are read of it", name, most)
	}
	return text, nil
}

// CannotRead is the error of a file without which there is no package. An error that says more is kept.
func CannotRead(name string, err error) error {
	var said *cube.Error
	if errors.As(err, &said) || errors.Is(err, context.Canceled) {
		return err
	}
	return cube.Wrap(cube.CodeBadPackage, fmt.Sprintf("%s cannot be read: %v", name, reason(err)), err)
}

// reason is what went wrong with a file, without the path, which the message names already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// IsZip says by the first bytes whether data is a zip that holds a file.
func IsZip(data io.ReaderAt) bool {
	start := make([]byte, 4)
	_, err := data.ReadAt(start, 0)
	return err == nil && string(start) == "PK\x03\x04"
}
