package findings

import "fiscube/cube"

// Outcome is the result of a load.
type Outcome string

// The outcomes of a load.
const (
	OutcomeLoaded    Outcome = "loaded"    // a new version, now served
	OutcomeUnchanged Outcome = "unchanged" // the served version has this fingerprint already
	OutcomeRestored  Outcome = "restored"  // an earlier version has this fingerprint and is served again
)

// Loaded is the version that is served after a load, and how the load ended.
type Loaded struct {
	Cube    *cube.Cube
	Outcome Outcome
	Asked   []Asked // of a table without a descriptor
}
