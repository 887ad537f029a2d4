// Package words has what fiscube says to people, in catalogues: one file for each language, in locales. A Locale says a message by its
// id, and writes numbers, amounts and lists as its language and region do. English has a description for translators beside each message.
//
//	say.go        a message with its parameters
//	catalogue.go  the files, and what is checked of them
//	template.go   how a message names its parameters
//	marks.go      the marks of numbers
//	amounts.go    amounts, shares and sizes
//	lists.go      lists in a sentence, years
//	typed.go      numbers that people type
package words
