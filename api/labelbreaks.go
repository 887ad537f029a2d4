package api

import (
	"slices"

	"fiscube/cube"
)

// breaksJSON says where the names of a level's members change over the fiscal years.
type breaksJSON struct {
	Breaks     []breakJSON `json:"breaks,omitempty"`
	BreakCount int         `json:"break_count,omitempty"` // also those that are not listed
	Renumbered []int64     `json:"renumbered,omitempty"`
}

type breakJSON struct {
	Path   []string `json:"path"`
	Reused bool     `json:"reused"`
	Before string   `json:"before"`
	After  string   `json:"after"`
	Last   int64    `json:"last"`
	First  int64    `json:"first"`
}

// mostBreaks is how many breaks of a level are listed.
const mostBreaks = 500

// breaksOf lists the breaks of a level, those of reused codes first.
func breaksOf(c *cube.Cube, level cube.Level) (list breaksJSON) {
	if c.LabelHistory == nil {
		return list
	}
	own := slices.DeleteFunc(slices.Clone(c.LabelHistory.Breaks), func(b cube.LabelBreak) bool { return b.Level != level.Ref })
	changed := slices.DeleteFunc(slices.Clone(own), func(b cube.LabelBreak) bool { return b.Reused })
	reused := slices.DeleteFunc(own, func(b cube.LabelBreak) bool { return !b.Reused })
	list.BreakCount = len(reused) + len(changed)
	for _, b := range slices.Concat(reused, changed)[:min(list.BreakCount, mostBreaks)] {
		list.Breaks = append(list.Breaks, breakJSON{b.Path, b.Reused, b.Before, b.After, b.Last, b.First})
	}
	for _, r := range c.LabelHistory.Renumbered {
		if r.Level == level.Ref {
			list.Renumbered = append(list.Renumbered, r.Year)
		}
	}
	return list
}
