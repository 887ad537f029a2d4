package command

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/seeds"
	"fiscube/store/load"
	"fiscube/store/postgres"
)

// sourceHelp says what a PATH may be.
const sourceHelp = `PATH is a folder or a zip that holds datapackage.json, such a file itself, or the http(s) URL of one.

What only a person can know of a package stands in overlay.yaml beside its descriptor, or in the file that
--overlay names; for the packages that fiscube knows, one comes with it.`

// sourceFlags adds the flags that say how a package is read.
func sourceFlags(cmd *cobra.Command) *load.Options {
	o := &load.Options{Shipped: seeds.OverlayFor, MaxDownload: load.DefaultDownload}
	flags := cmd.Flags()
	flags.StringVar(&o.OverlayFile, "overlay", "", "the overlay to apply, in place of overlay.yaml beside the descriptor")
	flags.StringVar(&o.Encoding, "encoding", "",
		"the encoding of the CSV files, whatever the descriptor says: utf-8, utf-16, windows-1250, windows-1251, shift_jis …")
	flags.StringVar(&o.Resource, "resource", "", "read only the resource of this name")
	flags.BoolVar(&o.AllowMissing, "allow-missing", false, "leave out the resources whose files are not there")
	addLoadLimits(flags, o)
	flags.StringSliceVar(&o.Allow, "allow", nil, "load a package although it has "+strings.Join(findings.Allowable, ", ")+"; may be repeated")
	cmd.PreRunE = checkAllowed(o)
	flags.BoolVar(&o.AllowPrivate, "allow-private", false, "read URLs of private and local addresses too")
	return o
}

// addKeepFiles adds the flag of what is kept beside what is loaded.
func addKeepFiles(flags *pflag.FlagSet, o *load.Options) {
	flags.Var(yesNo{&o.NoFiles}, "keep-files",
		"whether files are kept as they were published, so that readers can check their hashes: yes or no")
}

// yesNo is a flag of what is done unless it says no.
type yesNo struct{ not *bool }

// String implements pflag.Value.
func (y yesNo) String() string {
	if y.not != nil && *y.not {
		return "no"
	}
	return "yes"
}

// Set implements pflag.Value.
func (y yesNo) Set(text string) error {
	if text != "yes" && text != "no" {
		return errors.New("it has to be yes or no")
	}
	*y.not = text == "no"
	return nil
}

// Type implements pflag.Value.
func (yesNo) Type() string { return "yes|no" }

// addStoring adds the flags that say how PostgreSQL stores the tables of facts and base cuboids.
func (p *program) addStoring(flags *pflag.FlagSet) {
	p.storing.Distribute = postgres.DistributeAuto
	all := []postgres.Distribute{postgres.DistributeAuto, postgres.DistributeAlways, postgres.DistributeNever}
	flags.Var(choice[postgres.Distribute]{&p.storing.Distribute, all}, "distribute",
		"whether cubes are distributed over the workers of a Citus cluster, whose coordinator --db names: auto (those of a million rows), always or never")
	flags.StringVar(&p.storing.AccessMethod, "table-access-method", "",
		"how PostgreSQL keeps rows, such as columnar of Citus; its own way unless given")
}

// choice is a flag that has one of a few values.
type choice[T ~string] struct {
	value *T
	of    []T
}

// String implements pflag.Value.
func (c choice[T]) String() string {
	if c.value == nil {
		return ""
	}
	return string(*c.value)
}

// Set implements pflag.Value.
func (c choice[T]) Set(text string) error {
	if !slices.Contains(c.of, T(text)) {
		names := strings.Split(c.Type(), "|")
		last := len(names) - 1
		return withSuggestion(fmt.Errorf("it has to be %s or %s", strings.Join(names[:last], ", "), names[last]), text, names)
	}
	*c.value = T(text)
	return nil
}

// Type implements pflag.Value.
func (c choice[T]) Type() string {
	return strings.Join(each.Text(c.of, func(value T) string { return string(value) }), "|")
}

// completeChoices lets a shell complete the values of the flags that have only a few.
func completeChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		values := strings.Split(f.Value.Type(), "|")
		if f.Name == "allow" {
			values = findings.Allowable
		}
		if len(values) > 1 {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // a flag has one
		}
	})
}

// addLoadLimits adds the flags that bound what a package may bring.
func addLoadLimits(flags *pflag.FlagSet, o *load.Options) {
	flags.Var(megabytes{&o.MaxDownload}, "max-download", "how many MB a package by URL may have, all its files together")
	flags.Int64Var(&o.MaxMembers, "max-members", membersInMemory(),
		"how many members all levels of a package may have together, by default as many as half of the memory holds; 0 for no limit")
}

