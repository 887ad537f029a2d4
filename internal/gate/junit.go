package gate

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"

	"fiscube/cube/findings"
)

type junitSuite struct {
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Cases    []*junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes each package as a suite of tests: that it is accepted, and a test for each code that was found. One fails by findings of
// a severity or of a higher one; the others print what was found.
func WriteJUnit(out io.Writer, packages []*Package, least findings.Severity) error {
	var all struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	for _, p := range packages {
		suite := junitSuite{Name: p.Path}
		if !p.Refused {
			suite.Cases = append(suite.Cases, &junitCase{Name: "accepted", Class: p.Path})
		}
		for _, f := range p.Findings {
			i := slices.IndexFunc(suite.Cases, func(c *junitCase) bool { return c.Name == f.Code })
			if i < 0 {
				i = len(suite.Cases)
				suite.Cases = append(suite.Cases, &junitCase{Name: f.Code, Class: p.Path})
			}
			switch c := suite.Cases[i]; {
			case !f.isFrom(least):
				c.Out += f.String() + "\n"
			case c.Failure == nil:
				suite.Failures++
				c.Failure = &junitFailure{f.Code, f.Text(), f.String() + "\n"}
			default:
				c.Failure.Text += f.String() + "\n"
			}
		}
		suite.Tests = len(suite.Cases)
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = io.WriteString(out, xml.Header+strings.ReplaceAll(string(text), "&#xA;", "\n")+"\n")
	}
	return err
}
