package gate

import (
	"fmt"
	"io"
	"strings"

	"fiscube/cube/findings"
)

// WriteGitHub writes errors and warnings as the commands by which a workflow of GitHub shows them beside the lines of a change, and how many
// there are of each package.
func WriteGitHub(out io.Writer, packages []*Package) error {
	for _, p := range packages {
		for _, f := range p.Findings {
			line := ""
			if f.Severity == findings.SeverityInfo {
				continue
			}
			if f.Line > 0 {
				line = fmt.Sprintf(",line=%d", f.Line)
			}
			if _, err := fmt.Fprintf(out, "::%s file=%s%s,title=%s::%s\n", f.Severity, property.Replace(f.File), line, property.Replace(f.Code), data.Replace(f.Text())); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(out, "fiscube: %s: %s\n", data.Replace(p.Path), p.Counted()); err != nil {
			return err
		}
	}
	return nil
}

// What would end a command, or a property of one, is escaped.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
