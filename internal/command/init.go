package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/describe"
	"fiscube/store/load"
	"fiscube/store/load/files"
)

// localSchemas is where a server on this machine has the JSON Schemas.
const localSchemas = "http://" + defaultAddr + "/schemas"

func (p *program) initCommand() *cobra.Command {
	var o describe.Options
	var yes bool
	cmd := &cobra.Command{
		Use: "init FILE…", Short: "Describe CSV files and workbooks, so that they can be loaded",
		Long: `Describe CSV files and workbooks, so that they can be loaded: read them and write ` + load.DescriptorName + ` and ` + load.OverlayName + ` into the
folder that holds them. Nothing is overwritten, and the files themselves are never changed.

The cells say how the files are written, which column is the fiscal year, which are amounts, which codes have which
labels, which level lies below which, and whether rows state the same money again. ` + load.OverlayName + ` has the evidence of each
guess behind it. What no cell says, such as the currency, is asked on a terminal; elsewhere, and with --yes, it stays open.
FILE is CSV, TSV or XLSX, may be compressed (.gz, or a zip that holds it alone), or is a folder of such files.`,
		Example: "  fiscube init data/budget-2024.csv\n  fiscube init --name my-town data",
		Args:    someFiles,
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Name, "name", "", "the name of the package; without it, one is made of the names of the files")
	flags.StringVar(&o.Load.Encoding, "encoding", "", "the encoding of the files, instead of the one that their characters suggest: utf-8, utf-16, windows-1251, koi8-u, shift_jis …")
	flags.StringSliceVar(&o.Load.Allow, "allow", nil, "describe files although they have no-year; validate and load need it then, too")
	flags.StringVar(&o.Schemas, "schemas", localSchemas, "where editors find the JSON Schemas of both files; a server has them at /schemas")
	flags.StringVar(&o.Year, "year", "", "the fiscal year of all rows, where no cell says it: 2024, 2023/24")
	flags.StringVar(&o.Sheet, "sheet", "", "the sheet of a workbook, instead of the first that is shown")
	flags.IntVar(&o.HeaderRow, "header", 0, "the line of the names of columns, instead of the one that is found")
	flags.StringVar(&o.Currency, "currency", "", "the currency of all amounts (ISO 4217): EUR")
	flags.StringVar(&o.Direction, "direction", "", "whether the money is spent or received: expenditure, revenue")
	flags.BoolVar(&yes, "yes", false, "ask nothing, also on a terminal")
	cmd.PreRunE = checkAllowed(&o.Load)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.describe(cmd.Context(), args, o, p.asks && !yes)
	}
	return cmd
}

// someFiles refuses a command line without a file.
func someFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("name the files of a package, or the folder that holds them" + example(cmd))
	}
	return nil
}

func (p *program) describe(ctx context.Context, named []string, o describe.Options, ask bool) error {
	folder, paths, err := commonFolder(named)
	if err != nil {
		return err
	}
	if whole, err := filepath.Abs(folder); err == nil {
		o.Folder = filepath.Base(whole)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return unreadable(folder, err)
	}
	defer func() { _ = root.Close() }()
	for _, name := range []string{load.DescriptorName, load.OverlayName} {
		if _, err := root.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return overwrites(folder, name)
		}
	}
	d, err := describe.Read(ctx, root.FS(), paths, o, p.progress())
	if err != nil {
		return err
	}
	if ask {
		if err := p.ask(ctx, d.Questions()); err != nil {
			return err
		}
	}
	if err := d.Check(ctx, p.progress()); err != nil {
		return err
	}
	if err := writePackage(root, folder, d); err != nil {
		return err
	}
	p.printDescription(folder, d)
	return nil
}

func overwrites(folder, name string) error {
	return cube.Errorf(cube.CodeConflict, "%s is there already, and is not overwritten: remove it first, or load the package as it is", filepath.Join(folder, name))
}

