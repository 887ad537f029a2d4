// Package answer makes the answer to a plan: it asks a store for the statements and runs the passes of Run over the
// rows. The rules of each pass are listed above it.
package answer
