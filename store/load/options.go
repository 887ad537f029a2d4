package load

import (
	"cmp"
	"time"

	"fiscube/cube"
	"fiscube/store/load/files"
)

// DescriptorName is the name of a package's descriptor.
const DescriptorName = "datapackage.json"

// OverlayName is the name of an overlay beside a package's descriptor.
const OverlayName = "overlay.yaml"

// Options are what a person may say about how a package is read. The zero value is right for most.
type Options struct {
	Encoding     string          // of every file, whatever the descriptor declares; "" for what it declares
	Resource     string          // read only the resource of this name
	AllowMissing bool            // leave out the resources whose files are not there
	Allow        []string        // of findings.Allowable: what is loaded although it is hardly meant
	Visibility   cube.Visibility // of the cube; "" leaves it as it is
	AllowPrivate bool            // read URLs of private and local addresses too
	MaxBytes     int64           // that a zip or compressed file unpacks to; 0 for 16 GB
	MaxDownload  int64           // bytes that are fetched, of all files together; 0 for DefaultDownload
	Timeout      time.Duration   // for fetching a file; 0 for 15 minutes
	MaxMembers   int64           // of all levels together, which are held in memory; 0 for no bound
	OverlayFile  string          // of an overlay outside the package; "" for the one in it
	NoFiles      bool            // keep no files as they were published beside what is loaded of them
	Times        int64           // that every row is read, each time with later fiscal years; 0 for once

	// Shipped gives the overlay that comes with fiscube for a package that brings none; nil for no such.
	Shipped func(*cube.Package) ([]byte, bool)
}

// DefaultDownload is how many bytes are fetched at most unless another bound is set.
const DefaultDownload = 2 << 30

const (
	defaultMaxBytes = 16 << 30
	defaultTimeout  = 15 * time.Minute
)

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	o.MaxDownload = cmp.Or(o.MaxDownload, DefaultDownload)
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	return o
}

func (o Options) limits() files.Limits {
	return files.Limits{Unpacked: o.MaxBytes, Download: o.MaxDownload, Timeout: o.Timeout, Private: o.AllowPrivate}
}

// Progress takes how far a load is: stages one after the other, bytes and rows within each. Add is called from
// several goroutines at once.
type Progress interface {
	// Begin starts a stage over so many bytes; 0 where that is not known.
	Begin(stage string, bytes int64)
	Add(bytes, rows int64)
	End()
}

// Silent is a Progress that nobody sees.
type Silent struct{}

// Begin implements Progress.
func (Silent) Begin(string, int64) {}

// Add implements Progress.
func (Silent) Add(int64, int64) {}

// End implements Progress.
func (Silent) End() {}
