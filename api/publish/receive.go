package publish

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/site"
	"fiscube/api/jobs"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

const (
	mostBesides = 1 << 20 // bytes of a form beside its files
	mostField   = 4 << 10 // bytes of a field of such a form
	mostName    = 120     // characters of the name of a file
)

// kinds are the ends of the names of files that may be sent.
var kinds = []string{".csv", ".tsv", ".txt", ".xlsx", ".csv.gz", ".tsv.gz", ".txt.gz", ".zip"}

// send begins a draft. What cannot be taken is said where it was typed or chosen.
func (p *Pages) send(c echo.Context) error {
	err := p.begin(c)
	if err == nil || !request.PrefersPage(c.Request().Header.Values(echo.HeaderAccept)) {
		return err
	}
	status := reply.Statuses[reply.Explain(err).Code]
	if status >= http.StatusInternalServerError {
		return err
	}
	return site.Handler(p.limiter, func(v *site.Visit) (*site.Frame, error) {
		frame, failed := p.startPageWith(v, err)
		if failed != nil {
			return nil, failed
		}
		return frame.WithStatus(status), nil
	})(c)
}

// notFetched is the error of an address.
type notFetched struct {
	address string
	error
}

// Unwrap gives the cause.
func (e notFetched) Unwrap() error { return e.error }

// begin makes a draft of the files that are sent.
func (p *Pages) begin(c echo.Context) error {
	made, err := p.drafts.begin()
	if err != nil {
		return err
	}
	sent, err := p.receive(c, made.ID)
	if err == nil && len(sent.files) == 0 {
		err = cube.Errorf(reply.CodeBadBody, "no file was chosen")
	}
	if err == nil {
		err = p.drafts.take(made.ID, sent)
	}
	if err != nil {
		return errors.Join(err, p.drafts.discard(made.ID))
	}
	return seeOther(c, "/"+made.ID, "")
}

// changeFiles adds files to a draft, and removes others.
func (p *Pages) changeFiles(c echo.Context) error {
	id, err := p.changeable(c)
	if err != nil {
		return err
	}
	sent, err := p.receive(c, id)
	if err == nil {
		err = p.drafts.take(id, sent)
	}
	if err != nil {
		sent.drop()
		return err
	}
	return seeOther(c, "/"+id, "#problems")
}

// changeable gives the draft of a request, unless it is being loaded.
func (p *Pages) changeable(c echo.Context) (id string, err error) {
	found, err := p.drafts.find(request.Path(c, "draft"))
	if err != nil {
		return "", err
	}
	if status, known := p.loads.Status(found.Job); known && !status.Ended {
		return "", cube.Errorf(cube.CodeConflict, "the draft is being published").WithHint("wait until that has ended")
	}
	return found.ID, nil
}

// sent is what a form brought: files below the names that they will have, and the names of those that go.
type sent struct {
	files map[string]string // temporary paths
	gone  []string
}

func (s sent) drop() {
	for _, path := range s.files {
		_ = os.Remove(path)
	}
}

// receive reads a form with files. Its size is bounded as that of a package that is sent, and that of all drafts is, too.
func (p *Pages) receive(c echo.Context, id string) (sent, error) {
	s := sent{files: map[string]string{}}
	r, most := c.Request(), p.loads.MaxBytes()
	if err := enter(r.Context(), p.drafts.receiving); err != nil {
		return s, err
	}
	defer leave(p.drafts.receiving)
	if room := mostUploads*most - p.drafts.bytes(); room < most {
		most = max(0, room)
	}
	tooLarge := cube.Errorf(cube.CodeTooLarge, "what is sent has more than the %d bytes for which there is room", most).WithHint("discard drafts that are not needed any more, or send the files compressed")
	if r.ContentLength > most+mostBesides {
		return s, tooLarge
	}
	r.Body = http.MaxBytesReader(c.Response(), io.NopCloser(jobs.Body(c)), most+mostBesides)
	form, err := r.MultipartReader()
	if err != nil {
		return s, cube.Wrap(reply.CodeMediaType, "this takes a form with files (multipart/form-data)", err)
	}
	for {
		part, err := form.NextPart()
		if err == nil {
			err = p.receivePart(r.Context(), part, id, most, &s)
		}
		var long *http.MaxBytesError
		switch {
		case errors.Is(err, io.EOF):
			return s, nil
		case errors.As(err, &long):
			return s, tooLarge
		case err != nil && cube.CodeOf(err) == "" && !isOurs(err):
			return s, cube.Wrap(reply.CodeBadBody, "the form cannot be read", err)
		case err != nil:
			return s, err
		}
	}
}

// isOurs tells whether an error is of the disk, and not of what was sent.
func isOurs(err error) bool {
	var disk *fs.PathError
	return errors.As(err, &disk)
}

func (p *Pages) receivePart(ctx context.Context, part *multipart.Part, id string, most int64, s *sent) error {
	defer func() { _ = part.Close() }()
	switch name := part.FormName(); {
	case name == "files" && part.FileName() != "":
		return p.keep(part, part.FileName(), id, most, s)
	case name == "gone" || name == "address":
		text, err := io.ReadAll(io.LimitReader(part, mostField))
		typed := strings.TrimSpace(string(text))
		switch {
		case err != nil || typed == "":
		case name == "gone":
			s.gone = append(s.gone, typed)
		default:
			if err = p.fetch(ctx, typed, id, most, s); err != nil {
				err = notFetched{typed, err}
			}
		}
		return err
	}
	return nil
}

