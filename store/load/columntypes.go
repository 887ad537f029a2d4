package load

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/internal/suggest"
)

// CodeColumnTypeDiffers is the finding of fields whose columnType is not what the model makes of them.
const CodeColumnTypeDiffers = "column-type-differs"

// CodeTypesElsewhere is the finding of column types at an address.
const CodeTypesElsewhere = "column-types-not-fetched"

// concepts are the first parts of the columnTypes that the published format has.
var concepts = []string{
	"activity", "administrative-classification", "budget-line-id", "date", "direction", "economic-classification", "expenditure-type",
	"fin-source", "functional-classification", "geo-source", "phase", "procurer", "recipient", "supplier", "unknown", "value",
}

// checkColumnTypes compares the columnTypes of keys and labels with the model, which counts. An overlay may have changed the
// model, so that of a package with one nothing is said.
func (s *surveyor) checkColumnTypes() {
	if elsewhere := s.pkg.TypesElsewhere; len(elsewhere) > 0 {
		s.warn(len(s.pkg.Resources), CodeTypesElsewhere, "", findings.Params{"addresses": strings.Join(elsewhere, ", ")})
	}
	if s.source.overlay != nil {
		return
	}
	said := map[string]bool{}
	for i, r := range s.pkg.Resources {
		for _, f := range r.Schema.Fields {
			if said[f.Name] || f.ColumnType == "" {
				continue
			}
			if sentence, params := s.columnTypeDiffers(f); sentence != "" {
				said[f.Name] = true
				s.findings.add(i, prose.Describe(findings.Finding{
					Code: CodeColumnTypeDiffers, Severity: findings.SeverityWarning, Resource: r.Name, Field: f.Name,
				}, sentence, params), findings.Place{})
			}
		}
	}
}

// columnTypeDiffers gives the sentence that says what is wrong with the columnType of a field, or "".
func (s *surveyor) columnTypeDiffers(f cube.Field) (sentence string, params findings.Params) {
	concept, _, _ := strings.Cut(f.ColumnType, ":")
	kind := f.ColumnType[strings.LastIndexByte(f.ColumnType, ':')+1:]
	own := s.dimensionOf(f.Name)
	isOther := concept != own && concept != "unknown" && s.draft.Dimension(concept) != nil
	switch {
	case !slices.Contains(concepts, concept) && s.draft.Dimension(concept) == nil && suggest.Nearest(concept, concepts) != "":
		return "unknown", findings.Params{"column_type": f.ColumnType, "meant": suggest.Nearest(concept, concepts)}
	case own == "":
		return "", nil
	case isOther:
		return "dimension", findings.Params{"column_type": f.ColumnType, "concept": concept, "dimension": own}
	case kind == "label" && s.draft.Level(f.Name) != nil && s.draft.Level(f.Name).LabelRef != "":
		return "key", findings.Params{"column_type": f.ColumnType}
	case kind == "code" && s.draft.LevelOfLabel(f.Name) != nil && s.draft.Level(f.Name) == nil:
		return "label", findings.Params{"column_type": f.ColumnType}
	}
	return "", nil
}

// dimensionOf names the dimension in which a field is a key or a label, or "".
func (s *surveyor) dimensionOf(field string) string {
	for _, d := range s.draft.Dimensions {
		if slices.ContainsFunc(d.Levels, func(l cube.Level) bool { return l.Ref == field || l.LabelRef == field }) {
			return d.Name
		}
	}
	return ""
}
