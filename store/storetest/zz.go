package storetest

import (
	"slices"
	"testing"
	"time"

	"fiscube/cube"
)

func ZZ(t *testing.T, place Place, serve func(testing.TB, *cube.Engine) Get, byHand ByHand) {
	store := place.Open(t)
	defer store.Close()
	if _, err := loadInto(t.Context(), store, onDisk("D7-mexico")(t)); err != nil {
		t.Fatal(err)
	}
	e := cube.NewEngine(store)
	get := serve(t, e)
	one, _ := e.Cube(t.Context(), "mexico")
	for _, q := range []string{"", "drilldown=ID_CAPITULO&cut=CICLO:2008&aggregates=MONTO_APROBADO.sum"} {
		plan, _ := bind(one, q)
		text, args := store.Statement(plan)
		var http, eng, hand []time.Duration
		for range 300 {
			http = append(http, timed(func() { get("/cubes/mexico/aggregate?" + q) }))
			eng = append(eng, timed(func() { e.Aggregate(t.Context(), plan) }))
			hand = append(hand, timed(func() { byHand(t.Context(), store, text, args) }))
		}
		for _, l := range [][]time.Duration{http, eng, hand} {
			slices.Sort(l)
			t.Log(q, l[0], l[75], l[150])
		}
	}
}
