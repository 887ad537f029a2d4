package load

import (
	"context"
	"io"

	"fiscube/cube"
)

// OpenZip reads the descriptor of the package in a zip that was sent, under the rules for a zip that is found.
// The data are only read until the source is closed.
func OpenZip(ctx context.Context, data io.ReaderAt, size int64, o Options) (*Source, error) {
	return open(ctx, "", o, func(s *Source) ([]byte, error) { return s.findSent(ctx, data, size) })
}

func (s *Source) findSent(ctx context.Context, data io.ReaderAt, size int64) (descriptor []byte, err error) {
	if !isZip(data) {
		return nil, cube.Errorf(cube.CodeBadPackage, "what was sent is no zip that holds files")
	}
	if err := s.useZip(data, size); err != nil {
		return nil, err
	}
	return s.descriptor(ctx, DescriptorName)
}
