package fdp

import (
	"regexp"
	"slices"
)

// repairCodes are the repairs that an overlay can switch off, and whether they mend fields, so that some of
// them can be excepted (package repair).
var repairCodes = []struct {
	code   string
	fields bool
}{
	{"type-widened", true}, {"label-paired", true}, {"code-label-split", true}, {"measure-inferred", true},
	{"not-informed", true}, {"schema-union", false}, {"resource-covers", false}, {"totals-row", false},
}

// readRepairs reads for each code off, or the fields that its repair leaves alone.
func (o *Overlay) readRepairs(n node) {
	m := n.mapping()
	if m == nil {
		return
	}
	for _, known := range repairCodes {
		v := m.take(known.code)
		switch {
		case v.absent():
		case v.kind() != "a mapping":
			o.repairs = append(o.repairs, repairOverlay{code: known.code, off: v.choice("off") != ""})
		case !known.fields:
			v.problem("it mends no fields, so none can be excepted: write off")
		default:
			o.repairs = append(o.repairs, readExcept(known.code, v.mapping()))
		}
	}
	m.done()
}

func readExcept(code string, m *mapping) repairOverlay {
	r := repairOverlay{code: code, except: m.take("except").refs()}
	if m.take("except").absent() {
		m.problem("write off, or except with the fields that are left alone")
	}
	m.done()
	return r
}

func readSnapshotsOverlay(n node) snapshotsOverlay {
	s := snapshotsOverlay{declared: !n.absent()}
	if n.absent() || n.kind() != "a mapping" {
		n.choice("none")
		return s
	}
	m := n.mapping()
	s.readBy(m.take("by"))
	s.per = m.take("per").refs()
	s.order = m.take("order").texts()
	for _, key := range []string{"by", "per"} {
		if m.take(key).absent() {
			m.problem("snapshots need %s", key)
		}
	}
	if slices.ContainsFunc(s.per, func(per ref) bool { return per.name == s.by.name }) && s.by.name != "" {
		m.problem("%s is what the statements are told apart by, so it names no period", quote(s.by.name))
	}
	m.done()
	return s
}

// readBy reads a level, or the name of one that is made of the names of the resources.
func (s *snapshotsOverlay) readBy(n node) {
	if n.absent() || n.kind() != "a mapping" {
		s.by = n.ref()
		return
	}
	m := n.mapping()
	s.pattern = readPattern(m.take("resource"))
	s.by = m.take("name").ref()
	for _, key := range []string{"resource", "name"} {
		if m.take(key).absent() {
			m.problem("by needs %s", key)
		}
	}
	m.done()
}

// mostPattern bounds how long a regular expression may be.
const mostPattern = 1000

// readPattern reads a regular expression with the one group that names a statement.
func readPattern(n node) string {
	text := n.text()
	if text == "" {
		return ""
	}
	if len(text) > mostPattern {
		n.problem("a pattern has at most %d characters", mostPattern)
		return ""
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		n.problem("%v", err)
		return ""
	}
	if pattern.NumSubexp() != 1 {
		n.problem("needs one group, as in \"(abril|septiembre)\", not %d", pattern.NumSubexp())
	}
	return text
}
