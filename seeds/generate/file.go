package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// sampleRows is how many rows the publishing tool shows in a descriptor, after the header.
const sampleRows = 29

// A file is one written CSV file with what the descriptor says of it.
type file struct {
	name           string
	content        []byte
	hash, hashcopy string
	sample         [][]string
}

// file writes a resource of the seed.
func (s seed) file(r resource) file {
	rows := [][]string{s.header()}
	for _, rec := range r.records {
		rows = append(rows, s.row(rec))
	}
	content := encodeCSV(rows)
	// hashcopy leaves out the header line: found by recomputing the hashes of the published files.
	_, body, _ := bytes.Cut(content, []byte("\n"))
	return file{
		name:     r.name,
		content:  content,
		hash:     sha256Hex(content),
		hashcopy: sha256Hex(body),
		sample:   rows[:min(len(rows), 1+sampleRows)],
	}
}

func sha256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// encodeCSV writes rows as the published files are written: CRLF, quotes only where RFC 4180 asks for
// them. encoding/csv also quotes a cell that begins with a space, which the published files do not.
func encodeCSV(rows [][]string) []byte {
	var b bytes.Buffer
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoteCell(cell))
		}
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func quoteCell(cell string) string {
	if !strings.ContainsAny(cell, ",\"\r\n") {
		return cell
	}
	return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
}
