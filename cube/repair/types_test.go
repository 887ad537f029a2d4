package repair_test

import (
	"testing"

	"fiscube/cube/repair"
)

func TestTypeWidened(t *testing.T) {
	for name, test := range map[string]struct {
		model string
		field repair.Field
		to    string
		says  string
	}{
		"D1: departamento is text": {"geo: f#", repair.Field{Cells: 29, NotIntegers: 29}, "geo: f",
			"declared integer; 29 of its 29 cells are none, so it is text"},
		"just over half": {"geo: f#", repair.Field{Cells: 201, NotIntegers: 101}, "geo: f",
			"declared integer; 101 of its 201 cells are none, so it is text"},
		"one leading zero": {"geo: f#", repair.Field{Cells: 1000, LeadingZeros: 1}, "geo: f",
			"declared integer; 1 of its 1000 cells begin with 0, so its codes are text"},
		"a label": {"geo: state=f#", repair.Field{Cells: 3, NotIntegers: 3}, "geo: state=f",
			"declared integer; 3 of its 3 cells are none, so it is text"},
		"a field that is no level": {"geo: state; - f#", repair.Field{Cells: 3, NotIntegers: 2}, "geo: state; - f",
			"declared integer; 2 of its 3 cells are none, so it is text"},
	} {
		t.Run(name, func(t *testing.T) {
			s := testPackage{model: test.model, fields: map[string]*repair.Field{"f": &test.field}}
			s.isRepaired(t, repair.TypeWidened, "f", test.to, test.says)
		})
	}
}

func TestTypeWidened_Not(t *testing.T) {
	for name, test := range map[string]struct {
		model string
		field repair.Field
	}{
		"exactly half: each is an error": {"geo: f#", repair.Field{Cells: 200, NotIntegers: 100}},
		"whole numbers":                  {"geo: f#", repair.Field{Cells: 200}},
		"no cells":                       {"geo: f#", repair.Field{}},
		"the fiscal year":                {"date: f@", repair.Field{Cells: 10, NotIntegers: 10, LeadingZeros: 10}},
		"an amount":                      {"geo: state; $ f", repair.Field{Cells: 10, NotIntegers: 10, LeadingZeros: 10}},
		"text":                           {"geo: f", repair.Field{Cells: 10, NotIntegers: 10}},
	} {
		t.Run(name, func(t *testing.T) {
			testPackage{model: test.model, fields: map[string]*repair.Field{"f": &test.field}}.stays(t)
		})
	}
}

// An amount of a package that declares none is an amount all the same: it is not said to be text first.
func TestTypeWidened_NotAmountsToBeInferred(t *testing.T) {
	s := testPackage{
		model:  "geo: state, monto#, valor#",
		fields: map[string]*repair.Field{"monto": {Cells: 9, NotIntegers: 6}, "valor": {Cells: 9, NotIntegers: 6, NotNumbers: 1}},
	}
	s.becomes(t, "geo: state, valor; $ monto",
		"info field valor: declared integer; 6 of its 9 cells are none, so it is text [type-widened]",
		"info field monto: no measures are declared; its name says money and all of its 9 cells are numbers [measure-inferred]",
		"warning field valor: its name says money, but 1 of its 9 cells are no numbers, so it is no measure [measure-inferred]")
	s.off = repair.MeasureInferred
	s.becomes(t, "geo: state, monto, valor",
		"info field monto: declared integer; 6 of its 9 cells are none, so it is text [type-widened]",
		"info field valor: declared integer; 6 of its 9 cells are none, so it is text [type-widened]")
}

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
			s := testPackage{model: "geo: state=state_name, " + name, fields: numbers(name)}
			s.isRepaired(t, repair.MeasureInferred, name, "geo: state=state_name; $ "+name, inferred)
		})
	}
}

func TestMeasureInferred_LeavesItsDimension(t *testing.T) {
	for name, test := range map[string]struct{ from, to string }{
		"a whole number":        {"unknown: mes, monto#", "unknown: mes; $ monto"},
		"all of its dimension":  {"unknown: mes; money: monto", "unknown: mes; $ monto"},
		"the middle of a chain": {"unknown: mes > monto > dia", "unknown: mes > dia; $ monto"},
		"no level at all":       {"unknown: mes; - monto", "unknown: mes; $ monto"},
	} {
		t.Run(name, func(t *testing.T) {
			s := testPackage{model: test.from, fields: numbers("monto")}
			s.isRepaired(t, repair.MeasureInferred, "monto", test.to, inferred)
		})
	}
}

// A field named for money whose cells are no numbers is a measure lost: the load report must tell.
func TestMeasureInferred_ReportsCellsThatAreNoNumbers(t *testing.T) {
	s := testPackage{model: "geo: monto", fields: map[string]*repair.Field{"monto": {Cells: 1000, NotNumbers: 1}}}
	s.becomes(t, "geo: monto",
		"warning field monto: its name says money, but 1 of its 1000 cells are no numbers, so it is no measure [measure-inferred]")
}

func TestMeasureInferred_Not(t *testing.T) {
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
			testPackage{model: test.model, fields: test.fields}.stays(t)
		})
	}
}

// A half of a pair that label-paired makes is no amount either: passes run in their order.
func TestMeasureInferred_NotOfAPairFoundBefore(t *testing.T) {
	s := testPackage{model: "geo: desc_valor, valor", fields: numbers("valor", "desc_valor")}
	s.becomes(t, "geo: valor=desc_valor",
		"info field desc_valor: no labelfor; its name is the label's of valor, so it labels valor [label-paired]")
}
