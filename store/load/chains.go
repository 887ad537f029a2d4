package load

import (
	"fmt"

	"fiscube/cube"
	"fiscube/cube/repair"
)

// width is how many values a level has, each counted once however many parents it stands under, and how many
// members, each counted under its own parent.
type width struct{ values, members int }

// inverted tells of the chains whose parent has more values than its child, and hardly a parent more than one
// child: such levels were probably linked the wrong way round. Values alone would accuse every chain whose
// codes begin again under each parent.
func inverted(m *cube.Model, widths map[string]width) []cube.Finding {
	var findings []cube.Finding
	for _, level := range m.Levels() {
		above, below := widths[level.Parent], widths[level.Ref]
		if below.values < 2 || above.values <= below.values || below.members*10 > above.members*11 {
			continue
		}
		findings = append(findings, cube.Finding{
			Code: repair.ChainInverted, Severity: cube.SeverityWarning, Field: level.Ref, Count: 1,
			Message: fmt.Sprintf("it has %d values, its parent %s has %d, and hardly one of these has two below it: "+
				"the two may stand the wrong way round", below.values, level.Parent, above.values),
		})
	}
	return findings
}

// widthOf counts the values of a level that are not missing, and its members.
func widthOf(list []cube.Member) width {
	values := map[cube.Value]bool{}
	for _, m := range list {
		if key := m.Path[len(m.Path)-1]; !key.IsMissing() {
			values[key] = true
		}
	}
	return width{len(values), len(list)}
}
