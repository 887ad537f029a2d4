package load

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// folder gives the files of a package, wherever they are.
type folder struct {
	files   fs.FS    // of a folder or zip; nil for a package at a URL
	base    *url.URL // of a package at a URL: where its descriptor is
	fetcher *fetcher
	most    int64 // bytes that a compressed file may unpack to
}

// open opens the file at a path as a descriptor names it. The error is fs.ErrNotExist where there is none.
func (f *folder) open(ctx context.Context, path string) (io.ReadCloser, error) {
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

func (f *folder) locate(path string) (*url.URL, error) {
	if fdp.IsURL(path) {
		return url.Parse(path)
	}
	return f.base.ResolveReference(&url.URL{Path: path}), nil
}

// published gives the URL of the file at a path, or "" for a package that was not read from one.
func (f *folder) published(path string) string {
	if f.base == nil && !fdp.IsURL(path) {
		return ""
	}
	at, err := f.locate(path)
	if err != nil {
		return "" // reading it will say so
	}
	return at.String()
}

// openResource opens the file of a resource, or its compressed form where there is no other. Found is the path of
// what was opened.
func (f *folder) openResource(ctx context.Context, path string) (data io.ReadCloser, found string, err error) {
	data, err = f.open(ctx, path)
	if !errors.Is(err, fs.ErrNotExist) || isGzip(path) || fdp.IsURL(path) {
		return data, path, err
	}
	if packed, second := f.open(ctx, path+".gz"); second == nil {
		return packed, path + ".gz", nil
	}
	return nil, path, err
}

// OpenBytes opens a file of a folder as published, unpacked where it is compressed: before anything is known of its encoding.
func OpenBytes(ctx context.Context, files fs.FS, path string, o Options) (io.ReadCloser, error) {
	f := &folder{files: files, most: o.withDefaults().MaxBytes}
	data, err := f.open(ctx, path)
	if err != nil {
		return nil, cannotRead(path, err)
	}
	if !isGzip(path) {
		return data, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{newPacked(data, f.most), data}, nil
}

// readSmall reads a file that is kept in memory, such as the descriptor.
func (f *folder) readSmall(ctx context.Context, path string, most int64) ([]byte, error) {
	data, err := f.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = data.Close() }()
	return readSmall(data, path, most)
}

func readSmall(data io.Reader, name string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(data, most+1))
	if err != nil {
		return nil, cannotRead(name, err)
	}
	if int64(len(text)) > most {
		return nil, cube.Errorf(cube.CodeBadPackage, "%s has more than %d bytes, the most that are read of it", name, most)
	}
	return text, nil
}
