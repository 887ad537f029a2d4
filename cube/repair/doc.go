// Package repair mends what published packages say wrongly of themselves. Each irregularity has one small
// pass: it looks at the evidence that a survey gathered, changes the draft of the model, and says what it did.
// What an overlay settled is left alone, and an overlay can switch each pass off, for a field or altogether.
package repair