// megabytes is a flag of a number of bytes that is given in megabytes.
type megabytes struct{ bytes *int64 }

// String implements pflag.Value.
func (m megabytes) String() string {
	if m.bytes == nil {
		return ""
	}
	return strconv.FormatInt(*m.bytes>>20, 10)
}

// Set implements pflag.Value.
func (m megabytes) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64>>20 {
		return errors.New("it has to be a number of MB, at least 1")
	}
	*m.bytes = n << 20
	return nil
}

// Type implements pflag.Value.
func (megabytes) Type() string { return "MB" }

// bytesOf is a flag of a number of bytes that is given with its unit.
type bytesOf struct{ bytes *int64 }

var byteUnits = []struct {
	name  string
	shift int
}{{"GB", 30}, {"MB", 20}, {"KB", 10}}

// String implements pflag.Value.
func (b bytesOf) String() string {
	if b.bytes == nil || *b.bytes == 0 {
		return "0"
	}
	for _, unit := range byteUnits {
		if *b.bytes%(1<<unit.shift) == 0 {
			return strconv.FormatInt(*b.bytes>>unit.shift, 10) + unit.name
		}
	}
	return strconv.FormatInt(*b.bytes, 10) // which Set makes none of
}

// Set implements pflag.Value.
func (b bytesOf) Set(text string) error {
	if text == "0" {
		*b.bytes = 0
		return nil
	}
	for _, unit := range byteUnits {
		number, is := strings.CutSuffix(strings.ToUpper(text), unit.name)
		n, err := strconv.ParseInt(number, 10, 64)
		if is && err == nil && n >= 0 && n <= math.MaxInt64>>unit.shift {
			*b.bytes = n << unit.shift
			return nil
		}
	}
	return errors.New("it has to be a number with KB, MB or GB, such as 256MB, or 0")
}

// Type implements pflag.Value.
func (bytesOf) Type() string { return "SIZE" }

// absolute resolves the paths of a command line here: the server that runs it is in a folder of its own.
func absolute(paths []string) []string {
	resolved := slices.Clone(paths)
	for i, path := range paths {
		if abs, err := filepath.Abs(path); err == nil && !strings.Contains(path, "://") {
			resolved[i] = abs
		}
	}
	return resolved
}

// ownFlags are the flags that another process has values of its own for, or no business with.
var ownFlags = []string{"db", "token", "token-file", "read-token", "read-token-file", "insecure", "config"}

// givenFlags lists the flags that were given, as a command line has them.
func givenFlags(flags *pflag.FlagSet) []string {
	var given []string
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		if f.Name == "overlay" {
			value = absolute([]string{value})[0]
		}
		if !slices.Contains(ownFlags, f.Name) {
			given = append(given, "--"+f.Name+"="+value)
		}
	})
	return given
}

// tokenFlags say which token a server asks for, or a command shows. Nothing ever prints it.
type tokenFlags struct{ name, token, file string }

func (t *tokenFlags) addFlags(flags *pflag.FlagSet, name, usage string) {
	t.name = name
	flags.StringVar(&t.token, name, "", usage)
	flags.StringVar(&t.file, name+"-file", "", "the file that holds it")
}

// leastToken is how many characters keep a token from being guessed.
const leastToken = 16

// read gives the token, "" where none was given.
func (t *tokenFlags) read() (string, error) {
	token := t.token
	switch {
	case t.file == "":
	case t.token != "":
		return "", usageError{fmt.Errorf("give --%s or --%s-file, not both", t.name, t.name)}
	default:
		content, err := os.ReadFile(t.file)
		if err != nil {
			return "", fmt.Errorf("read the token: %w", err)
		}
		if token = strings.TrimSpace(string(content)); token == "" {
			return "", fmt.Errorf("the token file %s is empty", t.file)
		}
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", usageError{errors.New("a token is made of letters, digits and signs of ASCII, without spaces")}
	}
	return token, nil
}

// checkSecret refuses a token that is no secret.
func checkSecret(token string) error {
	if len(token) < leastToken {
		return usageError{fmt.Errorf("a token of less than %d characters can be guessed: make one with openssl rand -hex 24", leastToken)}
	}
	return nil
}

// serverFlags name the server that is to do what a command says.
type serverFlags struct {
	server   string
	token    tokenFlags
	insecure bool
}

func (f *serverFlags) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.server, "server", "", "the URL of a fiscube server that is to do it, in place of --db")
	f.token.addFlags(flags, "token", "the token of --server; better in FISCUBE_TOKEN")
	flags.BoolVar(&f.insecure, "insecure", false, "send the token to --server without encryption, too")
}
