package command

import (
	"bytes"
	"errors"
	"testing"
)

// On a terminal, errors and the last column of a table are wrapped between words; a word is never broken, and other outputs have one line each.
func TestWraps(t *testing.T) {
	for width, want := range map[int]string{
		0:  "\n  PLACE      MESSAGE\n  town.csv:  a number is missing in each row of the year\nfiscube: town/datapackage.json is no package at all\n  so nothing was done\n",
		40: "\n  PLACE      MESSAGE\n  town.csv:  a number is missing in each\n             row of the year\nfiscube: town/datapackage.json is no\n    package at all\n  so nothing was done\n",
		20: "\n  PLACE      MESSAGE\n  town.csv:  a number is missing in each row of the year\nfiscube:\n    town/datapackage.json\n    is no package at\n    all\n  so nothing was\n    done\n",
	} {
		var out bytes.Buffer
		p := newProgram(&out, &out)
		p.terminal, p.width = true, width
		p.printTable([][]string{{"PLACE", "MESSAGE"}, {"town.csv:", "a number is missing in each row of the year"}})
		p.printError(errors.New("town/datapackage.json is no package at all\nso nothing was done"))
		if out.String() != want {
			t.Errorf("in %d columns\n%s\nwant\n%s", width, out.String(), want)
		}
	}
}
