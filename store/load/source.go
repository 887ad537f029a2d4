package load

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/series"
	"fiscube/internal/each"
	"fiscube/store/load/files"
)

// Source is a package to load: its descriptor, and the files its paths name. A resource whose file is not
// there, where that is allowed, says so in its LeftOut.
type Source struct {
	Package *cube.Package
	within  string       // the descriptor's name where the package's path names what holds it; "" where that is the descriptor's own
	overlay *fdp.Overlay // that was applied; nil without one
	made    []byte       // the text of an overlay that is not among the files; nil for none
	options Options
	files   *files.Folder
	close   []func() error
}

// OpenWith reads the descriptor of the package at path: a folder or zip that holds datapackage.json, such a
// file itself, or the http or https URL of a zip or descriptor. A zip may hold the package in a folder. Files
// outside the package's folder cannot be reached through the source, neither by .. nor by links. What is
// fetched lies in temporary files until Close.
func OpenWith(ctx context.Context, path string, o Options) (*Source, error) {
	if files.IsRemote(path) {
		path = files.EscapeSpaces.Replace(path)
	}
	return open(ctx, path, o, func(s *Source) ([]byte, error) { return s.find(ctx, path) })
}

// OpenFS reads the descriptor of the package that files hold.
func OpenFS(ctx context.Context, files fs.FS, o Options) (*Source, error) {
	return open(ctx, "", o, func(s *Source) ([]byte, error) {
		s.files.Use(files)
		return s.descriptor(ctx, DescriptorName)
	})
}

// OpenMade reads a package whose descriptor and overlay were made for the files, and are not among them. The overlay may be nil.
func OpenMade(ctx context.Context, files fs.FS, descriptor, overlay []byte, o Options) (*Source, error) {
	return open(ctx, "", o, func(s *Source) ([]byte, error) {
		s.files.Use(files)
		s.made = overlay
		return descriptor, nil
	})
}

// OpenBytes opens a file of a folder as published, unpacked where it is compressed: before anything is known of its encoding.
func OpenBytes(ctx context.Context, folder fs.FS, path, packed string, o Options) (io.ReadCloser, error) {
	all := files.New(o.withDefaults().limits())
	all.Use(folder)
	return all.OpenBytes(ctx, path, packed)
}

// PackingOf says how the table stands in a file of a folder.
func PackingOf(ctx context.Context, folder fs.FS, path string, o Options) (files.Packing, error) {
	all := files.New(o.withDefaults().limits())
	all.Use(folder)
	return all.PackingOf(ctx, path)
}

// OpenTable opens a file of a folder as a table, before anything is known of its columns.
func OpenTable(ctx context.Context, folder fs.FS, r *cube.Resource, o Options) (*files.Table, error) {
	all := files.New(o.withDefaults().limits())
	all.Use(folder)
	return files.OpenTable(ctx, all, r, func([]byte) {})
}

// OpenTables gives the tables of a zip that holds no descriptor, under the rules for a zip of a package.
func OpenTables(data io.ReaderAt, size int64, o Options) (folder fs.FS, paths []string, err error) {
	return files.Tables(data, size, o.withDefaults().MaxBytes, DescriptorName)
}

// OpenZip reads the descriptor of the package in a zip that was sent, under the rules for a zip that is found.
// The data are only read until the source is closed.
func OpenZip(ctx context.Context, data io.ReaderAt, size int64, o Options) (*Source, error) {
	return open(ctx, "", o, func(s *Source) ([]byte, error) {
		if !files.IsZip(data) {
			return nil, cube.Errorf(cube.CodeBadPackage, "what was sent is no zip that holds files")
		}
		if err := s.files.UseZip(data, size, DescriptorName); err != nil {
			return nil, err
		}
		return s.descriptor(ctx, DescriptorName)
	})
}

// Fetch gives the file at an address, of so many bytes at most, under the rules for a package that is found there, and its name.
func Fetch(ctx context.Context, address string, most int64, o Options) (data io.ReadCloser, name string, err error) {
	o = o.withDefaults()
	o.MaxDownload = min(most, o.MaxDownload)
	address = files.EscapeSpaces.Replace(strings.TrimSpace(address))
	at, err := url.Parse(address)
	if err != nil {
		return nil, "", cube.Wrap(cube.CodeBadPackage, address+" is no URL", err)
	}
	all := files.New(o.limits())
	text, from, err := all.Fetch(ctx, at)
	if err == nil && isPage(text) {
		err = errors.New("it is a page of a site, and no file; copy the address of its link to the file")
	}
	if err != nil {
		return nil, "", errors.Join(files.CannotRead(address, err), all.Close())
	}
	if name = path.Base(at.Path); !files.IsTable(name) && path.Ext(from.Path) != "" {
		name = path.Base(from.Path)
	}
	return struct {
		io.Reader
		io.Closer
	}{text, all}, name, nil
}

