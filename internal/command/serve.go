package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fiscube/api"
	"fiscube/api/harvest"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/search"
	"fiscube/cube/words"
	"fiscube/internal/version"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/catalogue"
	"fiscube/store/duckdb"
	"fiscube/store/load"
	"fiscube/store/resident"
)

func (p *program) serveCommand() *cobra.Command {
	var addr string
	var seed bool
	var locales string
	var o operation
	var r receiving
	cmd := &cobra.Command{
		Use: "serve", Short: "Answer questions over HTTP",
		Long: `Answer questions over HTTP until interrupted; requests in flight are finished first, for up to ten seconds.

With --seed the example packages that come with fiscube are loaded first, where they are missing. Their
figures are made up, and every answer from them says so.`,
		Args:    exactly(),
		PreRunE: func(*cobra.Command, []string) error { return errors.Join(r.check(), bringLocales(locales)) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), addr, seed, o, r) },
	}
	cmd.Flags().StringVar(&addr, "addr", defaultAddr, "the address to listen at, as host:port")
	cmd.Flags().BoolVar(&seed, "seed", false, "load the synthetic example packages where they are missing")
	cmd.Flags().StringVar(&locales, "locales", "", "a folder with catalogues of more languages, such as fr.toml, or with other words for those that fiscube has")
	o.addFlags(cmd.Flags())
	r.addFlags(cmd.Flags())
	p.addStoring(cmd.Flags())
	return cmd
}

// bringLocales reads the catalogues of a folder.
func bringLocales(folder string) error {
	if folder == "" {
		return nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".toml" }) {
		return fmt.Errorf("%s has no catalogue of a language, such as fr.toml", folder)
	}
	if err := words.Bring(os.DirFS(folder)); err != nil {
		return fmt.Errorf("--locales %s: %w", folder, err)
	}
	return nil
}

func (p *program) serve(ctx context.Context, addr string, seed bool, o operation, r receiving) error {
	if err := o.check(); err != nil {
		return err
	}
	defer collectInTime()()
	lines := newLogWriter(p.err)
	defer lines.Close()
	log := p.logger(o.log, lines)
	opened, err := p.openOnceThere(ctx, log)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // it was stopped while it waited
	case err != nil:
		return err
	}
	defer func() { _ = opened.Close() }()
	s := resident.New(opened, resident.Options{Bytes: o.resident}, log)
	s.LimitMembers(o.members)
	if seed {
		if err := loadSeeds(ctx, s, r.options, log); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listen at %s: %w (choose another with --addr)", addr, err)
	}
	if path, ok := store.EmbeddedPath(p.db); ok && path != ":memory:" {
		stop, err := acceptHandOver(ctx, path, s, log)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		defer stop()
	}
	loads := r.loads(s, log)
	defer workOff(ctx, loads)()
	drafts := r.draftsFor(p.db)
	if drafts != nil {
		defer inBackground(ctx, drafts.Run)()
	}
	if err := o.logStart(ctx, log, listener.Addr(), p.db, s); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer inBackground(ctx, s.Follow)()
	defer inBackground(ctx, func(ctx context.Context) { limitGarbage(ctx, s.Bytes) })()
	index := search.New(s, log)
	defer inBackground(ctx, index.Follow)()
	tracer, stopTracing, err := tracer(ctx, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer stopTracing()
	options := api.Options{
		Document: p.reference, PublicURL: o.publicURL, Operator: o.operator, Log: log, LogQuestions: o.questions, ReadToken: r.readToken, Limits: o.limits, Kept: o.kept, Spool: o.spool, StoreMetrics: s.Metrics, Loads: loads, Drafts: drafts, Search: index,
		Local: api.IsLocal(listener.Addr()) && o.publicURL == "" && !o.limits.TrustProxy, AllowOrigin: o.origins,
		DuckDB: duckdb.LibraryVersion(), Tracer: tracer,
	}
	if o.metricsAddr == "" {
		return api.Serve(ctx, listener, api.New(s, options), log)
	}
	everybody, operator := api.NewApart(s, options)
	inner, err := net.Listen("tcp", o.metricsAddr)
	if err != nil {
		return errors.Join(fmt.Errorf("listen at %s: %w (choose another with --metrics-addr)", o.metricsAddr, err), listener.Close())
	}
	log.Info("metrics are answered", "metrics_address", "http://"+inner.Addr().String())
	defer inBackground(ctx, func(ctx context.Context) {
		if err := api.Serve(ctx, inner, operator, slog.New(slog.DiscardHandler)); err != nil {
			log.Warn("metrics are not answered any more", "error", err)
		}
	})()
	return api.Serve(ctx, listener, everybody, log)
}

