package search

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// stems are what the made-up names are put together from.
var stems = strings.Fields(`
ministerio dirección general secretaría técnica educación salud hacienda agricultura pesca alimentación transporte
obras públicas defensa justicia interior exteriores cultura deporte turismo industria comercio energía minas ambiente
agua vivienda urbanismo trabajo previsión social instituto nacional consejo servicio fondo programa apoyo desarrollo
rural municipal regional departamento oficina control interno auditoría presupuesto contabilidad tesorería compras
mantenimiento equipos materiales suministros servicios personales becas subsidios transferencias inversión capital
hospital escuela universidad policía tribunal archivo biblioteca museo puerto aeropuerto carretera puente riego
ministarstvo financija obrazovanja zdravstva županija općina grad uprava škola bolnica kazalište šuma cesta
administration health education defence revenue grant loan interest pension insurance research statistics`)

// catalogue makes a cube of so many members: names of one to six words, some of which are nobody else's, codes of six
// digits under one of a hundred areas, and for one in ten another name in other years.
func catalogue(t testing.TB, m *made, id int64, members int) *cube.Cube {
	r := rand.New(rand.NewPCG(uint64(id), 7))
	cb := budget(t, id, fmt.Sprintf("made-up-%d", id), "A made-up budget")
	syllables := strings.Fields("ba ce di fo gu ha je ki lo mu na pe ri so tu va xe zi sta bra cla")
	name := func() string {
		words := make([]string, 1+r.IntN(6))
		for i := range words {
			if words[i] = stems[r.IntN(len(stems))]; r.IntN(4) == 0 {
				words[i] = ""
				for range 2 + r.IntN(3) {
					words[i] += syllables[r.IntN(len(syllables))]
				}
			}
		}
		return strings.ToUpper(words[0][:1]) + strings.Join(words, " ")[1:]
	}
	var areas, units []plan.MemberRow
	for i := range 100 {
		areas = append(areas, row(int64(1000+i), []string{fmt.Sprintf("%03d", i)}, name()))
	}
	for i := range members - len(areas) {
		labels := []string{name()}
		if r.IntN(10) == 0 {
			labels = append(labels, name())
		}
		units = append(units, row(1+r.Int64N(500), []string{fmt.Sprintf("%03d", i%100), fmt.Sprintf("%06d", i)}, labels...))
	}
	m.put(cb, "area", areas...)
	m.put(cb, "unit", units...)
	m.pay(cb, "area|unit|year", spent(r, units)...)
	return cb
}

// spent gives each member an amount in each of three years.
func spent(r *rand.Rand, members []plan.MemberRow) []plan.Group {
	var cells []plan.Group
	for _, row := range members {
		for year := range int64(3) {
			amount := fmt.Sprintf("%d.%02d", r.Int64N(1_000_000_000), r.IntN(100))
			cells = append(cells, paid(amount, row.Path[0], row.Path[1], cube.Integer(2016+year)))
		}
	}
	return cells
}

// BenchmarkFind asks a catalogue of 100,000 members, and reports beside the mean the time that 95 of 100 queries keep.
func BenchmarkFind(b *testing.B) {
	m := newMade()
	var cubes []*cube.Cube
	for id := range int64(4) {
		cubes = append(cubes, catalogue(b, m, id+1, 25_000))
	}
	m.serve(cubes...)
	x := m.index()
	if err := x.Refresh(b.Context()); err != nil {
		b.Fatal(err)
	}
	for name, texts := range map[string][]string{
		"exact":   {"agricultura", "Instituto Nacional", "hospital", "cesta"},
		"prefix":  {"agri", "min", "s", "univ", "p"},
		"typo":    {"educacoin", "ministreio", "agriculutra", "hospitla", "contabilidda"},
		"words":   {"nacional instituto salud", "direccion general de obras", "ministerio salud programa apoyo rural desarrollo"},
		"code":    {"000123", "0012", "099", "00"},
		"nothing": {"xylophone", "qqq", "zzzzzzzzzz agua", "999999"},
		"longest": {longest(rand.New(rand.NewPCG(1, 2)))},
	} {
		b.Run(name, func(b *testing.B) { benchmarkFind(b, x, texts, cubes) })
	}
}

// longest is a query of as many long words as it may have.
func longest(r *rand.Rand) string {
	var long, words []string
	for _, s := range stems {
		if len(s) >= 8 {
			long = append(long, s)
		}
	}
	for {
		next := append(slices.Clone(words), long[r.IntN(len(long))])
		if len([]rune(strings.Join(next, " "))) > mostCharacters || len(next) > mostWords {
			return strings.Join(words, " ")
		}
		words = next
	}
}

func benchmarkFind(b *testing.B, x *Index, texts []string, cubes []*cube.Cube) {
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		q, err := Parse(texts[i%len(texts)])
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Find(b.Context(), q, cubes, query.Page{Number: 1, Size: 20}); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
}

// BenchmarkRead builds the index, and reports what it takes in memory.
func BenchmarkRead(b *testing.B) {
	const members = 100_000
	m := newMade()
	cb := catalogue(b, m, 1, members)
	x := m.index()
	before := heap()
	var p *part
	for b.Loop() {
		var err error
		if p, err = x.read(b.Context(), cb, members); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(heap()-before)/members, "heap-B/member")
	b.ReportMetric(float64(p.bytes())/members, "B/member")
	b.ReportMetric(float64(len(p.words)), "words")
	runtime.KeepAlive(m)
}

func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
