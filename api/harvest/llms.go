package harvest

import (
	"fmt"
	"strings"
	"unicode"

	"fiscube/cube"
)

// howToAsk is what a language model has to know before it asks; BASE is where the service is.
const howToAsk = `# fiscube

> Public budgets as cubes: amounts, which are exact decimals, added up by levels and cut to members. Nothing needs a key.

1. BASE/cubes lists the budgets, and BASE/cubes/NAME/model what one of them can be asked. Take the names of levels and amounts from there.
2. BASE/cubes/NAME/aggregate?drilldown=LEVEL&cut=LEVEL:KEY&aggregates=AMOUNT.sum&cite=1 answers. A mistake says where it is and what to write instead.
3. Tell the warnings of an answer, its citation, and that figures are made up where synthetic is true. Never add up answers: their amounts may be the same money.

## Reference

- [Routes and parameters](BASE/openapi.json): OpenAPI 3; [for people](BASE/docs)
- [Tools of assistants](BASE/mcp): the Model Context Protocol over HTTP, by POST
- [Search](BASE/search?q=health): names and amounts in all budgets
- [Catalogue](BASE/catalog.jsonld): DCAT-AP, with all files; [as Turtle](BASE/catalog.ttl)

## Budgets

`

// mostTold is how many characters of a text of a package a line has.
const mostTold = 300

// llms tells language models what there is and how to ask (llmstxt.org).
func llms(base string, cubes []*cube.Cube) []byte {
	var b strings.Builder
	b.WriteString(strings.ReplaceAll(howToAsk, "BASE", base))
	for _, cb := range cubes {
		about := aboutOf(cb, cube.English)
		if cb.Synthetic {
			about = "Made-up data. " + about
		}
		fmt.Fprintf(&b, "- [%s](%s/model): %s\n", inLine(nameOf(cb, cube.English)), dataOf(base, cb), inLine(about))
	}
	return []byte(b.String())
}

// inLine gives a text as a part of a line that no sign of it ends or turns into another.
func inLine(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.IsControl(c) || strings.ContainsRune("[]<>`\\", c) {
			return ' '
		}
		return c
	}, text)
	if letters := []rune(text); len(letters) > mostTold {
		text = string(letters[:mostTold]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}
