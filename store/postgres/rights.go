package postgres

import (
	"context"
	"fmt"
	"slices"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// mayReadCuboids tells whether the role of the connection may read every cuboid.
const mayReadCuboids = `SELECT has_schema_privilege('cuboid', 'USAGE') AND NOT EXISTS (SELECT FROM pg_class
	WHERE relnamespace = to_regnamespace('cuboid') AND relkind IN ('r', 'p') AND NOT has_table_privilege(oid, 'SELECT'))`

// forRole leaves the cuboids out of a catalogue that the role may not read: then questions are answered from the facts. A role
// that only reads may have been granted its rights before there were cuboids.
func (s *Store) forRole(ctx context.Context, catalog *cube.Catalog) (*cube.Catalog, error) {
	all := catalog.All()
	if !slices.ContainsFunc(all, func(c *cube.Cube) bool { return len(c.Cuboids) > 0 }) {
		return catalog, nil
	}
	may := false
	for values, err := range s.versions.Ask(ctx, sqlgen.SQL{Text: mayReadCuboids}) {
		if err != nil {
			return nil, fmt.Errorf("look for the right to read cuboids: %w", err)
		}
		may = values[0].(bool)
	}
	if may {
		s.bare = nil
		return catalog, nil
	}
	if s.bare == nil {
		s.log.Warn("the role may not read the schema cuboid, so that questions are answered from the facts, which is slower; " +
			"docs/operating.md says what to grant")
	}
	bare := map[*cube.Package]*cube.Package{}
	cubes := make([]*cube.Cube, len(all))
	for i, c := range all {
		if bare[c.Package] = s.bare[c.Package]; bare[c.Package] == nil {
			pkg := *c.Package
			pkg.Cuboids = nil
			bare[c.Package] = &pkg
		}
		without := *c
		without.Package = bare[c.Package]
		cubes[i] = &without
	}
	s.bare = bare
	return cube.NewCatalog(cubes), nil
}
