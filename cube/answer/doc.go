// Package answer makes the answer to a plan: it asks a store for the statements and runs the passes of Run over the
// rows. The rules of a pass stand numbered above it.
package answer
