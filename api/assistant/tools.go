package assistant

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"fiscube/cube/query"
	"fiscube/internal/each"
)

// tool is what an assistant may call.
type tool struct {
	name, title, description string
	arguments                []argument
	required                 []string
	questions                func(given map[string][]string) []question
}

// argument is one of a tool. Its text is that of the parameter of the same name, or stands in the path.
type argument struct{ name, kind, description string }

// question is a request that a call makes.
type question struct {
	name   string   // of its answer in the result
	path   string   // with {cube} and {dimension} for those arguments
	takes  []string // the parameters that are given on, in this order
	always []string // parameters with their values
}

// These are in every answer with amounts: digits that no reader of JSON loses, and a sentence to quote.
const (
	exact = "numbers=string"
	cited = "cite=1"
)

// clauses are those of a question, in the order of the API.
var clauses = each.Text(query.Clauses(), func(c query.Clause) string { return c.Name })

// tools are all that there are, in the order in which one uses them.
var tools = []tool{
	{
		name: "search", title: "Find by words",
		description: `Finds members (ministries, programmes, functions, places), levels, measures and cubes of all budgets by words or by code; case, accents and
small typing errors do not matter, and words such as health or education find what other languages call them. A year among the words is the year of the
amounts. Begin here when a question names something. Each hit has its cube, level and path: to ask about it, cut {level}:{key}, or {dimension}:{path}, of that cube;
href is such a question. amount is its latest one.`,
		arguments: []argument{
			{"q", text, "The words, for example: croatia parliament 2018"},
			{"cube", text, "Look only in this cube; several are joined by |"},
			pageArgument, {"pagesize", number, "How many hits, at most 100; 20 unless given"}, langArgument,
		},
		required: []string{"q"},
		questions: func(map[string][]string) []question {
			return []question{{name: "search", path: "/search", takes: []string{"q", "cube", "page", "pagesize", "lang"}, always: []string{exact}}}
		},
	},
	{
		name: "describe", title: "What there is to ask",
		description: `Without a cube: the cubes (budgets) with title, country, years and currency. With one: who published it, its measures (amounts; phase says whether money
was approved or executed) and derived measures, its dimensions with their levels from top to bottom (chains), and its snapshots. Names of levels and measures differ from cube
to cube: describe a cube before you ask it. default_view has the measure, the level and the last complete year to begin with.`,
		arguments: []argument{{"cube", text, "The name of a cube"}, versionArgument, langArgument},
		questions: func(given map[string][]string) []question {
			if len(given["cube"]) == 0 {
				return []question{{name: "cubes", path: "/cubes", takes: []string{"version", "lang"}}}
			}
			takes := []string{"lang", "version"}
			return []question{{name: "cube", path: "/cubes/{cube}", takes: takes}, {name: "model", path: "/cubes/{cube}/model", takes: takes}}
		},
	},
	{
		name: "ask", title: "Amounts",
		description: `Adds up the amounts of a cube: grouped by the levels of drilldown, of the rows that cut admits. The answer has cells, one for each group, summary, which is the
total of all cells and not of the page alone, warnings, and a citation of the summary with its permanent link. Let fiscube add, compare and
divide: order, top, share(…), ratio(…), real(…), per_head(…), compare and rollup do it exactly.
Example: cube=example-croatia, drilldown=admin1_code, cut=Year:2019, aggregates=approved_value.sum, order=approved_value.sum:desc, pagesize=5
asks which ministries got the most money in 2019.`,
		arguments: append(append([]argument{cubeArgument}, clauseArguments...),
			pageArgument, argument{"pagesize", number, "How many cells, at most 10,000; 100 unless given, 0 for the summary alone"}, versionArgument, langArgument),
		required: []string{"cube"},
		questions: func(map[string][]string) []question {
			return []question{{name: "answer", path: "/cubes/{cube}/aggregate", takes: append(clauses[:len(clauses):len(clauses)], "page", "pagesize", "lang", "version"), always: []string{exact, cited}}}
		},
	},
	{
		name: "tree", title: "Members of a hierarchy",
		description: `The members of a dimension with their amounts, those below a member inside it: from the top, or below the member of path. depth says how many levels. The
path of a node in a cut of this dimension, {dimension}:{path}, asks about that member.`,
		arguments: append([]argument{
			cubeArgument,
			{"dimension", text, "A dimension with one chain, or the level that a chain ends in"},
			{"path", text, "Look below this member: its codes from the top, joined by /, as 010/01005"},
			{"depth", number, "How many levels; 1 unless given"},
		}, append(argumentsOf("cut", "aggregates", "having", "order", "snapshots", "top", "remainder", "compare"), versionArgument, langArgument)...),
		required: []string{"cube", "dimension"},
		questions: func(map[string][]string) []question {
			return []question{{
				name: "tree", path: "/cubes/{cube}/tree/{dimension}", always: []string{exact, cited},
				takes: []string{"cut", "aggregates", "having", "order", "snapshots", "top", "remainder", "compare", "path", "depth", "lang", "version"},
			}}
		},
	},
	{
		name: "lines", title: "Lines behind a number",
		description: `The rows of the published files that a number is made of: give the cut of the question. Each has its file (_resource) and line (_line), where
anybody can look it up. sum has what all these rows add up to, with the citation, which names the files with their hashes.`,
		arguments: append(append([]argument{cubeArgument}, argumentsOf("cut")...),
			argument{"fields", text, "The columns to show, joined by |; all unless given"},
			argument{"order", text, "How to sort, as approved_value:desc; by file and line unless given"},
			argument{"snapshots", text, "all: also rows that state the same money again"},
			argument{"after", text, "The next of the page before"},
			argument{"pagesize", number, "How many rows, at most 10,000; 100 unless given"}, versionArgument, langArgument),
		required: []string{"cube"},
		questions: func(map[string][]string) []question {
			return []question{
				{name: "lines", path: "/cubes/{cube}/facts", takes: []string{"fields", "cut", "order", "snapshots", "after", "pagesize", "lang", "version"}, always: []string{exact}},
				{name: "sum", path: "/cubes/{cube}/aggregate", takes: []string{"cut", "snapshots", "lang", "version"}, always: []string{"pagesize=0", exact, cited}},
			}
		},
	},
	{
		name: "cite", title: "Cite a number",
		description: `One number with the sentence that says what it is, of which rows and years, its source, a link that keeps giving the same number when newer data are loaded, and
the files it rests on with their hashes. Quote citation.text as it is. lang says the language of the sentence.`,
		arguments: append(append([]argument{cubeArgument}, argumentsOf("cut", "aggregates", "snapshots", "compare")...), versionArgument, langArgument),
		required:  []string{"cube"},
		questions: func(map[string][]string) []question {
			return []question{{name: "cited", path: "/cubes/{cube}/aggregate", takes: []string{"cut", "aggregates", "snapshots", "compare", "lang", "version"},
				always: []string{"pagesize=0", exact, cited}}}
		},
	},
}

// The kinds of arguments in a schema.
const (
	text   = "string"
	number = "integer"
	flag   = "boolean"
)

// described gives a tool as assistants see it.
func (t tool) described() *mcp.Tool {
	properties := map[string]any{}
	for _, a := range t.arguments {
		properties[a.name] = map[string]string{"type": a.kind, "description": a.description}
	}
	closed := false
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(t.required) > 0 {
		schema["required"] = t.required
	}
	return &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description, InputSchema: schema,
		Annotations: &mcp.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}
}
