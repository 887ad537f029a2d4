// Package temporary has the files in which a load keeps what it reads again: what was fetched, and rows.
package temporary

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
)

// File is a temporary file, to whose end anything may be written, by several at once.
type File struct {
	file  *os.File
	named bool // whether it still has a name
	mu    sync.Mutex
	size  int64
}

// New makes a file. It loses its name at once where the system allows that, so that nothing is left of it, however the process
// ends.
func New() (*File, error) {
	file, err := os.CreateTemp("", "fiscube-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &File{file: file, named: os.Remove(file.Name()) != nil}, nil
}

// Close removes the file.
func (f *File) Close() error {
	err := f.file.Close()
	if f.named {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return err
}

// Block is where something is in a file.
type Block struct {
	at, length int64
}

// Append writes to the end of the file.
func (f *File) Append(p []byte) (Block, error) {
	f.mu.Lock()
	b := Block{f.size, int64(len(p))}
	f.size += b.length
	f.mu.Unlock()
	if _, err := f.file.WriteAt(p, b.at); err != nil {
		return Block{}, fmt.Errorf("write a temporary file, whose folder TMPDIR names: %w", err)
	}
	return b, nil
}

// Read gives what is in a block, in the buffer if that has room.
func (f *File) Read(b Block, buffer []byte) ([]byte, error) {
	buffer = slices.Grow(buffer[:0], int(b.length))[:b.length]
	if _, err := f.file.ReadAt(buffer, b.at); err != nil {
		return nil, fmt.Errorf("read a temporary file: %w", err)
	}
	return buffer, nil
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	if _, err := f.Append(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Whole reads the file from its start to its end.
func (f *File) Whole() *io.SectionReader { return io.NewSectionReader(f.file, 0, f.size) }
