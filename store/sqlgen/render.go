package sqlgen

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// SQL is the text of a query with its arguments: strings and 64-bit integers.
type SQL struct {
	Text string
	Args []any
}

// renderer collects the SQL text of one query and its arguments.
type renderer struct {
	strings.Builder
	args   []any
	inView bool // the text defines a view, which has no arguments: its values are literals
}

func (r *renderer) write(parts ...string) {
	for _, part := range parts {
		r.WriteString(part)
	}
}

// bind adds an argument and gives its placeholder.
func (r *renderer) bind(v any) string {
	if r.inView {
		return literal(v)
	}
	r.args = append(r.args, v)
	return "$" + strconv.Itoa(len(r.args))
}

// bindValue binds the value of a key.
func (r *renderer) bindValue(v cube.Value) string {
	if n, ok := v.Int(); ok {
		return r.bind(n)
	}
	return r.bind(v.String())
}

func (r *renderer) sql() SQL { return SQL{Text: r.String(), Args: r.args} }

// ident quotes a name. A NUL character, which no name of a Model holds, would end the text early.
func ident(name string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, `""`) + `"`
}

// longestName is how many bytes of a name PostgreSQL keeps.
const longestName = 63

// systemColumns are the names of columns that PostgreSQL adds to every table.
var systemColumns = []string{"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"}

// column quotes the name of a field as a column of the fact table.
func column(name string) string { return ident(columnName(name)) }

// columnName gives the name of the column of a field. It shortens a name that PostgreSQL would cut or uses itself.
func columnName(name string) string {
	if len(name) <= longestName && !slices.Contains(systemColumns, name) {
		return name
	}
	return shortened(name)
}

// shortened gives the beginning of a name and a digest of the whole, in at most 57 bytes.
func shortened(name string) string {
	beginning := strings.ToValidUTF8(name[:min(len(name), 40)], "")
	return beginning + fmt.Sprintf(" %x", sha256.Sum256([]byte(name)))[:17]
}

// numbered gives prefix0, prefix1 …. Columns inside a query are numbered, since fields may have any name.
func numbered(prefix string, i int) string { return prefix + strconv.Itoa(i) }

// list joins what item gives for 0 … n-1.
func list(n int, separator string, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, separator)
}
