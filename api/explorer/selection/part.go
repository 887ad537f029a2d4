package selection

import (
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
)

// UpTo says up to when a statement goes, such as a month of its year, or which it is if its name does not say so.
func UpTo(g *site.Guest, cb *cube.Cube, statement cube.Snapshot) string {
	if prose.IsNamed(statement) {
		return g.Say("view.as-in-report", "Report", statement.Value.String())
	}
	by, _ := cb.Model.Level(cb.Model.Snapshots().By) // a cube with statements has one
	return g.Say("view.up-to-then", "Report", g.LevelTitle(by)+" "+statement.Value.String())
}

// PartOf says of which part of its years a plan has amounts: up to which statement they go, or of which periods alone they are; "" of whole years, and
// where cuts choose the part.
func PartOf(g *site.Guest, p *plan.Plan) string {
	if last, ok := caveat.LastReport(p); ok && p.Cube().IsOfPart(last) {
		return UpTo(g, p.Cube(), last)
	}
	if parts := caveat.PartsOf(p, p.Years()); len(parts) > 0 {
		return g.Say("caveat.part-short", "Months", g.Periods(parts[0]), "Year", g.Years(parts[0].Years))
	}
	return ""
}
