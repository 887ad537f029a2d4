package catalogue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/internal/each"
	"fiscube/store/sqlgen"
)

// Entry enters the version of one load into the catalogue, in the transaction of the load.
type Entry struct {
	content Content
	name    string
	ask     Ask
	cuboids []cube.Cuboid // the base, if there is one
	narrow  []bool        // cube.Package.NarrowSums
	keep    KeepFile

	FilesAdded bool // the version has files now that it did not have before
}

// NewEntry begins the entry of a content, whose files keep keeps.
func NewEntry(content Content, ask Ask, keep KeepFile) *Entry {
	return &Entry{content: content, name: content.Package().Name, ask: ask, keep: keep}
}

// Reuse serves a kept version of the same fingerprint, which has the files of the content from now on; the outcome is empty where there is
// none.
func (e *Entry) Reuse(ctx context.Context) (findings.Outcome, error) {
	kept, err := e.ask.rows(ctx, "look for a kept version", selectKept, e.name, e.content.Fingerprint())
	if err != nil || len(kept) == 0 {
		return "", err
	}
	if err := e.keepFiles(ctx, kept[0][2].(int64)); err != nil {
		return "", err
	}
	if kept[0][1] == true {
		return findings.OutcomeUnchanged, e.show(ctx)
	}
	if _, err = e.ask.rows(ctx, "serve a kept version", Serve, e.name, kept[0][0]); err != nil {
		return "", err
	}
	return findings.OutcomeRestored, e.show(ctx)
}

// show sets the visibility that the content wants.
func (e *Entry) show(ctx context.Context) error {
	to := e.content.Visibility()
	if to == "" {
		return nil
	}
	_, err := e.ask.rows(ctx, "set the visibility", Show, e.name, string(to))
	return err
}

// CheckName compares the name with those of the packages beside it.
func (e *Entry) CheckName(ctx context.Context) error {
	rows, err := e.ask.rows(ctx, "list the packages", selectNames, e.name)
	if err != nil {
		return err
	}
	others := each.Text(rows, func(row []any) string { return row[0].(string) })
	return checkName(e.name, others)
}

// NextID gives the number of the version's tables.
func (e *Entry) NextID(ctx context.Context) (int64, error) {
	rows, err := e.ask.rows(ctx, "number the version's tables", nextID)
	if err != nil {
		return 0, err
	}
	return rows[0][0].(int64), nil
}

// Publish writes the version, of so many rows, into the catalogue and serves it.
func (e *Entry) Publish(ctx context.Context, id, rows int64) error {
	last, err := e.last(ctx)
	if err != nil {
		return err
	}
	pkg := *e.content.Package()
	pkg.LabelHistory = e.content.LabelHistory()    // known only now
	pkg.Cuboids = e.cuboids                        // likewise
	pkg.NarrowSums = e.narrow                      // likewise
	pkg.Overlay = append([]byte{}, pkg.Overlay...) // not nil: it is known that there is none
	content, errContent := json.Marshal(&pkg)
	report, errReport := json.Marshal(e.content.Report())
	if err := errors.Join(errContent, errReport); err != nil {
		return fmt.Errorf("write version %d to the catalogue: %w", id, err)
	}
	if err := e.keepFiles(ctx, id); err != nil {
		return err
	}
	number := last + 1
	if _, err := e.ask.rows(ctx, "enter the version", insertVersion, id, e.name, number, e.content.Fingerprint(), time.Now().UTC(), rows,
		string(content), pkg.Descriptor, string(report)); err != nil {
		return err
	}
	if _, err = e.ask.rows(ctx, "publish the version", publish, e.name, number); err != nil {
		return err
	}
	return e.show(ctx)
}

// last gives the last number ever used for the package, entering the package where it is new.
func (e *Entry) last(ctx context.Context) (int32, error) {
	rows, err := e.ask.rows(ctx, "look for the last version", selectLast, e.name)
	if err != nil {
		return 0, err
	}
	if len(rows) == 0 {
		_, err := e.ask.rows(ctx, "enter the package", insertPackage, e.name)
		return 0, err
	}
	return rows[0][0].(int32), nil
}

// checkName refuses the name of a package that differs from another's in case alone, or whose views would have
// the name of another's: those of a package "budget" are "budget" and "budget (all)".
func checkName(name string, others []string) error {
	own := takenNames(name)
	for _, other := range others {
		if slices.ContainsFunc(takenNames(other), func(taken string) bool { return slices.Contains(own, taken) }) {
			err := cube.Errorf(cube.CodeConflict, "the package %q cannot be loaded beside the package %q: their names are too alike", name, other)
			err.Hint = "names of packages differ in more than case and than an added (all); rename this one, or remove the other"
			return err
		}
	}
	return nil
}

// takenNames are the names that a package takes, without regard to case.
func takenNames(name string) []string {
	names := append(sqlgen.ViewNames(name), name)
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	return names
}
