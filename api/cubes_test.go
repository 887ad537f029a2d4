package api_test

import (
	"net/http"
	"testing"
)

// The bodies in full, because the order of their names is part of them.
func TestCubes(t *testing.T) {
	h := handler(t, newFake(t))
	const measures = `"measures":[{"ref":"approved_value","title":"Approved","currency":"HRK","unit":1,"phase":"approved",` +
		`"direction":"expenditure"},{"ref":"executed: cash"}],`
	for path, want := range map[string]string{
		"/cubes": `{"status":"ok","cubes":[` +
			`{"name":"croatia","title":"Croatia <Budget> & More","country":"HR","years":[2014,2017],"rows":539917,"version":3,"synthetic":false},` +
			`{"name":"own:h\"r 100%/ž","title":"","country":"","years":null,"rows":0,"version":1,"synthetic":true}],` +
			`"page":1,"page_size":2,"warnings":[]}`,
		"/cubes/croatia": `{"status":"ok","name":"croatia","title":"Croatia <Budget> & More","country":"HR",` +
			`"years":[2014,2017],"rows":539917,"version":3,"synthetic":false,"publisher":"Ministry",` +
			`"start_date":"2014-01-01","created":"2018-05-01","tags":["budget"],` + measures + `"resources":[` +
			`{"name":"a","path":"data/a.csv","bytes":7,"hash":"ab","rows":3},` +
			`{"name":"b","path":"data/b.csv","bytes":8,"hash":"cd","rows":4}],"warnings":[]}`,
		"/cubes/own:h%22r%20100%25%2F%C5%BE": `{"status":"ok","name":"own:h\"r 100%/ž","title":"","country":"",` +
			`"years":null,"rows":0,"version":1,"synthetic":true,"tags":[],"measures":[],"resources":[],"warnings":[]}`,
		"/cubes/croatia/model": `{"status":"ok","cube":"croatia","version":3,"synthetic":false,"dimensions":[` +
			`{"name":"date","type":"datetime","chains":[["Year"]]},` +
			`{"name":"administrative-classification","type":"classification","classification":"administrative",` +
			`"chains":[["admin1_code","admin2_code"]]},` +
			`{"name":"units","chains":[["unit"]]},{"name":"other","chains":[["econ_code"],["fin_code"]]}],"levels":[` +
			`{"ref":"Year","dimension":"date","type":"integer","members":2},` +
			`{"ref":"admin1_code","label_ref":"admin1_label","dimension":"administrative-classification","type":"text"},` +
			`{"ref":"admin2_code","label_ref":"admin2_label","parent":"admin1_code","dimension":"administrative-classification","type":"text"},` +
			`{"ref":"unit","within":["admin1_code"],"dimension":"units","type":"text","members":1},` +
			`{"ref":"econ_code","dimension":"other","type":"text"},{"ref":"fin_code","dimension":"other","type":"text"}],` + measures +
			`"derived":[],"aggregates":["_count","approved_value.sum","approved_value.count","approved_value.avg","approved_value.min",` +
			`"approved_value.max","\"executed: cash\".sum","\"executed: cash\".count","\"executed: cash\".avg",` +
			`"\"executed: cash\".min","\"executed: cash\".max"],"resources":[` +
			`{"name":"a","path":"data/a.csv","bytes":7,"hash":"ab","rows":3},{"name":"b","path":"data/b.csv","bytes":8,"hash":"cd","rows":4}],` +
			`"coverage":[{"field":"Year","filled":[3,4]},{"field":"unit","filled":[0,null]}],"warnings":[]}`,
	} {
		r := ask(t, h, path)
		if r.status != http.StatusOK || r.body != want {
			t.Errorf("%s: status %d\n%s\nwant\n%s", path, r.status, r.body, want)
		}
	}
}

func TestNoCubes(t *testing.T) {
	r := ask(t, handler(t, &fake{}), "/cubes")
	if want := `{"status":"ok","cubes":[],"page":1,"page_size":0,"warnings":[]}`; r.body != want {
		t.Errorf("%s\nwant %s", r.body, want)
	}
}

func TestDocumentIsServedAsItIs(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/openapi.yaml")
	if r.body != string(documentBytes(t)) || r.header.Get("Content-Type") != "application/yaml" {
		t.Error("it is not")
	}
}
