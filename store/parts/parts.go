// Package parts keeps the bytes of a published file in parts, each compressed by itself, so that a reader gets any of them without those before.
// One after the other, with a table behind them (WriteFile), they are a file that zstd -d unpacks.
package parts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Size is how many bytes a part holds; the last one of a file holds what is left.
const Size = 1 << 20

// coders compress and unpack parts, for all who ask at once.
var coders = sync.OnceValue(func() (c struct {
	*zstd.Encoder
	*zstd.Decoder
}) {
	atOnce := runtime.GOMAXPROCS(0)
	c.Encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(atOnce), zstd.WithWindowSize(Size))
	c.Decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(atOnce), zstd.WithDecoderMaxMemory(Size)) // these options are right
	return c
})

// Unpack gives the bytes of a part. The error says that they are not those that were packed.
func Unpack(part []byte) ([]byte, error) {
	text, err := coders().DecodeAll(part, nil)
	if err != nil {
		return nil, fmt.Errorf("a part of a kept file is damaged: %w", err)
	}
	return text, nil
}

// Writer cuts what is written to it into parts. They are packed beside the one who writes, at most one at a time.
type Writer struct {
	keep  func(part []byte) error // takes the next part
	text  []byte
	full  chan []byte
	free  chan []byte
	done  chan struct{}
	kept  error // why a part could not be kept
	begun bool
}

// NewWriter makes a writer whose parts keep takes. They are only valid until it returns.
func NewWriter(keep func(part []byte) error) *Writer {
	return &Writer{keep: keep, full: make(chan []byte, 1), free: make(chan []byte, 2), done: make(chan struct{})}
}

// Add takes the next bytes of the file. What goes wrong with them Close tells.
func (w *Writer) Add(p []byte) {
	for len(p) > 0 {
		n := min(len(p), Size-len(w.text))
		w.text = append(w.text, p[:n]...)
		if p = p[n:]; len(w.text) == Size {
			w.hand()
		}
	}
}

// hand hands the text over to be packed, and goes on with another.
func (w *Writer) hand() {
	if !w.begun {
		w.begun = true
		w.free <- make([]byte, 0, Size)
		go w.pack()
	}
	w.full <- w.text
	w.text = <-w.free
}

func (w *Writer) pack() {
	defer close(w.done)
	var part []byte
	for text := range w.full {
		if w.kept == nil {
			part = coders().EncodeAll(text, part[:0])
			w.kept = w.keep(part)
		}
		w.free <- text[:0]
	}
}

// Close packs what is left, and waits for it.
func (w *Writer) Close() error {
	if len(w.text) > 0 {
		w.hand()
	}
	if w.begun {
		w.begun = false
		close(w.full)
		<-w.done
	}
	return w.kept
}

// The table behind the parts of a file is that of the seekable format of zstd (contrib/seekable_format in its sources): a frame that is skipped, with the lengths of
// each part as it is packed and unpacked, their number, and a mark.
const (
	skipped    = 0x184D2A5E
	tableMark  = 0x8F92EAB1
	entryBytes = 8
	headBytes  = 8
	footBytes  = 9
)

// WriteFile writes parts and their table.
func WriteFile(w io.Writer, parts iter.Seq2[[]byte, error]) error {
	table := make([]byte, headBytes)
	number := uint32(0)
	for part, err := range parts {
		if err == nil {
			_, err = w.Write(part)
		}
		if err != nil {
			return err
		}
		var header zstd.Header
		if err := header.Decode(part); err != nil {
			return err
		}
		table = binary.LittleEndian.AppendUint32(table, uint32(len(part)))
		table = binary.LittleEndian.AppendUint32(table, uint32(header.FrameContentSize))
		number++
	}
	binary.LittleEndian.PutUint32(table, skipped)
	binary.LittleEndian.PutUint32(table[4:], number*entryBytes+footBytes)
	table = append(binary.LittleEndian.AppendUint32(table, number), 0)
	_, err := w.Write(binary.LittleEndian.AppendUint32(table, tableMark))
	return err
}

// errNoFile says that a file is none that WriteFile has written whole.
var errNoFile = errors.New("a kept file is damaged: it does not end with the table of its parts")

// ReadPart reads a part of a file of so many bytes, as it is packed.
func ReadPart(file io.ReaderAt, size int64, number int) ([]byte, error) {
	var foot [footBytes]byte
	if _, err := file.ReadAt(foot[:], max(0, size-footBytes)); err != nil {
		return nil, errNoFile
	}
	all := int64(binary.LittleEndian.Uint32(foot[:]))
	from := size - footBytes - all*entryBytes
	if binary.LittleEndian.Uint32(foot[5:]) != tableMark || from < headBytes || int64(number) >= all {
		return nil, errNoFile
	}
	table := make([]byte, (number+1)*entryBytes)
	if _, err := file.ReadAt(table, from); err != nil {
		return nil, err
	}
	at, length := int64(0), int64(0)
	for entry := table; len(entry) > 0; entry = entry[entryBytes:] {
		at += length
		length = int64(binary.LittleEndian.Uint32(entry))
	}
	if at+length > from {
		return nil, errNoFile
	}
	part := make([]byte, length)
	_, err := file.ReadAt(part, at)
	return part, err
}

// From gives the bytes of a part from an offset of the file on.
func From(part []byte, offset int64) ([]byte, error) {
	text, err := Unpack(part)
	if err != nil {
		return nil, err
	}
	return text[min(int64(len(text)), offset%Size):], nil
}