// fetch takes the file at an address. One whose name ends as no other is read by what it holds.
func (p *Pages) fetch(ctx context.Context, address, id string, most int64, s *sent) error {
	data, name, err := p.drafts.describer.Fetch(ctx, address, most)
	switch {
	case cube.CodeOf(err) == cube.CodeBadPackage:
		return cube.Wrap(cube.CodeBadValue, err.Error(), err)
	case err != nil:
		return err
	}
	defer func() { _ = data.Close() }()
	if ending := path.Ext(name); len(ending) < 2 || len(ending) > len(".xlsx") {
		name += ".csv"
	}
	return p.keep(data, name, id, most, s)
}

// keep takes a file, or those of a zip.
func (p *Pages) keep(part io.Reader, sentAs, id string, most int64, s *sent) error {
	name, err := cleanName(sentAs)
	if err != nil {
		return err
	}
	if strings.HasSuffix(strings.ToLower(name), ".zip") {
		return p.unpack(part, id, most, s)
	}
	return p.drafts.spool(part, id, name, s)
}

// spool keeps a file in the folder of a draft, outside its files.
func (d *Drafts) spool(data io.Reader, id, name string, s *sent) error {
	if len(s.files) >= mostFiles {
		return cube.Errorf(cube.CodeTooLarge, "a draft has at most %d files", mostFiles)
	}
	f, err := os.CreateTemp(d.path(id), uploadMark)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if before := s.files[name]; before != "" {
		_ = os.Remove(before)
	}
	s.files[name] = f.Name()
	return nil
}

// unpack takes the tables of a zip. All together they may have as many bytes as may be sent.
func (p *Pages) unpack(part io.Reader, id string, most int64, s *sent) error {
	zip := sent{files: map[string]string{}}
	defer zip.drop()
	if err := p.drafts.spool(part, id, "zip", &zip); err != nil {
		return err
	}
	f, err := os.Open(zip.files["zip"])
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	tables, paths, err := p.drafts.describer.Tables(f, info.Size())
	if err != nil {
		return err
	}
	for _, inside := range paths {
		name, err := cleanName(inside)
		if err != nil { // it is a table by what it holds
			if name, err = cleanName(inside + ".csv"); err != nil {
				return err
			}
		}
		if s.files[name] != "" { // another folder has one of that name
			name, _ = cleanName(strings.ReplaceAll(inside, "/", "-"))
		}
		size, err := p.copyTable(tables, inside, id, name, most, s)
		if most -= size; err != nil {
			return err
		}
	}
	return nil
}

func (p *Pages) copyTable(tables fs.FS, inside, id, name string, most int64, s *sent) (size int64, err error) {
	data, err := tables.Open(inside)
	if err != nil {
		return 0, err
	}
	defer func() { _ = data.Close() }()
	counted := &io.LimitedReader{R: data, N: most + 1}
	if err = p.drafts.spool(counted, id, name, s); err == nil && counted.N == 0 {
		err = cube.Errorf(cube.CodeTooLarge, "the zip unpacks to more than the %d bytes for which there is room", most)
	}
	return most + 1 - counted.N, err
}

// take puts what was sent among the files of a draft.
func (d *Drafts) take(id string, s sent) error {
	return d.change(id, func(into *draft) error {
		names := slices.DeleteFunc(slices.Clone(into.Files), func(name string) bool { return slices.Contains(s.gone, name) })
		for name := range s.files {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		switch {
		case len(names) == 0:
			return cube.Errorf(cube.CodeConflict, "a draft has at least one file").WithHint("discard the draft instead")
		case len(names) > mostFiles:
			return cube.Errorf(cube.CodeTooLarge, "a draft has at most %d files", mostFiles)
		}
		for _, name := range into.Files {
			if !slices.Contains(names, name) {
				if err := os.Remove(d.path(id, filesInIt, name)); err != nil {
					return fmt.Errorf("remove a file of a draft: %w", err)
				}
			}
		}
		for name, path := range s.files {
			if err := os.Rename(path, d.path(id, filesInIt, name)); err != nil {
				return fmt.Errorf("keep a file of a draft: %w", err)
			}
		}
		return nil
	})
}

// cleanName gives the name of a file as it is kept: without its folders and what nobody sees.
func cleanName(sent string) (string, error) {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(sent, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`:*?"<>|`, r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimLeft(strings.TrimSpace(name), ".")
	lower := strings.ToLower(name)
	i := slices.IndexFunc(kinds, func(kind string) bool { return strings.HasSuffix(lower, kind) && len(lower) > len(kind) })
	if i < 0 || filepath.Base(name) != name {
		return "", cube.Errorf(reply.CodeMediaType, "%q is no file that is taken here", name).WithHint("send CSV, TSV or XLSX, also compressed (gz), or a zip of CSV files")
	}
	if stem := []rune(name[:len(name)-len(kinds[i])]); len(stem) > mostName {
		name = string(stem[:mostName]) + name[len(name)-len(kinds[i]):]
	}
	return name, nil
}
