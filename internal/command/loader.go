package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
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
	l.options.Allow, l.options.Visibility = from.Allow, from.Visibility
	source, asked, err := l.open(ctx, from, progress)
	if err != nil {
		return findings.Loaded{}, asRefused(err)
	}
	defer func() { _ = source.Close() }()
	loaded, err := load.Run(ctx, l.store, source, progress)
	loaded.Asked = asked
	return loaded, asRefused(err)
}

// open opens a package. That of tables which were sent without a descriptor comes with what was asked of them.
func (l loader) open(ctx context.Context, from jobs.Source, progress jobs.Progress) (source *load.Source, asked []findings.Asked, err error) {
	switch made := from.Made; {
	case made != nil:
		source, err = load.OpenMade(ctx, made.Files, made.Descriptor, made.Overlay, l.options)
	case from.Name != "":
		return l.describe(ctx, from, progress)
	case from.Zip != nil:
		source, err = load.OpenZip(ctx, from.Zip, from.Size, l.options)
	default:
		progress.Begin("Fetching", 0)
		defer progress.End()
		source, err = load.OpenWith(ctx, from.URL, l.options)
	}
	return source, nil, err
}

// describe makes a package of tables that were sent without a descriptor.
func (l loader) describe(ctx context.Context, from jobs.Source, progress jobs.Progress) (*load.Source, []findings.Asked, error) {
	name := from.Name + from.Ending
	folder, paths := files.OneFile(name, from.Table, from.Size), []string{name}
	if from.Zip != nil {
		var err error
		if folder, paths, err = load.OpenTables(from.Zip, from.Size, l.options); err != nil {
			return nil, nil, err
		}
	}
	o := l.options
	o.Encoding = from.Encoding
	d, err := describe.Read(ctx, folder, paths, describe.Options{Name: from.Name, Year: from.Answers["year"], Sheet: from.Answers["sheet"], Unchecked: true, Load: o}, progress)
	if err != nil {
		return nil, nil, err
	}
	asked, err := answer(d.Questions(), from.Answers)
	if err != nil {
		return nil, nil, err
	}
	descriptor, err := d.Descriptor()
	if err != nil {
		return nil, nil, err
	}
	source, err := load.OpenMade(ctx, folder, descriptor, d.Overlay(), l.options)
	return source, asked, err
}

// answer gives answers to questions. One that none asks is a mistake, as is one that cannot be taken.
func answer(questions []describe.Question, answers map[string]string) (asked []findings.Asked, err error) {
	keys := []string{"year", "sheet"} // which were read already
	var problems []string
	for _, q := range questions {
		if err := q.Answer(answers[q.Key]); err != nil {
			problems = append(problems, q.Key+": "+err.Error())
		}
		keys = append(keys, q.Key)
		asked = append(asked, q.In(cube.English, answers[q.Key]))
	}
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		if !slices.Contains(keys, key) {
			problems = append(problems, fmt.Sprintf("nothing asks for %q; the questions are %s", key, strings.Join(keys, ", ")))
		}
	}
	if problems != nil {
		return nil, &jobs.Refused{Problems: problems}
	}
	return asked, nil
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
	reading   tokenFlags
	readToken string // "" for none
	options   load.Options
}

func (r *receiving) addFlags(flags *pflag.FlagSet) {
	r.flags.addFlags(flags, "token", "take packages and removals over HTTP from who shows this token; better in FISCUBE_TOKEN")
	r.reading.addFlags(flags, "read-token", "show cubes that only who has a token sees to who shows this one, too; better in FISCUBE_READ_TOKEN")
	r.options = load.Options{Shipped: seeds.OverlayFor, MaxDownload: load.DefaultDownload}
	addLoadLimits(flags, &r.options)
	addKeepFiles(flags, &r.options)
	flags.Int64Var(&r.maxUpload, "max-upload", 1024, "how many MB a zip that is sent over HTTP may have")
	flags.StringVar(&r.drafts, "drafts", "", "the folder of the drafts of publishers; by default beside the file of the embedded store, or else in the temporary folder")
}

// check reads the token.
func (r *receiving) check() (err error) {
	r.token, err = r.flags.read()
	readToken, errReading := r.reading.read()
	r.readToken = readToken
	switch {
	case err != nil || errReading != nil:
		return errors.Join(err, errReading)
	case readToken != "" && checkSecret(readToken) != nil:
		return checkSecret(readToken)
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
