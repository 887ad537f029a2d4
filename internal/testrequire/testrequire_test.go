package testrequire_test

import (
	"fmt"
	"testing"

	"fiscube/internal/testrequire"
)

func TestSkip_FailsWhatIsRequired(t *testing.T) {
	for _, test := range []struct{ list, what, want string }{
		{"", "postgres", "skip: there is none"},
		{"postgres", "postgres", "fatal: FISCUBE_TEST_REQUIRE=postgres, but there is none"},
		{"node, postgres", "postgres", "fatal: FISCUBE_TEST_REQUIRE=node, postgres, but there is none"},
		{"node,chromium", "postgres", "skip: there is none"},
		{"postgresql", "postgres", "skip: there is none"},
	} {
		t.Run(test.list, func(t *testing.T) {
			t.Setenv(testrequire.Env, test.list)
			ended := &ending{TB: t}
			testrequire.Skip(ended, test.what, "there is none")
			if ended.as != test.want {
				t.Errorf("ended as %q, want %q", ended.as, test.want)
			}
		})
	}
}

// ending is a test that records how it was first ended, and goes on.
type ending struct {
	testing.TB
	as string
}

func (e *ending) Helper() {}

func (e *ending) Skip(args ...any) { e.end("skip: " + fmt.Sprint(args...)) }

func (e *ending) Fatalf(format string, args ...any) { e.end("fatal: " + fmt.Sprintf(format, args...)) }

func (e *ending) end(as string) {
	if e.as == "" {
		e.as = as
	}
}
