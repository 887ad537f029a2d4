package api_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"fiscube/api"
	"fiscube/cube/plan"
	"fiscube/cube/search"
)

// searchable is a service over the fake whose index is read.
func searchable(t testing.TB, f api.Store) http.Handler {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	index := search.New(f, log)
	if err := index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return api.New(f, api.Options{Document: documentBytes(t), Log: log, Search: index})
}

// levelled is the fake with members of one level alone.
type levelled struct {
	*fake
	level string
}

// Members implements answer.Store.
func (l levelled) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	if s.Level().Ref == l.level {
		return l.fake.Members(ctx, s)
	}
	return plan.MemberRows{Members: endingIn[plan.MemberRow](nil, nil), Close: func() {}}, nil
}

// The search ends when the client has gone.
func TestSearch_ClientLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	recorder := httptest.NewRecorder()
	searchable(t, newFake(t)).ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodGet, "/search?q=e", nil))
	if recorder.Code == http.StatusOK {
		t.Errorf("it is answered: %s", recorder.Body)
	}
}

func TestSearch_CubeThatIsNotReadYet(t *testing.T) {
	h := handler(t, newFake(t))
	for lang, want := range map[string]string{"en": "is still being read", "es": "todavía se está leyendo"} {
		r := ask(t, h, "/search?q=novi&cube=croatia&lang="+lang)
		says(t, r.body, `"total_hit_count":0,"incomplete":true,"hits":[],"page":1,"page_size":20,"warnings":[{"code":"search-pending"`, want)
	}
}