// logStart says what serves, where and within which limits.
func (o *operation) logStart(ctx context.Context, log *slog.Logger, at net.Addr, db string, s catalogue.Serving) error {
	catalog, err := s.Catalog(ctx)
	if err != nil {
		return err
	}
	kind, l := "postgresql", o.limits
	if _, embedded := store.EmbeddedPath(db); embedded {
		kind = "duckdb"
	}
	log.Info("fiscube answers", "address", "http://"+at.String(), "version", version.Of().Version, "store", kind, "cubes", len(catalog.Served()),
		slog.Group("limits", "query_timeout", l.Query.String(), "max_queries", l.Queries, "max_dear", l.Dear, "max_queue", l.Queue, "rate", l.Rate,
			"answers_memory", bytesOf{&l.Memory}.String(), "answer_cache", bytesOf{&o.kept}.String(), "resident", bytesOf{&o.resident}.String()))
	return nil
}

// How a server that is started together with its database waits for it.
const (
	databasePatience = time.Minute
	databasePause    = time.Second
)

// openOnceThere opens the store, and waits for its database server where that is not there yet.
func (p *program) openOnceThere(ctx context.Context, log *slog.Logger) (store.Store, error) {
	patient, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	for logged := ""; ; {
		s, err := p.open(ctx, p.db, p.storing, log)
		if cube.CodeOf(err) != cube.CodeUnreachable || patient.Err() != nil {
			return s, err
		}
		if err.Error() != logged {
			logged = err.Error()
			log.Warn("waiting for the database", "error", err, "at_most", databasePatience)
		}
		select {
		case <-time.After(databasePause):
		case <-patient.Done():
		}
	}
}

// inBackground lets work go on until stop is called, which waits for its end.
func inBackground(ctx context.Context, work func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	return func() { cancel(); <-done }
}

// loadSeeds loads the example packages that the catalogue does not have.
func loadSeeds(ctx context.Context, s store.Store, o load.Options, log *slog.Logger) error {
	catalog, err := s.Catalog(ctx)
	if err != nil {
		return err
	}
	for _, seed := range seeds.All() {
		if len(catalog.Versions(seed.Name)) > 0 {
			continue
		}
		loaded, err := loadSeed(ctx, s, seed, o)
		if err != nil {
			return fmt.Errorf("load the seed %s: %w", seed.Name, err)
		}
		log.Info("loaded an example", "cube", seed.Name, "rows", loaded.Cube.Rows, "synthetic", true)
	}
	return nil
}

func loadSeed(ctx context.Context, s catalogue.Loader, seed seeds.Seed, o load.Options) (findings.Loaded, error) {
	source, err := load.OpenFS(ctx, seed.FS, o)
	if err != nil {
		return findings.Loaded{}, err
	}
	defer func() { _ = source.Close() }()
	return load.Run(ctx, s, source, load.Silent{})
}

// operation is what an operator decides of a server beyond what it serves and where.
type operation struct {
	limits      limits.Options
	kept        int64    // bytes of answers that are kept
	spool       int64    // bytes on disk of exports of pinned versions
	members     int64    // bytes of members that are kept
	resident    int64    // bytes of cubes in memory
	publicURL   string   // where callers reach the server; "" takes it from each request
	origins     []string // sites that may read a server of this machine; * for all
	metricsAddr string   // of the metrics; "" for the address of everything
	log         string   // a form of the log
	questions   bool     // the log has them
	operator    harvest.Operator
}

// keptByDefault are the bytes of answers that a server keeps.
const keptByDefault = 256 << 20

// spoolByDefault are the bytes on disk of exports that a server keeps.
const spoolByDefault = 1 << 30

// membersByDefault are the bytes of members that a server keeps.
const membersByDefault = 256 << 20

// The forms of the log.
const (
	logAuto = "auto"
	logText = "text"
	logJSON = "json"
)

