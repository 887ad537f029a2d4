// Package testrequire lets a test do without what a machine lacks, unless the run says that nothing may be
// missing: a continuous integration that skips quietly checks nothing.
package testrequire

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Env names the variable that lists, separated by commas, what a run may not skip for: postgres, chromium,
// node, data.
const Env = "FISCUBE_TEST_REQUIRE"

// Skip skips t because what is not to be had, for the reason why, a sentence for whoever reads the test log.
// Where Env lists what, t fails instead.
func Skip(t testing.TB, what, why string) {
	t.Helper()
	if required(what) {
		t.Fatalf("%s=%s, but %s", Env, os.Getenv(Env), why)
	}
	t.Skip(why)
}

func required(what string) bool {
	list := strings.Split(os.Getenv(Env), ",")
	return slices.ContainsFunc(list, func(item string) bool { return strings.TrimSpace(item) == what })
}
