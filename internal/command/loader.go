package command

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/spf13/pflag"

	"fiscube/api/jobs"
	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/internal/redact"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/describe"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// loader loads the packages that arrive over HTTP. It implements jobs.Loader. What is sent is no more trusted
// than what is found: URLs of private addresses are refused.
type loader struct {
	store   catalogue.Loader
	options load.Options
}

// Load implements jobs.Loader.
func (l loader) Load(ctx context.Context, from jobs.Source, progress jobs.Progress) (findings.Loaded, error) {
	l.options.Allow = from.Allow
	source, err := l.open(ctx, from, progress)
	if err != nil {
		return findings.Loaded{}, asRefused(err)
	}
	defer func() { _ = source.Close() }()
	loaded, err := load.Run(ctx, l.store, source, progress)
	return loaded, asRefused(err)
}

func (l loader) open(ctx context.Context, from jobs.Source, progress jobs.Progress) (*load.Source, error) {
	if made := from.Made; made != nil {
		return load.OpenMade(ctx, made.Files, made.Descriptor, made.Overlay, l.options)
	}
	if from.Name != "" {
		return l.describe(ctx, from, progress)
	}
	if from.Zip != nil {
		return load.OpenZip(ctx, from.Zip, from.Size, l.options)
	}
	progress.Begin("Fetching", 0)
	defer progress.End()
	return load.OpenWith(ctx, from.URL, l.options)
}

// describe makes a package of CSV files that were sent without a descriptor.
func (l loader) describe(ctx context.Context, from jobs.Source, progress jobs.Progress) (*load.Source, error) {
	name := from.Name + from.Ending
	folder, paths := files.OneFile(name, from.Table, from.Size), []string{name}
	if from.Zip != nil {
		var err error
		if folder, paths, err = load.OpenTables(from.Zip, from.Size, l.options); err != nil {
			return nil, err
		}
	}
	o := l.options
	o.Encoding = from.Encoding
	d, err := describe.Read(ctx, folder, paths, describe.Options{Name: from.Name, Unchecked: true, Load: o}, progress)
	if err != nil {
		return nil, err
	}
	descriptor, err := d.Descriptor()
	if err != nil {
		return nil, err
	}
	return load.OpenMade(ctx, folder, descriptor, d.Overlay(), l.options)
}

// asRefused marks the errors of a package, with the lines that the command prints of them.
func asRefused(err error) error {
	var rejected *load.Rejected
	var problems fdp.Problems
	if errors.As(err, &rejected) || errors.As(err, &problems) || cube.CodeOf(err) == cube.CodeBadPackage {
		return &jobs.Refused{Problems: strings.Split(redact.Text(err.Error()), "\n")}
	}
	return err
}

// receiving is what an operator decides of loading over HTTP.
type receiving struct {
	flags     tokenFlags
	maxUpload int64  // in MB
	drafts    string // the folder of drafts; "" for the usual one
	token     string // "" for no loading over HTTP
	options   load.Options
}

func (r *receiving) addFlags(flags *pflag.FlagSet) {
	r.flags.addFlags(flags, "take packages and removals over HTTP from who shows this token; better in FISCUBE_TOKEN")
	r.options = load.Options{Shipped: seeds.OverlayFor, MaxDownload: load.DefaultDownload}
	addLoadLimits(flags, &r.options)
	addCuboids(flags, &r.options)
	flags.Int64Var(&r.maxUpload, "max-upload", 1024, "how many MB a zip that is sent over HTTP may have")
	flags.StringVar(&r.drafts, "drafts", "", "the folder of the drafts of publishers; by default beside the file of the embedded store, or else in the temporary folder")
}

// check reads the token.
func (r *receiving) check() (err error) {
	r.token, err = r.flags.read()
	switch {
	case err != nil:
		return err
	case r.maxUpload < 1:
		return usageError{errors.New("--max-upload has to be at least 1")}
	case r.token == "":
		return nil
	}
	return checkSecret(r.token)
}

// loads makes the queue of the packages that are sent; nil where no token is set.
func (r *receiving) loads(s catalogue.Loader, log *slog.Logger) *jobs.Queue {
	if r.token == "" {
		return nil
	}
	return jobs.New(loader{s, r.options},
		jobs.Options{Token: r.token, MaxBytes: r.maxUpload << 20, Log: log})
}

// workOff works the queue off until stop is called, which waits for the load under way to be undone.
func workOff(ctx context.Context, loads *jobs.Queue) (stop func()) {
	if loads == nil {
		return func() {}
	}
	return inBackground(ctx, loads.Run)
}
