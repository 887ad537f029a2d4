package cube_test

import (
	"encoding/json"
	"testing"

	"fiscube/cube"
)

func TestPackage_License(t *testing.T) {
	for _, test := range []struct{ licenses, license, want string }{
		{"", "", ""},
		{"", `" CC0-1.0 "`, "CC0-1.0"},
		{`[{"name":"ODbL-1.0","title":"Open Database License"}]`, "", "Open Database License"},
		{`[{"name":"ODbL-1.0"},{"path":"https://example.org/terms"},"MIT"]`, `"MIT"`, "ODbL-1.0, https://example.org/terms, MIT"},
		{"", `{"url":"https://example.org/terms"}`, "https://example.org/terms"},
		{`"MIT"`, "", ""},
		{`[{"title":7,"name":" "},null,3,[]]`, `false`, ""},
	} {
		p := cube.Package{Extra: map[string]json.RawMessage{}}
		for name, text := range map[string]string{"licenses": test.licenses, "license": test.license} {
			if text != "" {
				p.Extra[name] = json.RawMessage(text)
			}
		}
		if got := p.License(); got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.licenses, test.license, got, test.want)
		}
	}
}
