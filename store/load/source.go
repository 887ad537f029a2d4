package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// DescriptorName is the name of a package's descriptor.
const DescriptorName = "datapackage.json"

// maxDescriptor bounds a descriptor: the largest published one has 0.3 MB.
const maxDescriptor = 64 << 20

// Source is a package to load: its descriptor, and the files its paths name.
type Source struct {
	Package *cube.Package
	files   fs.FS
	close   func() error
}

// Open reads the descriptor in the folder at path. Files outside the folder cannot be reached through the
// source, neither by .. nor by links.
func Open(path string) (*Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, cube.Wrap(cube.CodeBadPackage, fmt.Sprintf("%s cannot be read: %v", path, reason(err)), err)
	}
	if !info.IsDir() {
		return nil, cube.Errorf(cube.CodeBadPackage, "%s is no folder: name the folder that holds %s", path, DescriptorName)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, cube.Wrap(cube.CodeBadPackage, fmt.Sprintf("%s cannot be read: %v", path, reason(err)), err)
	}
	source, err := OpenFS(root.FS())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), root.Close())
	}
	source.close = root.Close
	return source, nil
}

// OpenFS reads the descriptor of the package that files hold.
func OpenFS(files fs.FS) (*Source, error) {
	data, err := readDescriptor(files)
	if err != nil {
		return nil, err
	}
	pkg, err := fdp.Read(data)
	if err != nil {
		return nil, err
	}
	return &Source{Package: pkg, files: files, close: func() error { return nil }}, nil
}

// Close lets go of the folder.
func (s *Source) Close() error { return s.close() }

func readDescriptor(files fs.FS) ([]byte, error) {
	f, err := files.Open(DescriptorName)
	if err != nil {
		return nil, cube.Wrap(cube.CodeBadPackage, fmt.Sprintf("%s cannot be read: %v", DescriptorName, reason(err)), err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxDescriptor+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", DescriptorName, err)
	}
	if len(data) > maxDescriptor {
		return nil, cube.Errorf(cube.CodeBadPackage, "%s has more than %d MB", DescriptorName, maxDescriptor>>20)
	}
	return data, nil
}

// reason is what went wrong with a file, without the path that the caller names already.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
