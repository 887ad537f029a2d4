package command

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fiscube/cube/fdp"
	"fiscube/cube/series"
	"fiscube/store/load"
)

// packed is a package in a folder on its way into a zip: its descriptor, its overlay, its series and the files it names.
// Whatever else lies in the folder stays there.
type packed struct {
	root    *os.Root
	entries []packedEntry
}

// packedEntry is a file of the zip.
type packedEntry struct {
	name string
	size int64
	open func() (fs.File, error)
}

// pack opens the files of a package: of a folder, or of the descriptor at path.
func pack(path string, isFolder bool, overlay string) (*packed, error) {
	folder, name := path, load.DescriptorName
	if !isFolder {
		folder, name = filepath.Split(path)
	}
	root, err := os.OpenRoot(filepath.Clean(folder))
	if err != nil {
		return nil, unreadable(path, err)
	}
	z := &packed{root: root}
	if err := z.addAll(name, overlay); err != nil {
		z.close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return z, nil
}

func (z *packed) addAll(descriptor, overlay string) error {
	paths, err := z.resources(descriptor)
	if err != nil {
		return err
	}
	if err := z.add(load.DescriptorName, descriptor); err != nil {
		return unreadable(descriptor, err)
	}
	if err := z.addOverlay(overlay); err != nil {
		return err
	}
	own, err := fs.Glob(z.root.FS(), series.Files)
	if err != nil {
		return unreadable(series.Files, err)
	}
	for _, path := range append(paths, own...) {
		if err := z.addIfThere(path); err != nil {
			return unreadable(path, err)
		}
	}
	return nil
}

// resources lists the files that the descriptor names, each once.
func (z *packed) resources(descriptor string) (paths []string, err error) {
	text, err := fs.ReadFile(z.root.FS(), descriptor)
	if err != nil {
		return nil, unreadable(descriptor, err)
	}
	text, addressed, err := fdp.Resolve(text, func(path string) ([]byte, error) {
		if fdp.IsURL(path) {
			return []byte("{}"), nil // the server fetches it
		}
		return fs.ReadFile(z.root.FS(), path)
	})
	if err != nil {
		return nil, err
	}
	pkg, err := fdp.Read(text)
	if err != nil && len(addressed) == 0 {
		return nil, err
	}
	if err != nil { // the server says what is wrong, which has what is fetched
		return addressed, nil
	}
	seen := map[string]bool{load.DescriptorName: true, load.OverlayName: true}
	add := func(path string) {
		if !seen[path] && !fdp.IsURL(path) {
			paths = append(paths, path)
		}
		seen[path] = true
	}
	for _, path := range addressed {
		add(path)
	}
	for _, r := range pkg.Resources {
		if r.Data == nil {
			add(r.Path)
		}
		if r.Points != nil {
			for _, l := range r.Points.Lists {
				add(l.Path)
			}
		}
	}
	return paths, nil
}

// addOverlay adds the overlay that was named, else the one beside the descriptor.
func (z *packed) addOverlay(overlay string) error {
	if overlay == "" {
		return z.addIfThere(load.OverlayName)
	}
	err := z.addFile(load.OverlayName, func() (fs.File, error) { return os.Open(overlay) })
	if err != nil {
		return unreadable(overlay, err)
	}
	return nil
}

// addIfThere adds a file, or the same compressed. What is not there, or nowhere, the server says.
func (z *packed) addIfThere(path string) error {
	err := z.add(path, path)
	if errors.Is(err, fs.ErrNotExist) {
		err = z.add(path+".gz", path+".gz")
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil
	}
	return err
}

func (z *packed) add(name, path string) error {
	return z.addFile(name, func() (fs.File, error) { return z.root.FS().Open(path) })
}

// addFile looks at a file, whose size has to be known before anything is sent.
func (z *packed) addFile(name string, open func() (fs.File, error)) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is no file")
	}
	z.entries = append(z.entries, packedEntry{name, info.Size(), open})
	return nil
}

func (z *packed) close() { _ = z.root.Close() }

// total adds up the sizes.
func (z *packed) total() int64 {
	total := int64(0)
	for _, e := range z.entries {
		total += e.size
	}
	return total
}

// stream gives the zip, made while it is read.
func (z *packed) stream(progress load.Progress) io.ReadCloser {
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(z.write(writer, progress)) }()
	return reader
}

func (z *packed) write(to io.Writer, progress load.Progress) error {
	w := zip.NewWriter(to)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestSpeed)
	})
	for _, e := range z.entries {
		if err := e.write(w, progress); err != nil {
			return fmt.Errorf("pack %s: %w", e.name, err)
		}
	}
	return w.Close()
}

func (e packedEntry) write(to *zip.Writer, progress load.Progress) error {
	method := zip.Deflate
	if strings.HasSuffix(e.name, ".gz") {
		method = zip.Store
	}
	out, err := to.CreateHeader(&zip.FileHeader{Name: e.name, Method: method})
	if err != nil {
		return err
	}
	file, err := e.open()
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	_, err = io.Copy(out, watched{file, progress})
	return err
}
