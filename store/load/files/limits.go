// Package files opens the files of a package, wherever they are, and reads the rows of its tables. None is trusted: whatever is fetched
// or unpacked is bounded, and paths stay in their folder or zip.
//
//	table.go      the rows of a file, with their lines        folder.go      the files of a folder, a zip or a URL
//	text.go       a file in UTF-8, encoding.go in others      url.go         what is fetched
//	published.go  its bytes as published, with their hashes   compressed.go  gzip and zip
//	workbook.go   the parts of an XLSX workbook              sheet.go       the rows of one of its sheets
//	mistake.go    what is wrong with a file
package files

import "time"

// Limits bound what is read.
type Limits struct {
	Unpacked int64         // bytes that a zip or compressed file may unpack to
	Download int64         // bytes that are fetched, of all files together
	Timeout  time.Duration // for fetching a file
	Private  bool          // URLs of private and local addresses are read too
}
