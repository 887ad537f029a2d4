package publish

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/internal/each"
)

// The bounds of drafts.
const (
	draftFor    = 7 * 24 * time.Hour // after the last change
	mostDrafts  = 50
	mostFiles   = 100
	sentAtOnce  = 2 // forms with files that are received at the same moment
	mostUploads = 4 // as many bytes as so many uploads may have, all drafts together
)

// Drafts are folders with files that were sent and what was said of them.
type Drafts struct {
	folder    string
	describer Describer
	readings  readings
	receiving chan struct{}

	mu sync.Mutex // for what is in the folder, but for files while they are received
}

// NewDrafts keeps drafts in a folder, which is made for the first of them.
func NewDrafts(folder string, describer Describer) *Drafts {
	return &Drafts{folder: folder, describer: describer, readings: newReadings(), receiving: make(chan struct{}, sentAtOnce)}
}

// sweepEvery is how often drafts that are over are looked for.
const sweepEvery = time.Hour

// Run removes drafts that are over, until ctx ends.
func (d *Drafts) Run(ctx context.Context) {
	for {
		d.sweep(time.Now())
		select {
		case <-time.After(sweepEvery):
		case <-ctx.Done():
			return
		}
	}
}

// draft is what is known of one, and kept in its file.
type draft struct {
	ID      string           `json:"-"`
	Changed time.Time        `json:"-"`
	Said    Said             `json:"said"`
	Printed map[string]typed `json:"printed,omitempty"` // totals, by their keys
	Job     string           `json:"job,omitempty"`     // of the last time that it was published
	Files   []string         `json:"-"`
}

// typed is a number as a person typed it, and as it was understood in the language of the page; "" for not at all.
type typed struct{ Text, Number string }

const (
	draftFile  = "draft.json"
	filesInIt  = "files"
	onlyForUs  = 0o700
	oursAlone  = 0o600
	uploadMark = "upload-*"
)

var idForm = regexp.MustCompile(`^[A-Z2-7]{26}$`)

func isID(text string) bool { return idForm.MatchString(text) }

func (d *Drafts) path(id string, below ...string) string {
	return filepath.Join(append([]string{d.folder, id}, below...)...)
}

// files is the folder of the files of a draft.
func (d *Drafts) files(id string) fs.FS { return os.DirFS(d.path(id, filesInIt)) }

// begin makes an empty draft, if there is room for one.
func (d *Drafts) begin() (*draft, error) {
	d.sweep(time.Now())
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := os.MkdirAll(d.folder, onlyForUs); err != nil {
		return nil, fmt.Errorf("make the folder of drafts: %w", err)
	}
	if err := os.Chmod(d.folder, onlyForUs); err != nil { // which somebody else may have made, in a folder for all
		return nil, fmt.Errorf("keep the folder of drafts from others: %w", err)
	}
	if n := len(d.list()); n >= mostDrafts {
		return nil, cube.Errorf(reply.CodeTooManyLoads, "there are %d drafts already", n).WithHint("discard one that is not needed any more")
	}
	made := &draft{ID: rand.Text()}
	if err := os.MkdirAll(d.path(made.ID, filesInIt), onlyForUs); err != nil {
		return nil, fmt.Errorf("make a draft: %w", err)
	}
	return made, d.write(made)
}

// write keeps what is known of a draft: all of it, or what was kept before.
func (d *Drafts) write(made *draft) error {
	text, err := json.Marshal(made)
	if err != nil {
		return err
	}
	path := d.path(made.ID, draftFile)
	if err := os.WriteFile(path+".new", text, oursAlone); err != nil {
		return fmt.Errorf("write a draft: %w", err)
	}
	return os.Rename(path+".new", path)
}

// find gives a draft.
func (d *Drafts) find(id string) (*draft, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.read(id)
}

func (d *Drafts) read(id string) (*draft, error) {
	unknown := cube.Errorf(cube.CodeUnknownRoute, "no draft %q; drafts are removed seven days after their last change", id)
	if !isID(id) {
		return nil, unknown
	}
	path := d.path(id, draftFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && time.Since(info.ModTime()) > draftFor {
		return nil, unknown
	}
	text, readErr := os.ReadFile(path)
	if err = cmp.Or(err, readErr); err != nil {
		return nil, fmt.Errorf("read a draft: %w", err)
	}
	found := &draft{ID: id, Changed: info.ModTime()}
	if err := json.Unmarshal(text, found); err != nil {
		return nil, fmt.Errorf("read a draft: %w", err)
	}
	entries, err := os.ReadDir(d.path(id, filesInIt))
	found.Files = append(found.Files, each.Text(entries, os.DirEntry.Name)...)
	return found, err
}

// change changes what is known of a draft.
func (d *Drafts) change(id string, change func(*draft) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	found, err := d.read(id)
	if err != nil {
		return err
	}
	if err := change(found); err != nil {
		return err
	}
	return d.write(found)
}

// discard removes a draft with its files.
func (d *Drafts) discard(id string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return os.RemoveAll(d.path(id))
}

// all lists the drafts, those that were changed last first.
func (d *Drafts) all() (list []*draft) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range d.list() {
		if found, err := d.read(id); err == nil {
			list = append(list, found)
		}
	}
	slices.SortFunc(list, func(a, b *draft) int { return b.Changed.Compare(a.Changed) })
	return list
}

func (d *Drafts) list() (ids []string) {
	entries, _ := os.ReadDir(d.folder) // none before the first draft
	for _, entry := range entries {
		if isID(entry.Name()) {
			ids = append(ids, entry.Name())
		}
	}
	return ids
}

// sweep removes the drafts that are over, and those that a process did not finish to make.
func (d *Drafts) sweep(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range d.list() {
		info, err := os.Stat(d.path(id, draftFile))
		if err != nil || now.Sub(info.ModTime()) > draftFor {
			_ = os.RemoveAll(d.path(id))
		}
	}
}

// bytes counts what all drafts take.
func (d *Drafts) bytes() (sum int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = filepath.WalkDir(d.folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			if info, err := entry.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}
