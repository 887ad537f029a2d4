package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// tables are the endings of the names of tables, by their media types.
var tables = map[string]string{
	"text/csv": ".csv", "text/tab-separated-values": ".tsv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}

// Source is a package to load: a zip that was sent, a table that was sent, a package that was made of files, or else the https URL of a zip or
// descriptor.
type Source struct {
	Zip   io.ReaderAt // nil where something else is sent
	Table io.ReaderAt // likewise
	Size  int64       // of what was sent
	Made  *Made       // likewise
	URL   string

	Answers  map[string]string // to the questions that tables without a descriptor leave open, by their keys
	Name     string            // of the cube that tables without a descriptor become; "" where a descriptor names it
	Ending   string            // of the name of such a table: .csv
	Encoding string            // of the table, as its media type says; "" where it does not
	Allow    []string          // of findings.Allowable

	Visibility cube.Visibility // of the cube; "" leaves it as it is
}

// Made is a package whose descriptor and overlay were made for the files of a folder.
type Made struct {
	Files               fs.FS
	Descriptor, Overlay []byte
}

// receive reads the body of a request. What it spools is removed by the job's close.
func (q *Queue) receive(c echo.Context, asked Source) (*job, error) {
	header := c.Request().Header
	media, params, _ := mime.ParseMediaType(header.Get(echo.HeaderContentType)) // of a broken one ""
	coding := header.Get(echo.HeaderContentEncoding)
	switch {
	case coding != "" && coding != "identity":
	case media == "application/zip", media == "application/x-zip-compressed":
		file, size, close, err := q.spool(c)
		asked.Zip, asked.Size = file, size
		return newJob(asked, close), err
	case tables[media] != "" && asked.Name == "":
		return nil, request.Mistake(cube.CodeBadValue, "name", "a table does not say which cube it becomes", "write name=my-town")
	case tables[media] != "":
		file, size, close, err := q.spool(c)
		asked.Table, asked.Size, asked.Encoding, asked.Ending = file, size, params["charset"], tables[media]
		return newJob(asked, close), err
	case media == echo.MIMEApplicationJSON && asked.Name != "":
		return nil, request.Mistake(cube.CodeBadValue, "name", "the descriptor of a package names its cube", "leave name out")
	case media == echo.MIMEApplicationJSON:
		return receiveURL(c, asked)
	}
	err := cube.Errorf(reply.CodeMediaType, "a body of this type or coding is not taken")
	err.Hint = `send a zip as application/zip, a table as text/csv, text/tab-separated-values or with the media type of XLSX, or {"url": "https://…"} as application/json`
	return nil, err
}

// spool keeps a body as far as it may be large. One that says it is larger is not read at all.
func (q *Queue) spool(c echo.Context) (file io.ReaderAt, size int64, close func() error, err error) {
	tooLarge := cube.Errorf(cube.CodeTooLarge, "what is sent has more than the %d bytes that this server takes", q.maxBytes)
	if c.Request().ContentLength > q.maxBytes {
		return nil, 0, nil, tooLarge
	}
	s, err := newSpool()
	if err != nil {
		return nil, 0, nil, err
	}
	size, err = io.Copy(s, io.LimitReader(newDeadlineBody(c), q.maxBytes+1))
	if err == nil && size > q.maxBytes {
		err = tooLarge
	}
	if err != nil {
		return nil, 0, nil, errors.Join(err, s.Close())
	}
	return s.file, size, s.Close, nil
}

// maxURLBody bounds the body that names a URL.
const maxURLBody = 64 << 10

func receiveURL(c echo.Context, asked Source) (*job, error) {
	var body struct{ URL string }
	decoder := json.NewDecoder(io.LimitReader(newDeadlineBody(c), maxURLBody))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&body)
	if err == nil {
		_, err = decoder.Token()
	}
	if !errors.Is(err, io.EOF) {
		return nil, cube.Wrap(reply.CodeBadBody, `the body is not {"url": "https://…"}`, err)
	}
	at, err := url.Parse(body.URL)
	if err != nil || at.Scheme != "https" || at.Hostname() == "" || at.User != nil {
		return nil, cube.Wrap(reply.CodeBadBody, "url is not the https URL of a zip or of a datapackage.json", err)
	}
	address := strings.ReplaceAll(body.URL, " ", "%20") // after a space, redact would see no address
	asked.URL = address
	return newJob(asked, func() error { return nil }), nil
}

// readTimeout is how long a piece of a body may take.
const readTimeout = 30 * time.Second

// deadlineBody moves the deadline before each piece: a package may take as long as it takes,
// provided it comes. Who sends it is the one to blame where it does not.
type deadlineBody struct {
	body       io.Reader
	controller *http.ResponseController
}

func newDeadlineBody(c echo.Context) *deadlineBody {
	return &deadlineBody{c.Request().Body, http.NewResponseController(c.Response())}
}

// Read implements io.Reader.
func (b *deadlineBody) Read(p []byte) (int, error) {
	err := b.controller.SetReadDeadline(time.Now().Add(readTimeout))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	n, err := b.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = cube.Wrap(reply.CodeBadBody, "the body ended early, or stood still for too long", err)
	}
	return n, err
}

// spool keeps what was sent in a temporary file. It loses its name at once where the system allows that, so that
// nothing is left behind, however the process ends.
type spool struct{ file *os.File }

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "fiscube-upload-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	_ = os.Remove(f.Name())
	return &spool{f}, nil
}

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	if err != nil {
		err = fmt.Errorf("write a temporary file: %w", err)
	}
	return n, err
}

// Close removes the file.
func (s *spool) Close() error {
	err := s.file.Close()
	_ = os.Remove(s.file.Name()) // where it could not be removed while it was open
	return err
}
