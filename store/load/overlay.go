package load

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// OverlayName is the name of an overlay beside a package's descriptor.
const OverlayName = "overlay.yaml"

// applyOverlay applies the overlay that was named, else the one beside the descriptor, else the one that
// ships for the package, if there is any.
func (s *Source) applyOverlay(ctx context.Context) error {
	text, name, err := s.findOverlay(ctx)
	if err != nil || text == nil {
		return err
	}
	o, err := fdp.ReadOverlay(text)
	if err != nil {
		return in(name, err)
	}
	if !o.Applies(s.Package) {
		return cube.Errorf(cube.CodeBadPackage, "%s does not apply to the package %q", name, s.Package.Name)
	}
	applied, err := o.Apply(s.Package)
	if err != nil {
		return in(name, err)
	}
	s.Package, s.overlay = applied, o
	return nil
}

func (s *Source) findOverlay(ctx context.Context) (text []byte, name string, err error) {
	if s.options.OverlayFile != "" {
		return readOverlayFile(s.options.OverlayFile)
	}
	if s.files.files != nil {
		text, err = s.files.readSmall(ctx, OverlayName, fdp.MostOverlayBytes)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return text, OverlayName, err
		}
	}
	if s.options.Shipped != nil {
		text, _ = s.options.Shipped(s.Package)
	}
	return text, "the overlay that ships for " + s.Package.Name, nil
}

func readOverlayFile(path string) ([]byte, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, path, cannotRead(path, err)
	}
	defer func() { _ = f.Close() }()
	text, err := readSmall(f, path, fdp.MostOverlayBytes)
	return text, path, err
}
