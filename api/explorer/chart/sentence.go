package chart

// Sentence is a text in the place of a figure, such as why there is none.
func Sentence(f Frame, s string) Figure {
	const size = 16
	var shapes []shape
	y := 0.0
	for _, line := range wrap(s, size, false, f.width(), 8) {
		y += size * 1.4
		shapes = append(shapes, text{y: y - size*0.4, size: size, ink: inkText, s: line})
	}
	return f.figure(y, shapes)
}
