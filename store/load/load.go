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
