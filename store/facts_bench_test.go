package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/testfolder"
	"fiscube/store/postgres/postgrestest"
)

// BenchmarkFacts turns pages of the facts of BenchmarkFullSize's package, from its first fact and towards its last:
// they must not differ much. BenchmarkLoad measures what the index costs at the load.
func BenchmarkFacts(b *testing.B) {
	folder := fullSize(b, testfolder.Real(b, "D7-mexico"))
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
			for _, size := range []int{query.DefaultPageSize, query.MaxPageSize} {
				begin := bindFacts(b, loaded, query.FactQuery{Size: size})
				near := plan.Fact{Resource: len(loaded.Resources) - 1, Line: mexicoRows - 2*query.MaxPageSize}
				b.Run(benchName("beginning", size), func(b *testing.B) { turnPages(b, s, begin) })
				b.Run(benchName("end", size), func(b *testing.B) { turnPages(b, s, begin.From(near, size)) })
			}
		})
	}
}

func benchName(place string, size int) string {
	return place + "/" + cube.Integer(int64(size)).String()
}

func bindFacts(b *testing.B, version *cube.Cube, q query.FactQuery) *plan.FactPlan {
	b.Helper()
	p, err := plan.BindFacts(version, q)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// turnPages reads the page of a plan and the one after it. The first reading, from the disk, does not count.
func turnPages(b *testing.B, s answer.Store, p *plan.FactPlan) {
	turn := func() {
		page, err := answer.Facts(b.Context(), s, p, cube.English)
		if err != nil || len(page.Facts) != p.Size() || page.Next == "" {
			b.Fatal(err, len(page.Facts), page.Next)
		}
		if _, err = answer.Facts(b.Context(), s, p.From(page.Facts[p.Size()-1], p.Size()), cube.English); err != nil {
			b.Fatal(err)
		}
	}
	turn()
	for b.Loop() {
		turn()
	}
}
