package cube

import (
	"fmt"
	"strconv"
	"strings"
)

// warningWords are the texts of warnings in a language. %s and %d stand for what is said.
type warningWords struct {
	each, some, and string // of which periods a statement is
	all, own, last  string // which statements are counted
	flows           string // measures that are added up all the same
	undeclared      string
	early           string
	levelAbsent     string
	measureAbsent   string
	stranger, meant string // a member that is not there, and what is near
	nobody, none    string // no row has what one cut asks for, or what all do
	uncounted       string // rows that are in no statement that is counted
	to              string // of years
	more, missing   string
}

var warningTexts = map[Language]warningWords{
	English: {
		each: " of each %s", some: " of some %s", and: " and ",
		all:   "%s: all statements%s are added up, so the same money is counted up to %d times",
		own:   "%s: each cell is a statement of its own; the summary counts the last%s (%s)%s",
		last:  "%s: the last statement%s is counted (%s)%s",
		flows: "; all are added up in %s",
		undeclared: "%s seems to tell several statements of the same money apart, and nobody has declared that it does: " +
			"amounts may be counted several times; cut or drill it",
		early:         "%s: the last statement%s is earlier than %s (%s)",
		levelAbsent:   "%s is empty in %s: its cells of these years are all missing",
		measureAbsent: "%s has no amounts in %s",
		stranger:      "%s: there is no member %s", meant: "%s (did you mean %s?)",
		nobody: "no row of the package has %s",
		none:   "no row has all that the cuts ask for, though each of them matches some",
		uncounted: "rows with all that the cuts ask for: %d, none of them in the statement that is counted (%s); cut %s, or " +
			"ask with snapshots=all, to see them",
		to: "%d to %d", more: "and %d more", missing: "(missing)",
	},
	Spanish: {
		each: " de cada %s", some: " de algún %s", and: " y ",
		all:   "%s: se suman todas las declaraciones%s, de modo que el mismo dinero se cuenta hasta %d veces",
		own:   "%s: cada celda es una declaración distinta; el resumen cuenta la última%s (%s)%s",
		last:  "%s: se cuenta la última declaración%s (%s)%s",
		flows: "; se suman todas en %s",
		undeclared: "%s parece distinguir varias declaraciones del mismo dinero, y nadie lo ha declarado: los montos pueden " +
			"estar contados varias veces; filtre por él o desglóselo",
		early:         "%s: la última declaración%s es anterior a %s (%s)",
		levelAbsent:   "%s está vacío en %s: todas sus celdas de entonces están sin informar",
		measureAbsent: "%s no tiene montos en %s",
		stranger:      "%s: no existe el miembro %s", meant: "%s (¿quiso decir %s?)",
		nobody: "ninguna fila del paquete tiene %s",
		none:   "ninguna fila tiene todo lo que piden los filtros, aunque cada uno coincide con alguna",
		uncounted: "filas con todo lo que piden los filtros: %d, ninguna en la declaración que se cuenta (%s); filtre por %s, o " +
			"pregunte con snapshots=all, para verlas",
		to: "%d a %d", more: "y %d más", missing: "(sin informar)",
	},
}

// words are the texts of the plan's warnings.
func (p *Plan) words() warningWords { return in(warningTexts, p.language) }

// periods says of which periods a statement is: " of each ejercicio"; nothing where the package is one.
func (w warningWords) periods(format string, s *Snapshots) string {
	if len(s.Per) == 0 {
		return ""
	}
	return fmt.Sprintf(format, strings.Join(s.Per, w.and))
}

// shownPeriods bounds how many periods a message lists.
const shownPeriods = 12

// statements lists the last one of each period: 2017: 12, 2018: 06.
func (w warningWords) statements(periods []period) string {
	shown := texts(periods[:min(len(periods), shownPeriods)], func(p period) string {
		key := strings.Join(texts(p.key, w.value), "/")
		if key == "" {
			return w.value(p.last().value)
		}
		return key + ": " + w.value(p.last().value)
	})
	if more := len(periods) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf(w.more, more))
	}
	return strings.Join(shown, ", ")
}

// years lists years, three and more in a row as a range: 2008 to 2010, 2013.
func (w warningWords) years(years []int64) string {
	var items []string
	for _, run := range runs(years, isNext) {
		if len(run) > 2 {
			items = append(items, fmt.Sprintf(w.to, run[0], run[len(run)-1]))
			continue
		}
		for _, year := range run {
			items = append(items, strconv.FormatInt(year, 10))
		}
	}
	return strings.Join(items, ", ")
}

func (w warningWords) value(v Value) string {
	if v.IsMissing() {
		return w.missing
	}
	return v.String()
}

// shownValue is a value in the message of an error. Those are English.
func shownValue(v Value) string { return warningTexts[English].value(v) }
