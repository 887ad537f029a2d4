package e2e

import (
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

// wholeZip gets the whole package of a cube and gives the path of its zip.
func (s *service) wholeZip(t testing.TB, name string) string {
	t.Helper()
	status, body := s.get(t, "/cubes/"+name+"/package.zip")
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	path := filepath.Join(t.TempDir(), name+".zip")
	write(path, body)
	return path
}

// wholeModel is a model, as far as it does not depend on the load.
type wholeModel struct {
	Synthetic                                                              bool
	Dimensions, Levels, Measures, Derived, Aggregates, Snapshots, Warnings any
	Resources                                                              []modelResource
}

type modelResource struct {
	Name    string
	LeftOut string `json:"left_out"`
}

// isLoadedAgain compares a cube with one that was loaded from its whole package: the model, the facts and members, and the
// answers to questions about every level and year.
func (s *service) isLoadedAgain(t *testing.T, name string, again *service) {
	var want, got wholeModel
	s.read(t, "/cubes/"+name+"/model", &want)
	again.read(t, "/cubes/"+name+"/model", &got)
	loaded := slices.DeleteFunc(want.Resources, func(r modelResource) bool { return r.LeftOut != "" })
	if len(loaded) != len(got.Resources) {
		t.Fatalf("the resources are %v, not %v", got.Resources, loaded)
	}
	for i, r := range got.Resources {
		path := "/cubes/" + name + "/resources/" + url.PathEscape(r.Name)
		if r.Name != loaded[i].Name || get(t, again.url+path) != get(t, s.url+path) {
			t.Errorf("the rows of %s are others than those of %s", r.Name, loaded[i].Name)
		}
	}
	want.Resources, got.Resources = nil, nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the model is\n%+v\nnot\n%+v", got, want)
	}
	for _, path := range s.manyQuestions(t, name) {
		want, got := map[string]any{}, map[string]any{}
		s.read(t, path, &want)
		again.read(t, path, &got)
		for _, answer := range []map[string]any{want, got} {
			delete(answer, "version")
			delete(answer, "next") // has the fingerprint
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%v\nnot\n%v", path, got, want)
		}
	}
}

// manyQuestions asks for totals, for each level alone and by year, and for its members.
func (s *service) manyQuestions(t testing.TB, name string) []string {
	t.Helper()
	var model struct {
		Levels     []struct{ Ref string }
		Aggregates []string
	}
	s.read(t, "/cubes/"+name+"/model", &model)
	year := ""
	for _, level := range model.Levels {
		if slices.Contains([]string{"Year", "CICLO", "ANO", "ciclo", "ejercicio", "periodo", "anio"}, level.Ref) {
			year = level.Ref
		}
	}
	cubePath := "/cubes/" + name
	paths := []string{cubePath + "/aggregate", cubePath + "/aggregate?snapshots=all&aggregates=" + url.QueryEscape(strings.Join(model.Aggregates, "|")), cubePath + "/facts?pagesize=50"}
	for _, level := range model.Levels {
		ref := url.QueryEscape(level.Ref)
		paths = append(paths, cubePath+"/aggregate?drilldown="+ref, cubePath+"/members/"+url.PathEscape(level.Ref)+"?pagesize=1000")
		if year != "" && year != level.Ref {
			paths = append(paths, cubePath+"/aggregate?pagesize=500&drilldown="+year+"|"+ref)
		}
	}
	return paths
}

// Every example package is the same cube when it is loaded from its whole package.
func TestWholePackage_OfSeeds(t *testing.T) {
	s := again.onDuckDB(t)
	args := []string{"load", "--db", freshDuckDB(t)}
	for _, seed := range seeds.All() {
		args = append(args, s.wholeZip(t, seed.Name))
	}
	must(t, args...)
	other := serve(t, args[2])
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) { s.isLoadedAgain(t, seed.Name, other) })
	}
}