// isPage tells by its beginning whether a file is an HTML page.
func isPage(file io.ReaderAt) bool {
	start, _ := io.ReadAll(io.NewSectionReader(file, 0, 512))
	return strings.HasPrefix(http.DetectContentType(start), "text/html")
}

// open reads the descriptor that is found in the package at path, "" for one without a path. What was opened for a
// package that cannot be read is closed.
func open(ctx context.Context, path string, o Options, find func(*Source) (descriptor []byte, err error)) (*Source, error) {
	if _, ok := fdp.Encoding(o.Encoding); !ok {
		return nil, cube.Errorf(cube.CodeBadPackage, "encoding %s is not supported", o.Encoding)
	}
	if err := findings.CheckAllowed(o.Allow); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	all := files.New(o.limits())
	s := &Source{within: DescriptorName, options: o, files: all, close: []func() error{all.Close}}
	descriptor, err := find(s)
	if err == nil {
		err = in(path, s.read(ctx, descriptor))
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close lets go of the files and removes those that were fetched.
func (s *Source) Close() error {
	errs := each.Of(s.close, func(close func() error) error { return close() })
	return errors.Join(errs...)
}

// find opens what is at path and reads the descriptor in it.
func (s *Source) find(ctx context.Context, path string) (descriptor []byte, err error) {
	if files.IsRemote(path) {
		return s.findRemote(ctx, path)
	}
	info, err := os.Stat(path)
	name := DescriptorName
	switch {
	case err != nil:
		return nil, files.CannotRead(path, err)
	case info.IsDir():
		err = s.openFolder(path)
	case strings.EqualFold(filepath.Ext(path), ".json"):
		s.within = ""
		name, err = filepath.Base(path), s.openFolder(filepath.Dir(path))
	default:
		err = s.openZipFile(path, info.Size())
	}
	if err != nil {
		return nil, err
	}
	descriptor, err = s.descriptor(ctx, name)
	return descriptor, in(path, err)
}

// openFolder opens a folder so that nothing outside it can be reached.
func (s *Source) openFolder(path string) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return files.CannotRead(path, err)
	}
	s.close = append(s.close, root.Close)
	s.files.Use(root.FS())
	return nil
}

// openZipFile reads a zip in place: one that changes meanwhile is detected by its hashes, as any file.
func (s *Source) openZipFile(path string, size int64) error {
	f, err := os.Open(path)
	if err != nil {
		return files.CannotRead(path, err)
	}
	s.close = append(s.close, f.Close)
	if !files.IsZip(f) {
		hint := ""
		if files.IsTable(path) {
			hint = "; fiscube init makes one for CSV files and workbooks"
		}
		return cube.Errorf(cube.CodeBadPackage, "%s is neither a folder, a zip nor a descriptor: name the folder that holds %s%s", path, DescriptorName, hint)
	}
	return in(path, s.files.UseZip(f, size, DescriptorName))
}

// findRemote fetches a descriptor, whose resources are beside it, or a zip.
func (s *Source) findRemote(ctx context.Context, path string) (descriptor []byte, err error) {
	at, err := url.Parse(path)
	if err != nil {
		return nil, cube.Wrap(cube.CodeBadPackage, path+" is no URL", err)
	}
	text, from, err := s.files.Fetch(ctx, at)
	if err != nil {
		return nil, files.CannotRead(path, err)
	}
	if !files.IsZip(text) {
		s.files.UseURL(from)
		descriptor, err = files.ReadSmall(text, "the descriptor", fdp.MostDescriptorBytes)
		return descriptor, in(path, err)
	}
	if err := s.files.UseZip(text, text.Size(), DescriptorName); err != nil {
		return nil, in(path, err)
	}
	descriptor, err = s.descriptor(ctx, DescriptorName)
	return descriptor, in(path, err)
}

func (s *Source) descriptor(ctx context.Context, name string) ([]byte, error) {
	data, err := s.files.ReadSmall(ctx, name, fdp.MostDescriptorBytes)
	if err != nil {
		return nil, files.CannotRead(name, err)
	}
	return data, nil
}

