package load

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// spool keeps what was fetched in a temporary file, so that it can be read twice and by several at once.
type spool struct {
	file  *os.File
	size  int64
	named bool // whether the file still has a name
}

// newSpool makes a temporary file. It loses its name at once where the system allows that, so that nothing is
// left behind, however the process ends.
func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "fiscube-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &spool{file: f, named: os.Remove(f.Name()) != nil}, nil
}

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.size += int64(n)
	if err != nil {
		err = fmt.Errorf("write a temporary file: %w", err)
	}
	return n, err
}

// reader reads the whole from its start.
func (s *spool) reader() io.ReadCloser {
	return io.NopCloser(io.NewSectionReader(s.file, 0, s.size))
}

// Close removes the file.
func (s *spool) Close() error {
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
