package storetest

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing/fstest"
)

// sparse is a package whose units come and go, so that a cut often leaves one side of a comparison without rows: in each
// year, and in each month of it, there are some of them. Nothing was paid before 2016, and 2018 has no rows.
func sparse(overlay string) fs.FS {
	random := rand.New(rand.NewPCG(5, 6))
	rows := []string{"year,month,unit,plan,paid,fees"}
	for _, year := range []int{2014, 2015, 2016, 2017, 2019} {
		for month := 1; month <= 4; month++ {
			if month == 4 && year%2 == 0 {
				continue
			}
			for unit := range 12 {
				if random.IntN(3) > 0 {
					continue
				}
				paid := ""
				if year >= 2016 {
					paid = fmt.Sprint(random.IntN(50) - 9)
				}
				rows = append(rows, fmt.Sprintf("%d,%d,u%d,%d,%s,%d", year, month, unit, random.IntN(100), paid, random.IntN(9)))
			}
		}
	}
	return fstest.MapFS{
		"lines.csv":    {Data: []byte(strings.Join(rows, "\n") + "\n")},
		"overlay.yaml": {Data: []byte(overlay)},
		"datapackage.json": {Data: []byte(`{"name": "sparse", "schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "month", "type": "integer"},
			{"name": "unit", "type": "string"}, {"name": "plan", "type": "number"}, {"name": "paid", "type": "number"},
			{"name": "fees", "type": "number"}]},
			"model": {"measures": {"plan": {}, "paid": {}, "fees": {}}, "dimensions": {
				"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
				"month": {"dimensionType": "other", "primaryKey": ["month"]},
				"unit": {"dimensionType": "other", "primaryKey": ["unit"]}}},
			"resources": [{"name": "lines", "path": "lines.csv"}]}`)},
	}
}
