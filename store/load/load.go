package load

import (
	"context"

	"fiscube/cube"
)

// Run surveys a package and loads it into a store. The error is *Rejected when the package cannot be loaded
// as it is, and fdp.Problems when its descriptor cannot.
func Run(ctx context.Context, store cube.Backend, source *Source, progress Progress) (cube.Loaded, error) {
	survey, err := Take(ctx, source, progress)
	if err != nil {
		return cube.Loaded{}, err
	}
	return store.Load(ctx, newContent(survey, progress))
}

// Count reads every file once more and gives the report with what the members show, as a load would store it.
func (s *Survey) Count(ctx context.Context, progress Progress) (*cube.Report, error) {
	c := newContent(s, progress)
	c.stage = "Counting"
	for _, err := range c.Rows(ctx) {
		if err != nil {
			return nil, err
		}
	}
	return c.Report(), nil
}
