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
			s := sick{model: test.model, fields: map[string]*repair.Field{"f": &test.field}}
			s.isMended(t, repair.TypeWidened, "f", test.to, test.says)
		})
	}
}

func TestTypeIsNotWidened(t *testing.T) {
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
			sick{model: test.model, fields: map[string]*repair.Field{"f": &test.field}}.stays(t)
		})
	}
}

// An amount of a package that declares none is an amount all the same: it is not said to be text first.
func TestTypeOfAnAmountToBeInferredIsNotWidened(t *testing.T) {
	s := sick{
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
