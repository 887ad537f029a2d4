package files

import (
	"context"
	"io"
	"strings"
)

// Packing says how a table stands in a file, which its first bytes tell, whatever its name.
type Packing struct {
	Packed   string // gz where its name does not say so, zip, or ""
	Workbook bool   // it is a workbook then, else a text
}

// gzipMark begins a file that gzip compressed.
const gzipMark = "\x1f\x8b"

// PackingOf looks at the first bytes of a file and, of a zip, at the names in it: XLSX is a zip, too. A zip of several files is no table.
func (f *Folder) PackingOf(ctx context.Context, path string) (Packing, error) {
	var p Packing
	start, err := f.startOf(ctx, path, "")
	if err == nil && strings.HasPrefix(start, gzipMark) {
		p.Packed = "gz"
		start, err = f.startOf(ctx, path, p.Packed)
	}
	if err != nil || start != zipMark {
		return p, err
	}
	data, err := f.OpenBytes(ctx, path, p.Packed)
	if err != nil {
		return p, err
	}
	a, spool, err := spoolZip(data, f.most)
	_ = data.Close()
	if err != nil { // what reads it as a workbook says what is wrong
		p.Workbook = true
		return p, nil
	}
	defer func() { _ = spool.Close() }()
	switch {
	case a.has("[content_types].xml"):
		p.Workbook = true
	case a.has("content.xml") && a.has("meta-inf/manifest.xml"):
		return p, badWorkbook("the file is an OpenDocument workbook (ODS): save it as XLSX, or its sheet as CSV")
	case len(a.entries) != 1 || p.Packed != "":
		return p, badWorkbook("the file is a zip of %d files: unpack it, and name its folder or its files", len(a.entries))
	default:
		p.Packed = "zip"
		start, err = f.startOf(ctx, path, p.Packed)
		p.Workbook = start == zipMark
	}
	return p, err
}

// has tells whether a zip has a file, by its path in small letters.
func (a *archive) has(path string) bool {
	for name := range a.entries {
		if strings.EqualFold(name, path) {
			return true
		}
	}
	return false
}

// startOf gives the first bytes of a file, unpacked; fewer of one that has fewer.
func (f *Folder) startOf(ctx context.Context, path, packed string) (string, error) {
	data, err := f.OpenBytes(ctx, path, packed)
	if err != nil {
		return "", err
	}
	defer func() { _ = data.Close() }()
	start := make([]byte, len(zipMark))
	n, _ := io.ReadFull(data, start) // what is wrong with it is said when it is read
	return string(start[:n]), nil
}
