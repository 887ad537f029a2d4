package gate

import (
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/internal/version"
)

// object is an object of JSON.
type object = map[string]any

// WriteSARIF writes the findings of packages as one run of SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), with a rule for each code.
// Files are named from the root of the sources, which is the working folder.
func WriteSARIF(out io.Writer, packages []*Package) error {
	codes, rules, results := []string{}, []object{}, []object{}
	for _, p := range packages {
		for _, f := range p.Findings {
			if !slices.Contains(codes, f.Code) {
				codes = append(codes, f.Code)
				rules = append(rules, object{"id": f.Code, "shortDescription": object{"text": strings.ReplaceAll(f.Code, "-", " ")}})
			}
			level, related := string(f.Severity), []object{}
			if f.Severity == findings.SeverityInfo {
				level = "note"
			}
			related = append(related, each.Of(f.Also, location)...)
			results = append(results, object{"ruleId": f.Code, "ruleIndex": slices.Index(codes, f.Code), "level": level,
				"message": object{"text": f.Text()}, "locations": []object{location(Place{f.File, f.Line})}, "relatedLocations": related})
		}
	}
	driver := object{"name": "fiscube", "version": version.Of().Version, "rules": rules}
	return writeJSON(out, object{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "results": results}}})
}

func location(at Place) object {
	artifact := object{"uri": at.File}
	switch {
	case strings.Contains(at.File, "://"):
	case path.IsAbs(at.File):
		artifact["uri"] = (&url.URL{Scheme: "file", Path: at.File}).String()
	default:
		artifact = object{"uri": (&url.URL{Path: at.File}).String(), "uriBaseId": "%SRCROOT%"}
	}
	physical := object{"artifactLocation": artifact}
	if at.Line > 0 {
		physical["region"] = object{"startLine": at.Line}
	}
	return object{"physicalLocation": physical}
}
