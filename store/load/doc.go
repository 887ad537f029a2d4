// Package load brings a published package into a store.
//
// A load reads every file twice. The survey checks encoding, header, number of cells, types, sizes and hashes,
// writes nothing, and reports all problems at once. Only then are the rows streamed into the store, by types
// settled over all resources, in one transaction. Memory does not grow with the files; it grows with the
// number of members.
//
// A package may come from anyone, so nothing it says is trusted: paths stay in its folder or zip (os.Root; the
// entries of a zip are never unpacked to disk), addresses are checked when they are dialled and not when they
// are read, and what is fetched or unpacked is bounded in bytes, time and ratio. Bytes are hashed as published,
// before decoding and after decompression. Encodings and number forms are declared, never guessed.
package load