// commonFolder gives the folder that holds all files, and their paths in it. A folder that is named stands for the tables in it.
func commonFolder(named []string) (folder string, paths []string, err error) {
	for i, file := range named {
		absolute, err := filepath.Abs(file)
		if err != nil {
			return "", nil, unreadable(file, err)
		}
		info, err := os.Stat(file)
		if err != nil {
			return "", nil, unreadable(file, err)
		}
		holds, in := filepath.Dir(absolute), []string{absolute}
		if info.IsDir() {
			holds = absolute
			in, err = tablesIn(absolute)
		}
		if err != nil {
			return "", nil, unreadable(file, err)
		}
		paths = append(paths, in...)
		if i == 0 {
			folder = holds
		}
		for !strings.HasPrefix(holds+string(filepath.Separator), strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)) {
			folder = filepath.Dir(folder)
		}
	}
	seen := map[string]bool{}
	for i, path := range paths {
		if paths[i], err = filepath.Rel(folder, path); err != nil {
			return "", nil, unreadable(path, err)
		}
		if paths[i] = filepath.ToSlash(paths[i]); seen[paths[i]] {
			return "", nil, usageError{fmt.Errorf("%s is named twice", paths[i])}
		}
		seen[paths[i]] = true
	}
	if working, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(working, folder); err == nil && !strings.HasPrefix(short, "..") {
			folder = short
		}
	}
	return folder, paths, nil
}

// tablesIn gives the tables of a folder by their whole paths.
func tablesIn(folder string) (paths []string, err error) {
	if paths, err = files.TablesIn(os.DirFS(folder)); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, errors.New("the folder holds no tables, such as CSV files or workbooks")
	}
	for i, path := range paths {
		paths[i] = filepath.Join(folder, filepath.FromSlash(path))
	}
	return paths, nil
}

// writePackage writes both documents, or none.
func writePackage(root *os.Root, folder string, d *describe.Description) error {
	descriptor, err := d.Descriptor()
	if err != nil {
		return err
	}
	if err := writeNew(root, folder, load.DescriptorName, descriptor); err != nil {
		return err
	}
	if err := writeNew(root, folder, load.OverlayName, d.Overlay()); err != nil {
		return errors.Join(err, root.Remove(load.DescriptorName))
	}
	return nil
}

// writeNew writes a file that is not there yet.
func writeNew(root *os.Root, folder, name string, content []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return overwrites(folder, name)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(folder, name), err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(folder, name), errors.Join(err, root.Remove(name)))
	}
	return nil
}

// printDescription says what was written, what is not known, and what to do next.
func (p *program) printDescription(folder string, d *describe.Description) {
	p.printf("%s: wrote %s and %s\n", onOneLine(d.Name), filepath.Join(folder, load.DescriptorName), filepath.Join(folder, load.OverlayName))
	for _, line := range d.Summary() {
		p.printf("  %s\n", onOneLine(line))
	}
	if totals := d.Totals(); len(totals) > 0 {
		p.printf("Totals, to compare with the printed budget:\n")
		out := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, t := range totals {
			_, _ = fmt.Fprintf(out, "  %s\t %s\t %s\t\n", t.Year, onOneLine(t.Measure), t.Sum)
		}
		_ = out.Flush()
	}
	for _, f := range d.Findings() {
		if f.Severity == findings.SeverityWarning {
			p.printf("Look at this: %s\n", onOneLine(f.String()))
		}
	}
	p.printf("Correct %s where it guesses wrong; then: fiscube validate %s\n", filepath.Join(folder, load.OverlayName), folder)
}

// ask asks questions one after the other. The end of the input leaves the rest as they are.
func (p *program) ask(ctx context.Context, questions []describe.Question) error {
	p.printf("Enter keeps what is in brackets, or leaves the question open.\n")
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		in := bufio.NewScanner(p.in)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
		if err := in.Err(); err != nil {
			failed <- err
		}
		close(lines)
	}()
	for _, q := range questions {
		for answered := q.General != ""; !answered; { // one amount that differs from the others is for the overlay
			p.printf("%s", question(q))
			select {
			case <-ctx.Done():
				p.printf("\n")
				return errors.New("stopped; nothing was written")
			case line, more := <-lines:
				if !more {
					p.printf("\n")
					select {
					case err := <-failed:
						return fmt.Errorf("read the answer: %w", err)
					default:
						return nil
					}
				}
				err := q.Answer(line)
				if answered = err == nil; !answered {
					p.printf("  %s\n", onOneLine(err.Error()))
				}
			}
		}
	}
	return nil
}

// question writes a question with its choices and what counts without an answer.
func question(q describe.Question) string {
	text := onOneLine(q.Text.In(cube.English))
	if len(q.Choices) > 0 {
		text += " (" + strings.Join(q.Choices, ", ") + ")"
	}
	if q.Default != "" {
		text += " [" + onOneLine(q.Default) + "]"
	}
	return text + ": "
}
