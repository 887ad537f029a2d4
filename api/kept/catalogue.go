package kept

import (
	"context"
	"maps"

	"fiscube/cube"
)

// seen is the catalogue at the last request.
type seen struct {
	catalog  *cube.Catalog
	versions map[string]shown // those that can be asked for
	state    int64
}

// state gives the number of the catalogue's state. It changes with every load, rollback and removal, and when others may see a cube.
func (k *Answers) state(ctx context.Context) (int64, error) {
	catalog, err := k.loaded.Catalog(ctx)
	if err != nil {
		return 0, err
	}
	if last := k.seen.Load(); last.catalog == catalog {
		return last.state, nil
	}
	k.changing.Lock()
	defer k.changing.Unlock()
	last := k.seen.Load()
	if last.catalog == catalog {
		return last.state, nil
	}
	next := &seen{catalog, versionsOf(catalog), last.state}
	if !maps.Equal(next.versions, last.versions) {
		next.state++
		k.removeGone(next.versions)
	}
	k.seen.Store(next)
	return next.state, nil
}

// shown is how a version can be asked for.
type shown struct {
	served bool
	to     cube.Visibility
}

func versionsOf(catalog *cube.Catalog) map[string]shown {
	versions := map[string]shown{}
	for _, version := range catalog.All() {
		versions[version.Key()] = shown{version.Served, version.Visibility}
	}
	return versions
}

// removeGone removes the answers about versions that are gone, and all requests: a request that comes again finds its answer by
// its question.
func (k *Answers) removeGone(versions map[string]shown) {
	var gone []string
	for key, e := range k.entries.All() {
		if _, there := versions[e.version]; !there {
			gone = append(gone, key)
		}
	}
	for _, key := range gone {
		k.entries.Invalidate(key)
	}
}
