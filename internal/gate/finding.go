package gate

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/internal/redact"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// Finding is one thing that was found. What has one cause is one finding, also where it shows in several files.
type Finding struct {
	Code     string            `json:"code"`
	Severity findings.Severity `json:"severity"`
	Message  string            `json:"message"`
	Hint     string            `json:"hint,omitempty"` // what to do, where the message does not say it
	File     string            `json:"file"`           // from the working folder, or an address
	Line     int64             `json:"line,omitempty"` // from 1; 0 stands for the whole file
	Field    string            `json:"field,omitempty"`
	Count    int64             `json:"count"`          // how often it occurs
	Also     []Place           `json:"also,omitempty"` // the other files in which it occurs

	cause string // equal for findings of one cause
}

// Place is another place of a Finding.
type Place struct {
	File string `json:"file"`
	Line int64  `json:"line,omitempty"`
}

// The codes of what is wrong with a package before its files are read, and with its totals.
const (
	CodeBadDescriptor = "bad-descriptor"
	CodeBadOverlay    = "bad-overlay"
	CodeTotalDiffers  = "total-differs"
)

// Refuse refuses the package for an error. It gives false, and does nothing, where the error is not about the package.
func (p *Package) Refuse(err error) bool {
	var rejected *load.Rejected
	var problems fdp.Problems
	var said *cube.Error
	switch {
	case errors.As(err, &rejected):
		for _, f := range rejected.Findings {
			p.add(f)
		}
	case errors.As(err, &problems):
		p.addProblems(problems, err)
	case cube.CodeOf(err) == cube.CodeBadPackage && errors.As(err, &said):
		p.put(Finding{Code: string(said.Code), Severity: findings.SeverityError, Message: said.Message, Hint: said.Hint, File: p.main})
	default:
		return false
	}
	p.Refused = true
	return true
}

// addProblems adds what is wrong with a document, which the innermost of the files that the error names has.
func (p *Package) addProblems(problems fdp.Problems, err error) {
	made := Finding{Code: CodeBadDescriptor, Severity: findings.SeverityError, File: p.main}
	for in := (*load.FileError)(nil); errors.As(err, &in); err = errors.Unwrap(in) {
		switch in.File {
		case load.OverlayName:
			made.Code, made.File = CodeBadOverlay, p.file(in.File)
		case p.overlay:
			made.Code, made.File = CodeBadOverlay, fromHere(in.File)
		}
	}
	for _, problem := range problems {
		f := made
		f.Message, f.Line = strings.Replace(problem.String(), fmt.Sprintf(" (line %d)", problem.Line), "", 1), int64(problem.Line)
		f.cause = oneResource.ReplaceAllString(f.Message, "")
		p.put(f)
	}
}

// oneResource matches what tells the same mistake in several resources apart.
var oneResource = regexp.MustCompile(`^resources\[\d+\]`)

// inDescriptor are the codes of what is to be corrected in the descriptor, or has no file that can be shown.
var inDescriptor = []string{files.CodeMissingFile, load.CodeColumnTypeDiffers, load.CodeTypeUnknown}

// add adds what a load found.
func (p *Package) add(f findings.Finding) {
	made := Finding{Code: f.Code, Severity: f.Severity, Message: f.Message + f.Times(), Field: f.Field, Count: f.Count, File: p.main, cause: f.Message}
	if file := p.files[f.Resource]; file != "" && !slices.Contains(inDescriptor, f.Code) {
		made.File = p.file(file)
	}
	if len(f.Places) > 0 {
		made.Line = f.Places[0].Line
		made.cause = strings.Replace(f.Message, strconv.Quote(f.Places[0].Cell), "", 1)
	}
	p.put(made)
}

// put adds a finding, or its place to that of the same cause.
func (p *Package) put(f Finding) {
	f.Message, f.Hint, f.Count = redact.Text(f.Message), redact.Text(f.Hint), max(1, f.Count)
	for i := range p.Findings {
		known := &p.Findings[i]
		if f.cause != "" && known.cause == f.cause && known.Code == f.Code && known.Severity == f.Severity && known.Field == f.Field {
			known.Count += f.Count
			if f.File != known.File || f.Line != known.Line {
				known.Also = append(known.Also, Place{f.File, f.Line})
			}
			return
		}
	}
	p.Findings = append(p.Findings, f)
}

// isFrom tells whether a finding is of a severity or of a higher one.
func (f Finding) isFrom(least findings.Severity) bool {
	return f.Severity == findings.SeverityError || f.Severity == findings.SeverityWarning && least != findings.SeverityError
}

// Refusing refuses the package if it has findings of a severity or of a higher one, and gives these.
func (p *Package) Refusing(least findings.Severity) (list []Finding) {
	list = each.Where(p.Findings, func(f Finding) bool { return f.isFrom(least) })
	p.Refused = p.Refused || list != nil
	return list
}

// mostAlso is how many other places a text names.
const mostAlso = 3

// Text is the message with its field, its hint and the other places.
func (f Finding) Text() string {
	text := f.Message
	if f.Field != "" {
		text = "field " + f.Field + ": " + text
	}
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	if f.Also != nil {
		text += "; also in " + strings.Join(each.Text(f.Also[:min(mostAlso, len(f.Also))], Place.String), ", ")
	}
	if more := len(f.Also) - mostAlso; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// String is the finding as one line, as compilers write it.
func (f Finding) String() string {
	return Place{f.File, f.Line}.String() + ": " + f.Text() + " [" + f.Code + "]"
}

// String is the file and, where it is known, the line.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.FormatInt(p.Line, 10)
}
