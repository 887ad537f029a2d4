package selection

import (
	"cmp"
	"strconv"
	"strings"
)

// The figures of a page, which the parameter _view names. Any other value is the table.
const (
	AsTable   = "table"
	AsBars    = "bars"
	AsTreemap = "treemap"
	AsLine    = "line"
	AsChange  = "change"
	AsSankey  = "sankey"
)

// AsPair is the view of one of two selections, which no address names.
const AsPair = "pair"

// Kind is the figure that the address names.
func (s *Selection) Kind() string {
	switch s.Address.View {
	case AsBars, AsTreemap, AsLine, AsChange, AsSankey:
		return s.Address.View
	}
	return AsTable
}

// LevelsOf is how many levels a figure is broken down by at least.
func LevelsOf(kind string) int {
	switch kind {
	case AsBars, AsTreemap, AsChange:
		return 1
	case AsSankey:
		return 2
	}
	return 0
}

// Pictured is the figure of a picture: that which the address names. A table is shown as bars or, where nothing is ranked, as a line.
func (s *Selection) Pictured() string {
	switch kind := s.Kind(); {
	case kind != AsTable:
		return kind
	case len(s.Drilled()) > 0 && !s.DrillsTime():
		return AsBars
	}
	return AsLine
}

// HeadingOf says what a figure is about: a line is of all years, a change of two.
func (s *Selection) HeadingOf(kind string) string {
	title := s.Title
	year, ok := s.Year()
	if ok && (kind == AsLine || kind == AsChange) {
		title = cmp.Or(strings.TrimSuffix(title, ", "+s.Years([]int64{year})), title)
	}
	if ok && kind == AsChange {
		title += ", " + s.Say("compare.change-between", "First", strconv.FormatInt(year+s.Offset(), 10), "Last", strconv.FormatInt(year, 10))
	}
	return strings.TrimSuffix(title+" – "+s.Subtitle(), " – ")
}