// read settles which of the descriptor's resources are read, and how.
func (s *Source) read(ctx context.Context, descriptor []byte) (err error) {
	var only []string
	if s.options.Resource != "" {
		only = []string{s.options.Resource}
	}
	published := descriptor
	descriptor, _, err = fdp.Resolve(descriptor, func(path string) ([]byte, error) { return s.files.ReadSmall(ctx, path, fdp.MostDescriptorBytes) })
	if err != nil {
		return in(s.within, located(published, err))
	}
	if s.Package, err = fdp.Read(descriptor, only...); err != nil {
		return in(s.within, located(published, err))
	}
	if err := s.applyOverlay(ctx); err != nil {
		return err
	}
	if s.Package.Series, err = s.readSeries(ctx); err != nil {
		return err
	}
	for i := range s.Package.Resources {
		s.Package.Resources[i].URL = s.files.Published(s.Package.Resources[i].Path)
	}
	if s.options.Encoding != "" {
		for i := range s.Package.Resources {
			s.Package.Resources[i].Encoding = s.options.Encoding
		}
	}
	if s.options.AllowMissing {
		return s.leaveOutMissing(ctx)
	}
	return nil
}

// leaveOutMissing marks the resources whose files are not there. Those at URLs are fetched to know it.
func (s *Source) leaveOutMissing(ctx context.Context) error {
	there := 0
	for i := range s.Package.Resources {
		r := &s.Package.Resources[i]
		data, _, err := s.files.OpenResource(ctx, r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.LeftOut = findings.LeftMissing
			continue
		case err == nil:
			_ = data.Close()
		case ctx.Err() != nil:
			return ctx.Err()
		}
		there++ // or broken, which the survey says
	}
	if there == 0 {
		return cube.Errorf(cube.CodeBadPackage, "none of its files is there")
	}
	return nil
}

// FileError is an error in a package, or in a file of one. Of those within each other the innermost names the file.
type FileError struct {
	File string
	err  error
}

// Error implements error.
func (e *FileError) Error() string { return e.File + ": " + e.err.Error() }

// Unwrap gives the error in the file.
func (e *FileError) Unwrap() error { return e.err }

// InFile says which file of a package an error is in.
func InFile(name string, err error) error { return in(name, err) }

// in says of which package an error is, by the path of one of several that are loaded at once.
func in(path string, err error) error {
	if err == nil || path == "" {
		return err
	}
	return &FileError{path, err}
}

// located finds the lines of what is wrong with a document.
func located(text []byte, err error) error {
	var problems fdp.Problems
	if errors.As(err, &problems) {
		problems.Locate(text)
	}
	return err
}

// applyOverlay applies the overlay that was named, else the one beside the descriptor, else the one that
// ships for the package, if there is any.
func (s *Source) applyOverlay(ctx context.Context) error {
	text, name, err := s.findOverlay(ctx)
	if err != nil || text == nil {
		return err
	}
	o, err := fdp.ReadOverlay(text)
	if err != nil {
		return in(name, located(text, fdp.OverlayProblems(text, s.Package)))
	}
	if !o.Applies(s.Package) {
		return cube.Errorf(cube.CodeBadPackage, "%s does not apply to the package %q", name, s.Package.Name)
	}
	applied, err := o.Apply(s.Package)
	if err != nil {
		return in(name, located(text, err))
	}
	s.Package, s.overlay = applied, o
	return nil
}

// readSeries reads the series in a folder beside the descriptor. A package at a URL has none, since its files cannot be listed.
func (s *Source) readSeries(ctx context.Context) (all []cube.Series, err error) {
	paths, err := s.files.Matching(series.Files)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := s.files.ReadSmall(ctx, path, series.MostBytes)
		if err != nil {
			return nil, files.CannotRead(path, err)
		}
		list, err := series.Read(strings.TrimSuffix(filepath.Base(path), ".csv"), text)
		if err != nil {
			return nil, cube.Errorf(cube.CodeBadPackage, "%s: %s", path, err.Error())
		}
		all = append(all, list...)
	}
	return all, nil
}

func (s *Source) findOverlay(ctx context.Context) (text []byte, name string, err error) {
	if path := s.options.OverlayFile; path != "" {
		f, err := os.Open(path)
		if err != nil {
			return nil, path, files.CannotRead(path, err)
		}
		defer func() { _ = f.Close() }()
		text, err = files.ReadSmall(f, path, fdp.MostOverlayBytes)
		return text, path, err
	}
	if s.made != nil {
		return s.made, OverlayName, nil
	}
	if s.files.HasFiles() {
		text, err = s.files.ReadSmall(ctx, OverlayName, fdp.MostOverlayBytes)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return text, OverlayName, err
		}
	}
	if s.options.Shipped != nil {
		text, _ = s.options.Shipped(s.Package)
	}
	return text, "the overlay that ships for " + s.Package.Name, nil
}