func (o *operation) addFlags(flags *pflag.FlagSet) {
	o.addQuestionFlags(flags)
	flags.Float64Var(&o.limits.Rate, "rate", 0,
		"how many requests a second one address may make, and five times that at once; 0 for no limit")
	flags.BoolVar(&o.limits.TrustProxy, "trust-proxy", false,
		"take the address from X-Forwarded-For and http or https from X-Forwarded-Proto, where a proxy in a private network sets them")
	flags.StringVar(&o.publicURL, "public-url", "",
		"where callers reach the server, for the links in answers, as https://example.org/budgets; without it each request says")
	flags.StringSliceVar(&o.origins, "allow-origin", nil,
		"a site whose pages may read a server that listens at a loopback address, as https://example.org; * for all; may be repeated")
	flags.StringVar(&o.metricsAddr, "metrics-addr", "", "the address at which /metrics is answered, as host:port, and not at --addr any more")
	flags.BoolVar(&o.questions, "log-questions", false, "write into the log what was asked, too: it may be personal")
	flags.StringVar(&o.operator.Name, "publisher", "",
		"who publishes the catalogue for portals, as \"Ministry of Finance\"; without it the host is named")
	flags.StringVar(&o.operator.Contact, "contact", "",
		"how portals reach the publisher, as mailto:data@example.org or https://example.org/contact")
	flags.StringVar(&o.operator.Security, "security-contact", "",
		"whom to tell of a hole, as mailto:security@example.org or https://example.org/security; without it there is no /.well-known/security.txt")
	o.log = logAuto
	flags.Var(choice[string]{&o.log, []string{logText, logJSON, logAuto}}, "log", "the form of the log; auto is text on a terminal")
}

// addQuestionFlags adds the flags that bound what questions take, wherever they come from.
func (o *operation) addQuestionFlags(flags *pflag.FlagSet) {
	flags.DurationVar(&o.limits.Query, "query-timeout", 30*time.Second,
		"how long a question may take, and a file until it begins and until each next row; 0 for no limit")
	flags.IntVar(&o.limits.Queries, "max-queries", 16,
		"how many questions are put to the store at once, half of them for files of more than 2,500 rows and other dear questions; 0 for no limit")
	flags.IntVar(&o.limits.Dear, "max-dear", max(1, runtime.GOMAXPROCS(0)/2),
		"how many dear questions work at the same moment, by default half as many as there are processors; 0 for no limit")
	flags.IntVar(&o.limits.Queue, "max-queue", 256,
		"how many cheap questions wait, and how many dear ones, up to five seconds and files up to ten minutes, at most half of them for the files of one address")
	o.limits.Memory = memoryForAnswers()
	flags.Var(bytesOf{&o.limits.Memory}, "answers-memory",
		"how much memory the answers that are being made and sent may take together, as 64MB or 1GB; by default a quarter of what the server has; 0 for no limit")
	o.kept, o.spool = keptByDefault, spoolByDefault
	o.members = membersByDefault
	flags.Var(bytesOf{&o.members}, "member-memory", "how much memory keys and labels of members may take that answer questions, as 64MB or 1GB; 0 to read them for each question")
	o.resident = memoryForResident()
	flags.Var(bytesOf{&o.resident}, "resident",
		"how much memory numbers and amounts of cubes may take that answer questions without the store, as 64MB or 1GB; by default a quarter of what the server has, at most 2GB")
	flags.Var(bytesOf{&o.spool}, "answer-files", "how much disk, in the folder for temporary files, exports of pinned versions may take, so that parts of them can be asked for; 0 to keep none")
	flags.Var(bytesOf{&o.kept}, "answer-cache", "how much memory answers may take that are kept to be sent again, as 64MB or 1GB; 0 to keep none")
}

// check refuses what no server can do.
func (o *operation) check() error {
	l := o.limits
	switch {
	case l.Query < 0 || l.Queries < 0 || l.Dear < 0 || l.Queue < 0 || !(l.Rate >= 0) || math.IsInf(l.Rate, 0):
		return usageError{errors.New("a limit is a number from 0 up")}
	case o.publicURL != "" && !isPublic(o.publicURL):
		return usageError{fmt.Errorf("the public URL %q is no address of a server, as https://example.org/budgets is", o.publicURL)}
	}
	for _, address := range []string{o.operator.Contact, o.operator.Security} {
		if address != "" && !isContact(address) {
			return usageError{fmt.Errorf("%q reaches nobody: write mailto:data@example.org or https://example.org/contact", address)}
		}
	}
	return nil
}

// isContact tells whether an address is one of mail or of a page, which RFC 9116 wants to be secure.
func isContact(address string) bool {
	if at, ok := strings.CutPrefix(address, "mailto:"); ok {
		_, err := mail.ParseAddress(at)
		return err == nil
	}
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

// isPublic tells whether paths can be put behind an address.
func isPublic(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(address, "?#")
}

// logger makes the log of a server. What collects the logs of servers reads JSON.
func (p *program) logger(form string, out io.Writer) *slog.Logger {
	if form == logJSON || form == logAuto && !p.terminal {
		return slog.New(slog.NewJSONHandler(out, logOptions))
	}
	return slog.New(slog.NewTextHandler(out, logOptions))
}
