package storetest

import (
	"context"
	"log/slog"
	"testing"

	"fiscube/cube/findings"
	"fiscube/store/catalogue"
	"fiscube/store/resident"
)

// Resident is a place whose store answers from memory as soon as something is loaded.
func Resident(place Place) Place { return residentPlace{place, true} }

// Asked is a place whose store keeps aggregates in memory, and asks the base cuboids for them.
func Asked(place Place) Place { return residentPlace{place, false} }

type residentPlace struct {
	Place
	bases bool // in memory
}

// Open implements Place.
func (p residentPlace) Open(t testing.TB) Store {
	t.Helper()
	s := inMemory(p.Place.Open(t).(resident.Inner), p.bases)
	s.refresh(t.Context())
	return s
}

// InMemory is a store that answers from memory as soon as something is loaded.
func InMemory(inner resident.Inner) Store { return inMemory(inner, true) }

func inMemory(inner resident.Inner, bases bool) residentStore {
	return residentStore{resident.New(inner, resident.Options{Bytes: 1 << 30, Few: 1, Many: 50}, slog.New(slog.DiscardHandler)), bases}
}

// Tables implements Place.
func (p residentPlace) Tables(t testing.TB, store Store) int {
	t.Helper()
	return p.Place.Tables(t, store.(residentStore).Inner.(Store))
}

// Query implements Place.
func (p residentPlace) Query(t testing.TB, store Store, text string) [][]string {
	t.Helper()
	return p.Place.Query(t, store.(residentStore).Inner.(Store), text)
}

// isResident tells whether the store answers from memory.
func (s *subject) isResident() bool {
	store := s.Store
	if r, ok := store.(*remembering); ok {
		store = r.Store
	}
	_, ok := store.(residentStore)
	return ok
}

// residentStore reads into memory what it loads, before it says that it is loaded.
type residentStore struct {
	*resident.Store
	bases bool
}

func (s residentStore) refresh(ctx context.Context) {
	if s.bases {
		s.Refresh(ctx)
	}
}

// Load implements catalogue.Loader.
func (s residentStore) Load(ctx context.Context, content catalogue.Content) (findings.Loaded, error) {
	loaded, err := s.Store.Load(ctx, content)
	if err == nil {
		s.refresh(ctx)
	}
	return loaded, err
}
