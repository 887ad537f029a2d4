package redact

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, test := range [][2]string{
		{`"mysql://a:secret@b/c" names no store`, `"mysql://***@b/c" names no store`},
		{"http://user:secret@h/x.zip cannot be read", "http://***@h/x.zip cannot be read"},
		{"https://secret@h cannot be read", "https://***@h cannot be read"},
		{"postgres://a:se/cret@b/c", "postgres://***@b/c"},
		{"postgres://a:se@cret@b/c", "postgres://***@b/c"},
		{"postgres://h/d?user=a&password=secret&x=1", "postgres://h/d?user=a&password=***&x=1"},
		{"host=b password='sec ret' user=a", "host=b password=*** user=a"},
		{"http://a:secret@b and http://c:secret@d", "http://***@b and http://***@d"},
		{"https://example.org/@town/x?a=b@c", "https://example.org/@town/x?a=b@c"},
		{"no address: a@b, //", "no address: a@b, //"},
		{"http://user:se cret@h/x.zip is no URL", "http://***@h/x.zip is no URL"},
		{"http://us er:se@c ret@h/x.zip is no URL", "http://***@h/x.zip is no URL"},
		{`path: "https://user:sec \"ret@h:9/a.csv" is no URL`, `path: "https://***@h:9/a.csv" is no URL`},
		{`path: "https://user:sec ret sec ret…" is no URL`, `path: "https://***…" is no URL`},
		{"http://a:se cret@b is no URL\nhttp://c:se cret@d: http://e:se cret@f", "http://***@b is no URL\nhttp://***@d: http://***@f"},
		{`Get "https://h/x?a=b&token=se cr et&password=s e&c=d": refused "x"`, `Get "https://h/x?a=b&token=***&password=***&c=d": refused "x"`},
		{`https://h/x?token=secret cannot be read: "y"`, `https://h/x?token=*** cannot be read: "y"`},
		{"http://h:8080 says: a@b", "http://h:8080 says: a@b"},
		{"http://[::1]:8080/x cannot be read: a@b", "http://[::1]:8080/x cannot be read: a@b"},
		{"http://h cannot be read: dial tcp 10.0.0.1:80: a@b", "http://h cannot be read: dial tcp 10.0.0.1:80: a@b"},
	} {
		if got := Text(test[0]); got != test[1] {
			t.Errorf("%s: %s, want %s", test[0], got, test[1])
		}
	}
}

func TestAttr(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: Attr}))
	log.Warn("x http://a:secret@b", "error", errors.New("http://a:secret@b"), "text", "http://a:secret@b", slog.Group("g", "url", "http://a:secret@b"))
	if strings.Contains(out.String(), "secret") || strings.Count(out.String(), "http://***@b") != 4 {
		t.Errorf("the log says %s", out.String())
	}
}
