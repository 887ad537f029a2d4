// Package testrequire skips a test where the machine does not have what the test needs. A run can forbid that:
// continuous integration that skips quietly checks nothing.
package testrequire

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Env names the variable that lists, separated by commas, what a run may not skip for: postgres, pgbouncer, chromium,
// node, data, mount, clients.
const Env = "FISCUBE_TEST_REQUIRE"

// Skip skips t because the machine does not have what; why is a sentence for the log of the test. Where Env lists
// what, t fails instead.
func Skip(t testing.TB, what, why string) {
	t.Helper()
	if Requires(what) {
		t.Fatalf("%s=%s, but %s", Env, os.Getenv(Env), why)
	}
	t.Skip(why)
}

// Requires tells whether Env lists what.
func Requires(what string) bool {
	list := strings.Split(os.Getenv(Env), ",")
	return slices.ContainsFunc(list, func(item string) bool { return strings.TrimSpace(item) == what })
}

// LongEnv names the variable of a run that has time for what takes long: make long, which CI runs too.
const LongEnv = "FISCUBE_TEST_LONG"

// IsLong tells whether the run has time for what takes long.
func IsLong() bool { return os.Getenv(LongEnv) != "" }

// Share gives how much of something a run takes: all of it where it has time for what takes long, and some of it otherwise.
func Share[T any](some, all T) T {
	if IsLong() {
		return all
	}
	return some
}

// Long skips t unless the run has time for what takes long.
func Long(t testing.TB) {
	t.Helper()
	if !IsLong() {
		t.Skip("it takes long: make long runs it")
	}
}
