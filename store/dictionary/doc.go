// Package dictionary keeps members in memory by their numbers (cube.Member): their keys, labels and ranks. A cuboid has only
// numbers, so a dictionary turns the filters of a statement into numbers before a store is asked, and the numbers that it
// answers into keys and labels.
//
// A level is read from its tables when it is first needed. A dictionary is bounded in bytes: what was not needed for the longest
// time is dropped, and read again when it is needed again.
package dictionary
