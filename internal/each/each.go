// Package each makes lists of lists.
package each

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
