package prose

import (
	"cmp"

	"fiscube/cube/words"
)

// Phase names a phase of a budget for people, or says that it is not known. What is executed is spent, received, or either where no direction
// is known.
func Phase(phase, direction string, l words.Locale) string {
	if phase == "executed" {
		phase = cmp.Or(map[string]string{"revenue": "received", "": "spent-or-received"}[direction], "spent")
	}
	return l.Say("phase." + cmp.Or(phase, "unknown"))
}
