package parts_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"fiscube/store/parts"
)

// packed writes a text piece by piece and gives its parts.
func packed(t *testing.T, text []byte, piece int) (list [][]byte) {
	w := parts.NewWriter(func(part []byte) error {
		list = append(list, bytes.Clone(part))
		return nil
	})
	for len(text) > 0 {
		n := min(piece, len(text))
		w.Add(text[:n])
		text = text[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return list
}

func each(list [][]byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, part := range list {
			if !yield(part, nil) {
				return
			}
		}
	}
}

// TestFile packs files of all kinds of lengths, gets each part by itself, and unpacks all as the program zstd does.
func TestFile(t *testing.T) {
	noise := make([]byte, 2*parts.Size+77)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	rows := []byte(strings.Repeat("2017,ministerio,4384399\n", 200_000))
	for _, text := range [][]byte{nil, []byte("a"), rows[:parts.Size-1], rows[:parts.Size], rows[:parts.Size+1], rows, noise} {
		for _, piece := range []int{1 << 15, parts.Size, 5 * parts.Size} {
			list := packed(t, text, piece)
			var file bytes.Buffer
			if err := parts.WriteFile(&file, each(list)); err != nil {
				t.Fatal(err)
			}
			var joined []byte
			for number := range list {
				part, err := parts.ReadPart(bytes.NewReader(file.Bytes()), int64(file.Len()), number)
				if err != nil {
					t.Fatal(err)
				}
				unpacked, err := parts.Unpack(part)
				if err != nil || len(unpacked) > parts.Size {
					t.Fatal(len(unpacked), err)
				}
				joined = append(joined, unpacked...)
			}
			reader, err := zstd.NewReader(&file)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := io.ReadAll(reader)
			reader.Close()
			if err != nil || !bytes.Equal(whole, text) || !bytes.Equal(joined, text) {
				t.Errorf("%d bytes are %d as a whole and %d in parts, %v", len(text), len(whole), len(joined), err)
			}
		}
	}
}

// What is wrong with a file on the disk is told, and never bytes that were not written.
func TestFile_Damaged(t *testing.T) {
	text := []byte(strings.Repeat("2017,4384399\n", 100_000))
	var file bytes.Buffer
	if err := parts.WriteFile(&file, each(packed(t, text, 1000))); err != nil {
		t.Fatal(err)
	}
	for at := range file.Len() {
		if at > 200 && at < file.Len()-200 {
			continue
		}
		damaged := bytes.Clone(file.Bytes())
		damaged[at] ^= 0x15
		part, err := parts.ReadPart(bytes.NewReader(damaged), int64(len(damaged)), 1)
		if err != nil {
			continue
		}
		if got, err := parts.Unpack(part); err == nil && !bytes.Equal(got, text[parts.Size:]) {
			t.Fatalf("byte %d is damaged, and other bytes are read", at)
		}
	}
	for _, size := range []int{0, 5, 17, file.Len() - 1} {
		if _, err := parts.ReadPart(bytes.NewReader(file.Bytes()[:size]), int64(size), 0); err == nil {
			t.Errorf("a file of %d bytes is read", size)
		}
	}
}

func TestWriter_WhatCannotBeKept(t *testing.T) {
	full := errors.New("the disk is full")
	w := parts.NewWriter(func([]byte) error { return full })
	for range 5 {
		w.Add(make([]byte, parts.Size))
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Error(err)
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Error(err)
	}
}
