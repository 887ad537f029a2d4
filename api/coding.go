package api

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip" // faster than the standard library's, and beside it zstd
	"github.com/klauspost/compress/zstd"
)

// coding is a way to compress an answer.
type coding struct {
	name   string
	coders *sync.Pool
}

// coder compresses one answer. It can be used for another after Reset.
type coder interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// codings are those the service knows, the better one first.
var codings = []*coding{
	{"zstd", &sync.Pool{New: func() any { return newZstd() }}},
	{"gzip", &sync.Pool{New: func() any { return gzip.NewWriter(nil) }}},
}

// zstdWindow is how far back zstd looks: as much as every client has memory for (RFC 9659), and less than a
// server of many answers has.
const zstdWindow = 1 << 20

func newZstd() coder {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(zstdWindow))
	if err != nil {
		panic(err) // the options are constant
	}
	return encoder
}

// codingFor gives the coding that the request wants most, the better one of equals, or nil for none.
func codingFor(header http.Header) *coding {
	weights := acceptedCodings(header.Values("Accept-Encoding"))
	best, most := (*coding)(nil), 0.0
	for _, one := range codings {
		weight, named := weights[one.name]
		if !named {
			weight = weights["*"]
		}
		if weight > most {
			best, most = one, weight
		}
	}
	if most < weights["identity"] {
		return nil
	}
	return best
}

// acceptedCodings reads Accept-Encoding. A weight that is none counts as 0: what cannot be understood must not
// bring about an answer that cannot be read.
func acceptedCodings(values []string) map[string]float64 {
	weights := map[string]float64{}
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "x-gzip" {
			name = "gzip"
		}
		if name != "" {
			weights[name] = weightOf(parameters)
		}
	}
	return weights
}

// weightOf reads the q of an item, 1 where there is none.
func weightOf(parameters string) float64 {
	name, text, assigned := strings.Cut(strings.TrimSpace(parameters), "=")
	if name == "" {
		return 1
	}
	weight, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if !assigned || !strings.EqualFold(strings.TrimSpace(name), "q") || err != nil || weight > 1 {
		return 0
	}
	return weight
}
