package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/store/postgres/postgrestest"
)

// BenchmarkFacts turns pages of the facts of BenchmarkFullSize's package, from its first fact and towards its last:
// they must not differ much. BenchmarkLoad measures what the index costs at the load.
func BenchmarkFacts(b *testing.B) {
	folder := fullSize(b, mexico(b))
	for _, kind := range []struct{ name, address string }{
		{"duckdb", "duckdb:" + filepath.Join(b.TempDir(), "full.duckdb")},
		{"postgres", ""},
	} {
		b.Run(kind.name, func(b *testing.B) {
			address := kind.address
			if address == "" {
				address = postgrestest.DSN(b)
			}
			began := time.Now()
			s, loaded := loadInto(b, address, folder)
			b.Cleanup(func() { _ = s.Close() })
			b.Logf("%d rows loaded in %v", loaded.Rows, time.Since(began))
			engine := cube.NewEngine(s)
			for _, size := range []int{cube.DefaultPageSize, cube.MaxPageSize} {
				begin := bindFacts(b, loaded, cube.FactQuery{Size: size})
				near := cube.Fact{Resource: len(loaded.Resources) - 1, Line: mexicoRows - 2*cube.MaxPageSize}
				b.Run(benchName("beginning", size), func(b *testing.B) { turnPages(b, engine, begin) })
				b.Run(benchName("end", size), func(b *testing.B) { turnPages(b, engine, begin.Following(near, size)) })
			}
		})
	}
}

func benchName(place string, size int) string {
	return place + "/" + cube.Integer(int64(size)).String()
}

func bindFacts(b *testing.B, version *cube.Cube, q cube.FactQuery) *cube.FactPlan {
	b.Helper()
	plan, err := version.BindFacts(q)
	if err != nil {
		b.Fatal(err)
	}
	return plan
}

// turnPages reads the page of a plan and the one after it. The first reading, from the disk, does not count.
func turnPages(b *testing.B, engine *cube.Engine, plan *cube.FactPlan) {
	turn := func() {
		page, err := engine.Facts(b.Context(), plan)
		if err != nil || len(page.Facts) != plan.Size() || page.Next == "" {
			b.Fatal(err, len(page.Facts), page.Next)
		}
		if _, err = engine.Facts(b.Context(), plan.Following(page.Facts[plan.Size()-1], plan.Size())); err != nil {
			b.Fatal(err)
		}
	}
	turn()
	for b.Loop() {
		turn()
	}
}
