package describe

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"

	"fiscube/internal/each"
	"fiscube/store/evidence"
	"fiscube/store/load"
)

// column is what the cells of a column show, over all files.
type column = evidence.Column

// profile is what the cells of all files show.
type profile struct {
	*evidence.Table
	forms []*form
}

// readRows reads the files as they are, and keeps their rows.
func readRows(ctx context.Context, files fs.FS, forms []*form, o load.Options, progress load.Progress) (*load.Source, *load.Kept, error) {
	document := descriptor{Name: "described"}
	for i, f := range forms {
		r := resourceOf(f, resourceNames(forms)[i])
		for n, name := range f.header {
			r.Schema.Fields = append(r.Schema.Fields, field{Name: name, Column: f.column(n), Type: "string"})
		}
		document.Resources = append(document.Resources, r)
	}
	text, err := json.Marshal(document)
	if err != nil {
		return nil, nil, err
	}
	source, err := load.OpenMade(ctx, files, text, nil, o)
	if err != nil {
		return nil, nil, err
	}
	kept, err := load.Keep(ctx, source, progress)
	if err != nil {
		return nil, nil, errors.Join(err, source.Close())
	}
	return source, kept, nil
}

// readProfile reads the cells of all columns.
func readProfile(ctx context.Context, forms []*form, kept *load.Kept) (*profile, error) {
	headers := each.Of(forms, func(f *form) []string { return f.header })
	table, err := evidence.Read(ctx, headers, func(c *column) {
		c.Words = wordsOf(c.Name)
		c.Dated = has(c.Words, vocabulary.Date) != "" || has(c.Words, vocabulary.Month) != ""
	}, load.IsTotal, func(ctx context.Context, file int) iter.Seq2[evidence.Row, error] {
		return func(yield func(evidence.Row, error) bool) {
			for row, err := range kept.Rows(ctx, file) {
				if !yield(evidence.Row(row), err) {
					return
				}
			}
		}
	})
	return &profile{table, forms}, err
}

// dialect is how the table of a file is written (Table Dialect), and raggedRows, a key of fiscube's own.
type dialect struct {
	Delimiter   string  `json:"delimiter,omitempty"`
	Header      *bool   `json:"header,omitempty"`
	HeaderRows  []int64 `json:"headerRows,omitempty"`
	CommentRows []int64 `json:"commentRows,omitempty"`
	RaggedRows  bool    `json:"raggedRows,omitempty"`
	SheetName   string  `json:"sheetName,omitempty"`
}

func (f *form) dialect() dialect {
	d := dialect{Delimiter: f.delimiter, CommentRows: slices.Sorted(slices.Values(f.comments)), RaggedRows: f.ragged > 0, SheetName: f.sheet}
	switch {
	case len(f.headerRows) == 0:
		none := false
		d.Header = &none
	case len(f.headerRows) > 1 || f.headerRows[0] > 1:
		d.HeaderRows = f.headerRows
		d.CommentRows = slices.DeleteFunc(d.CommentRows, func(at int64) bool { return at <= f.headerRows[len(f.headerRows)-1] })
	}
	return d
}

// column gives the published name of a column whose field has another, or nil.
func (f *form) column(i int) *string {
	if len(f.headerRows) == 0 || f.columns[i] == f.header[i] {
		return nil
	}
	return &f.columns[i]
}

// resourceNames names each file by its own name, or by its path where two have one name.
func resourceNames(forms []*form) []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = path.Base(f.path)
		for j, other := range forms {
			if i != j && path.Base(other.path) == names[i] {
				names[i] = f.path
				break
			}
		}
	}
	return names
}
