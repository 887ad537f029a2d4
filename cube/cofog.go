package cube

import (
	"slices"
	"strings"
)

// Divisions are the codes of the ten divisions of the Classification of the Functions of Government (COFOG 1999), from general public
// services to social protection.
var Divisions = []string{"01", "02", "03", "04", "05", "06", "07", "08", "09", "10"}

// Functions says which members of a level are of which division of COFOG, so that budgets can be set side by side.
type Functions struct {
	Level     string     `json:"level"`
	Divisions []Division `json:"divisions,omitempty"` // none: the codes of the level are those of COFOG
}

// Division has the paths of the members that are of a division, with one key for each field of Level.Path.
type Division struct {
	Code    string     `json:"code"`
	Members [][]string `json:"members"`
}

// Of gives the division of a member, or "" if it is of none.
func (f *Functions) Of(path []string) string {
	if len(f.Divisions) == 0 {
		return divisionOf(path[len(path)-1])
	}
	for _, d := range f.Divisions {
		if slices.ContainsFunc(d.Members, func(m []string) bool { return slices.Equal(m, path) }) {
			return d.Code
		}
	}
	return ""
}

// Is gives the division that a member of a level is, and not only a part of, or "": no other member of its edition is of the division.
func (f *Functions) Is(level Level, path []string) string {
	code, edition := f.Of(path), slices.Index(level.Path, level.Edition)
	if len(f.Divisions) == 0 && len(path[len(path)-1]) > len("07") {
		return ""
	}
	isBeside := func(m []string) bool { return !slices.Equal(m, path) && (edition < 0 || m[edition] == path[edition]) }
	for _, d := range f.Divisions {
		if d.Code == code && slices.ContainsFunc(d.Members, isBeside) {
			return ""
		}
	}
	return code
}

// divisionOf gives the division that a code of COFOG begins with, as 07 in 07.3.1, 073, GF0703 and, as the Government Finance Statistics
// Manual writes it, 7073; or 7 alone.
func divisionOf(code string) string {
	digits := strings.TrimPrefix(strings.ToUpper(code), "GF")
	if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		digits = digits[:end]
	}
	if len(digits) == 1 {
		digits = "0" + digits
	}
	if len(digits) > 2 && digits[0] == '7' {
		digits = digits[1:]
	}
	if len(digits) < 2 || !slices.Contains(Divisions, digits[:2]) {
		return ""
	}
	return digits[:2]
}

// FunctionLevel gives the level whose members are of the divisions of COFOG, as far as anybody says so.
func (p *Package) FunctionLevel() (Level, bool) {
	if p.Functions == nil {
		return Level{}, false
	}
	return p.Model.LevelOfKey(p.Functions.Level)
}
