package chart_test

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
)

func ExampleBars() {
	figure, refusal := chart.Bars(chart.Frame{Width: 320, Title: "Approved expenditure by office, 2019"}, []chart.Part{
		{Value: decimal.NewFromInt(60), Label: "Health", Amount: "60", Share: "60 %", Title: "Health: 60 (60 %)", Href: "?cut=office:1"},
		{Value: decimal.NewFromInt(30), Label: "Defence", Amount: "30"},
	})
	if refusal != nil {
		fmt.Println("refused:", refusal.Reason)
		return
	}
	for line := range strings.Lines(string(figure.HTML())) {
		if strings.HasPrefix(line, "<a") || strings.HasPrefix(line, "<text") {
			fmt.Print(line)
		}
	}
	// Output:
	// <a href="?cut=office:1"><title>Health: 60 (60 %)</title>
	// <text y="16">Health</text>
	// <text y="33" font-size="13">60</text>
	// <text x="320" y="33" font-size="13" text-anchor="end" class="fill-soft">60 %</text>
	// <text y="16">Defence</text>
	// <text y="33" font-size="13">30</text>
}
