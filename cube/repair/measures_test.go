package repair_test

import (
	"testing"

	"fiscube/cube/repair"
)

const inferred = "no measures are declared; its name says money and all of its 9 cells are numbers"

func numbers(names ...string) map[string]*repair.Field {
	fields := map[string]*repair.Field{}
	for _, name := range names {
		fields[name] = &repair.Field{Cells: 9}
	}
	return fields
}

func TestMeasureInferred(t *testing.T) {
	for _, name := range []string{
		"monto", "importe", "valor", "presupuesto", "credito", "amount", "value", "iznos",
		"montoVigente", "presupuestoInicialAprobado", "monto_aprobado", "value_x", "MONTO_PAGADO", "Importe", "ValorTotal",
		"IZNOS", "creditoUSD", "amount_",
	} {
		t.Run(name, func(t *testing.T) {
			s := sick{model: "geo: state=state_name, " + name, fields: numbers(name)}
			s.isMended(t, repair.MeasureInferred, name, "geo: state=state_name; $ "+name, inferred)
		})
	}
}

func TestMeasureInferredLeavesItsDimension(t *testing.T) {
	for name, test := range map[string]struct{ from, to string }{
		"a whole number":        {"unknown: mes, monto#", "unknown: mes; $ monto"},
		"all of its dimension":  {"unknown: mes; money: monto", "unknown: mes; $ monto"},
		"the middle of a chain": {"unknown: mes > monto > dia", "unknown: mes > dia; $ monto"},
		"no level at all":       {"unknown: mes; - monto", "unknown: mes; $ monto"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sick{model: test.from, fields: numbers("monto")}
			s.isMended(t, repair.MeasureInferred, "monto", test.to, inferred)
		})
	}
}

// A name that says money and cells that do not is a measure lost: whoever loads the package must hear of it.
func TestMeasureThatFailsByItsCellsIsToldOf(t *testing.T) {
	s := sick{model: "geo: monto", fields: map[string]*repair.Field{"monto": {Cells: 1000, NotNumbers: 1}}}
	s.becomes(t, "geo: monto",
		"warning field monto: its name says money, but 1 of its 1000 cells are no numbers, so it is no measure [measure-inferred]")
}

func TestMeasureIsNotInferred(t *testing.T) {
	for name, test := range map[string]struct {
		model  string
		fields map[string]*repair.Field
	}{
		"measures are declared":      {"geo: monto; $ paid", numbers("monto", "paid")},
		"another word":               {"geo: valorado, montos, codigoMonto, evaluo, presupuestal", numbers("valorado", "montos", "codigoMonto", "evaluo", "presupuestal")},
		"a later word":               {"geo: total_monto, totalMonto", numbers("total_monto", "totalMonto")},
		"no cells":                   {"geo: monto", map[string]*repair.Field{"monto": {}}},
		"no file has it":             {"geo: monto", nil},
		"a code that has a label":    {"geo: valor=valor_nombre", numbers("valor")},
		"the label of a code":        {"geo: code=valor", numbers("valor")},
		"a code paired just before":  {"geo: valor_id=valor_nombre", numbers("valor_id")},
		"a name without lower cases": {"geo: MONTOS", numbers("MONTOS")},
	} {
		t.Run(name, func(t *testing.T) {
			sick{model: test.model, fields: test.fields}.stays(t)
		})
	}
}

// A half of a pair that label-paired makes is no amount either: passes run in their order.
func TestMeasureIsNotInferredOfAPairFoundBefore(t *testing.T) {
	s := sick{model: "geo: desc_valor, valor", fields: numbers("valor", "desc_valor")}
	s.becomes(t, "geo: valor=desc_valor",
		"info field desc_valor: no labelfor; its name is the label's of valor, so it labels valor [label-paired]")
}
