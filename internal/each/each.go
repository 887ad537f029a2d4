// Package each makes lists of lists.
package each

import "slices"

// Of gives what each item becomes.
func Of[T, U any](items []T, of func(T) U) []U {
	list := make([]U, len(items))
	for i, item := range items {
		list[i] = of(item)
	}
	return list
}

// Text gives the text of each item.
func Text[T any](items []T, text func(T) string) []string { return Of(items, text) }

// Where gives the items for which something holds; nil if there are none.
func Where[T any](items []T, holds func(T) bool) (list []T) {
	for _, item := range items {
		if holds(item) {
			list = append(list, item)
		}
	}
	return list
}

// Found gives what is found of each item; nil if nothing is.
func Found[T, U any](items []T, find func(T) (U, bool)) (list []U) {
	for _, item := range items {
		if found, ok := find(item); ok {
			list = append(list, found)
		}
	}
	return list
}

// Once appends the items that a list does not have yet, each once.
func Once[T comparable](list []T, items ...T) []T {
	for _, item := range items {
		if !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}
