package catalogue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
)

// AddSeries adds series of one file, in place of those of an earlier file of the name.
func AddSeries(ctx context.Context, transaction Ask, list []cube.Series) error {
	content, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("write series: %w", err)
	}
	_, err = transaction.rows(ctx, "add series", upsertSeries, list[0].Name, string(content))
	return err
}

// RemoveSeries removes the series of a file.
func RemoveSeries(ctx context.Context, transaction Ask, name string) error {
	removed, err := transaction.rows(ctx, "remove series", deleteSeries, name)
	if err != nil || len(removed) > 0 {
		return err
	}
	added, err := readSeries(ctx, transaction)
	if err != nil {
		return err
	}
	var names []string
	if added != nil {
		names = each.Text(added.Series, func(s cube.Series) string { return s.Name })
	}
	return cube.Errorf(cube.CodeUnknownRef, "no series of the name %q were added", name).WithHint("fiscube series lists those that were").Meaning(name, names)
}

// readSeries reads the series that were added; nil if there are none.
func readSeries(ctx context.Context, ask Ask) (*cube.Added, error) {
	rows, err := ask.rows(ctx, "read the series", selectSeries)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	contents := make([]string, len(rows))
	added := &cube.Added{}
	for i, row := range rows {
		contents[i] = row[0].(string)
		var list []cube.Series
		if err := json.Unmarshal([]byte(contents[i]), &list); err != nil {
			return nil, fmt.Errorf("read the series: %w", err)
		}
		added.Series = append(added.Series, list...)
	}
	id := sha256.Sum256([]byte(strings.Join(contents, "\n")))
	added.ID = hex.EncodeToString(id[:])
	return added, nil
}
