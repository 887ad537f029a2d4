// Package load brings a published package into a store.
//
// A load reads every file twice. The survey checks encoding, header, number of cells, types, sizes and hashes,
// writes nothing, and reports all problems at once. Only then are the rows streamed into the store, by types
// settled over all resources, in one transaction. Memory does not grow with the files; it grows with the
// number of members.
package load
