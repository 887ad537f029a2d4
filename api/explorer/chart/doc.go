// Package chart draws figures of amounts: bars, a treemap, lines over years, the change between two years, and flows between
// two levels.
//
// A figure is made of parts, whose texts and links the caller has written in the reader's language. It prints them as they are,
// so an amount of any number of digits stays whole; an amount becomes a floating point number only to be a position in
// pixels. A figure that would not be honest, such as a treemap with a negative part, is refused with the reason.
//
// The same shapes become a part of a page (HTML), whose colours are classes that CSS defines for light and dark schemes; a
// file (SVG) with its own colours; and an image (PNG). In a page each mark is a link, which keyboards and screen readers
// reach. A figure is drawn for a width: texts do not shrink with it, so a page for phones and screens has one figure for each.
package chart
