package command

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/store"
)

// operation is what an operator decides of a server beyond what it serves and where.
type operation struct {
	limits    limits.Options
	publicURL string // where callers reach the server; "" takes it from each request
	log       string // a form of the log
}

// The forms of the log.
const (
	logAuto = "auto"
	logText = "text"
	logJSON = "json"
)

func (o *operation) addFlags(flags *pflag.FlagSet) {
	flags.DurationVar(&o.limits.Query, "query-timeout", 30*time.Second,
		"how long a question may take, and a file until it begins; 0 for no limit")
	flags.IntVar(&o.limits.Queries, "max-queries", 16,
		"how many questions are put to the store at once, half of them for files of more than 2,500 rows; 0 for no limit")
	flags.IntVar(&o.limits.Queue, "max-queue", 64,
		"how many questions wait for their turn, up to five seconds, at most half of them for the files of one address")
	flags.Float64Var(&o.limits.Rate, "rate", 0,
		"how many requests a second one address may make, and five times that at once; 0 for no limit")
	flags.BoolVar(&o.limits.TrustProxy, "trust-proxy", false,
		"take the address from X-Forwarded-For and http or https from X-Forwarded-Proto, where a proxy in a private network sets them")
	flags.StringVar(&o.publicURL, "public-url", "",
		"where callers reach the server, for the links in answers, as https://example.org/budgets; without it each request says")
	flags.StringVar(&o.log, "log", logAuto, "the form of the log: text, json, or auto for text on a terminal")
}

// check refuses what no server can do.
func (o *operation) check() error {
	l := o.limits
	switch {
	case l.Query < 0 || l.Queries < 0 || l.Queue < 0 || !(l.Rate >= 0) || math.IsInf(l.Rate, 0):
		return usageError{errors.New("a limit is a number from 0 up")}
	case o.log != logAuto && o.log != logText && o.log != logJSON:
		return usageError{fmt.Errorf("no form of the log %q: use text, json or auto", o.log)}
	case o.publicURL != "" && !isPublic(o.publicURL):
		return usageError{fmt.Errorf("the public URL %q is no address of a server, as https://example.org/budgets is", o.publicURL)}
	}
	return nil
}

// isPublic tells whether paths can be put behind an address.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(address, "?#")
}

// logger makes the log of a server. What collects the logs of servers reads JSON.
func (p *program) logger(form string) *slog.Logger {
	if form == logJSON || form == logAuto && !p.terminal {
		return slog.New(slog.NewJSONHandler(p.err, nil))
	}
	return p.log()
}

// statsOf gives what a store tells of itself, for those that do.
func statsOf(s store.Store) func() []cube.Stat {
	if teller, ok := s.(interface{ Stats() []cube.Stat }); ok {
		return teller.Stats
	}
	return nil
}
