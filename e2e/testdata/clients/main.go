// Command clients asks a server with the clients that oapi-codegen and ogen make of openapi.yaml. It prints the amounts
// that each reads, with one argument more as strings.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/shopspring/decimal"

	"clients/oapi"
	"clients/oas"
)

func main() {
	log.SetFlags(0)
	server, cube, quoted := os.Args[1], os.Args[2], len(os.Args) > 3
	if err := errors.Join(askWithOapiCodegen(server, cube, quoted), askWithOgen(server, cube, quoted)); err != nil {
		log.Fatal(err)
	}
}

func askWithOapiCodegen(server, cube string, quoted bool) error {
	client, err := oapi.NewClientWithResponses(server)
	if err != nil {
		return err
	}
	drilldown := "code"
	question := &oapi.AggregateParams{Drilldown: &drilldown}
	if quoted {
		numbers := oapi.AggregateParamsNumbers("string")
		question.Numbers = &numbers
	}
	answer, err := client.AggregateWithResponse(context.Background(), cube, question)
	if err != nil {
		return err
	}
	if answer.JSON200 == nil {
		return errors.New(answer.Status())
	}
	for _, cell := range answer.JSON200.Cells {
		code, badCode := cell["code"].AsValue0()
		amount, badAmount := cell["paid.sum"].AsNumber()
		if quoted {
			var text string
			text, badAmount = cell["paid.sum"].AsValue0()
			amount = oapi.Number(text)
		}
		if err := errors.Join(badCode, badAmount); err != nil {
			return err
		}
		fmt.Println("oapi-codegen", code, amount)
	}
	return nil
}

func askWithOgen(server, cube string, quoted bool) error {
	client, err := oas.NewClient(server, noToken{})
	if err != nil {
		return err
	}
	question := oas.AggregateParams{Cube: cube, Drilldown: oas.NewOptString("code")}
	if quoted {
		question.Numbers = oas.NewOptNumbers(oas.NumbersString)
	}
	response, err := client.Aggregate(context.Background(), question)
	if err != nil {
		return err
	}
	answer, ok := response.(*oas.AnswerHeaders)
	if !ok {
		return fmt.Errorf("the answer is a %T", response)
	}
	for _, cell := range answer.Response.Cells {
		amount := decimal.Decimal(cell["paid.sum"].Number).String()
		if quoted {
			amount = cell["paid.sum"].String
		}
		fmt.Println("ogen", cell["code"].String, amount)
	}
	return nil
}

// noToken shows no token, since a question needs none.
type noToken struct{}

func (noToken) Token(context.Context, oas.OperationName) (oas.Token, error) { return oas.Token{}, nil }
