// Package each maps lists.
package each

// Text gives the text of each item.
func Text[T any](items []T, text func(T) string) []string {
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = text(item)
	}
	return list
}
