package load

import (
	"cmp"
	"iter"
	"slices"

	"fiscube/store/catalogue"
	"fiscube/store/load/temporary"
	"fiscube/store/parts"
)

// originals are the files of a package as they were published, packed in a temporary file until the package is stored. Of one that is read to
// its end there are the bytes whose hash is told.
type originals struct {
	packed *temporary.File
	blocks [][]temporary.Block // of the parts of each resource
}

// keepOriginals has the files kept from now on.
func (s *surveyor) keepOriginals() (err error) {
	if s.packed, err = temporary.New(); err != nil {
		return err
	}
	s.source.close = append(s.source.close, s.packed.Close)
	s.blocks = make([][]temporary.Block, len(s.pkg.Resources))
	return nil
}

// writer keeps the bytes of a resource. Files are read side by side.
func (o *originals) writer(resource int) *original {
	if o.packed == nil {
		return nil
	}
	return &original{parts.NewWriter(func(part []byte) error {
		block, err := o.packed.Append(part)
		o.blocks[resource] = append(o.blocks[resource], block)
		return err
	})}
}

// original keeps the bytes of a file; nil keeps none.
type original struct{ *parts.Writer }

// Add takes the next bytes.
func (o *original) Add(p []byte) {
	if o != nil {
		o.Writer.Add(p)
	}
}

// Close waits until all is kept.
func (o *original) Close() error {
	if o == nil {
		return nil
	}
	return o.Writer.Close()
}

// Files implements catalogue.Content.
func (c *content) Files() []catalogue.File {
	var files []catalogue.File
	for i, blocks := range c.survey.blocks {
		if hash := c.survey.pkg.Resources[i].Found.Hash; hash != "" {
			files = append(files, catalogue.File{Hash: hash, Parts: c.survey.parts(blocks)})
		}
	}
	slices.SortFunc(files, func(a, b catalogue.File) int { return cmp.Compare(a.Hash, b.Hash) })
	return slices.CompactFunc(files, func(a, b catalogue.File) bool { return a.Hash == b.Hash })
}

func (o *originals) parts(blocks []temporary.Block) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var part []byte
		for _, block := range blocks {
			var err error
			if part, err = o.packed.Read(block, part); !yield(part, err) || err != nil {
				return
			}
		}
	}
}
