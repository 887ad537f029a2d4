package reply

import (
	"strings"
	"testing"

	"fiscube/cube"
)

func TestWarningsText_InLittleRoom(t *testing.T) {
	warnings := []cube.Warning{{Code: "note", Message: strings.Repeat("ñ", 300)}, {Code: "note", Message: "x"}}
	if got := warningsText(warnings, 200); got != `note;message=%"`+strings.Repeat("%c3%b1", 15)+`%e2%80%a6", note;message=%"x"` {
		t.Error(got)
	}
}
