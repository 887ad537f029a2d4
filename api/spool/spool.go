// Package spool keeps long answers about pinned versions on disk, so that programs can read parts of them: each has a length, and ranges
// of it can be asked for (RFC 9110, section 14). An answer is made once, when it is first asked for; what nobody asked for longest goes first.
package spool

import (
	"bytes"
	"container/list"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
)

// Spool keeps answers in files of a folder of its own. One without a folder keeps none: answers are sent as they come.
type Spool struct {
	folder string
	bound  int64

	mu    sync.Mutex
	bytes int64
	kept  map[string]*list.Element // of *file, by tag
	asked list.List                // the last asked first
	made  map[string]chan struct{} // closed when the answer of a tag is made, or cannot be
}

// file is a whole answer. It is open for as long as it is kept, and has no name, so that nothing is left when the process ends. A short
// answer is in memory, and is not kept.
type file struct {
	io.ReaderAt
	tag    string
	header http.Header
	bytes  int64
	uses   int // those that read it, and the spool itself
}

const (
	short     = 32 << 10 // bytes of an answer that is made again as fast as it is found
	mostFiles = 256      // that are open
)

// New makes a spool for so many bytes in a folder that there is, such as that for temporary files.
func New(folder string, bound int64) *Spool {
	if bound <= 0 {
		folder = ""
	}
	return &Spool{folder: folder, bound: bound, kept: map[string]*list.Element{}, made: map[string]chan struct{}{}}
}

// Answer sends what send would answer in a media type, and has tagged. Of a pinned version it sends it from a file. What is
// compressed on its way has no ranges, since they would be those of other bytes.
func (s *Spool) Answer(c echo.Context, media string, send func() error) error {
	tag := c.Response().Header().Get(reply.HeaderETag)
	if s.folder == "" || tag == "" || !request.IsPinned(c) || reply.IsCoded(c.Request().Header, media) {
		return send()
	}
	f, done, err := s.find(c.Request().Context(), tag)
	if err != nil {
		return err
	}
	if f == nil {
		defer done()
		if f, err = s.make(c, tag, send); f == nil || err != nil {
			return err
		}
	}
	defer s.release(f)
	for name, values := range f.header {
		c.Response().Header()[name] = values
	}
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, io.NewSectionReader(f, 0, f.bytes))
	return nil
}

// find gives a kept answer, after the one who makes it. Where there is none, the caller makes it, and calls done.
func (s *Spool) find(ctx context.Context, tag string) (f *file, done func(), err error) {
	for {
		s.mu.Lock()
		if e, ok := s.kept[tag]; ok {
			s.asked.MoveToFront(e)
			f = e.Value.(*file)
			f.uses++
			s.mu.Unlock()
			return f, nil, nil
		}
		making, ok := s.made[tag]
		if !ok {
			making = make(chan struct{})
			s.made[tag] = making
		}
		s.mu.Unlock()
		if !ok {
			return nil, func() {
				s.mu.Lock()
				delete(s.made, tag)
				s.mu.Unlock()
				close(making)
			}, nil
		}
		select {
		case <-making:
		case <-ctx.Done():
			return nil, nil, context.Cause(ctx)
		}
	}
}

// own are the headers that an answer has by itself, and not by who asks for it.
var own = []string{echo.HeaderContentType, echo.HeaderContentDisposition, reply.HeaderLink, reply.HeaderTotal, reply.HeaderWarnings}

// make lets send write into a file, and keeps it. It gives none where the answer went to the client already.
func (s *Spool) make(c echo.Context, tag string, send func() error) (*file, error) {
	to := &writer{ResponseWriter: c.Response().Writer, folder: s.folder, bound: s.bound, head: c.Request().Method == http.MethodHead}
	if err := writeTo(c, to, send); err != nil || to.sent {
		if to.file != nil {
			_ = to.file.Close()
		}
		return nil, err
	}
	f := &file{ReaderAt: bytes.NewReader(to.start), tag: tag, header: http.Header{}, bytes: to.bytes, uses: 1}
	for _, name := range own {
		if values := c.Response().Header().Values(name); len(values) > 0 {
			f.header[name] = values
		}
	}
	if to.file != nil {
		f.ReaderAt = to.file
		s.keep(f)
	}
	return f, nil
}

// writeTo lets send answer GET with a writer in place of the client. What has not gone to the client is as if it had not been answered.
func writeTo(c echo.Context, to *writer, send func() error) error {
	response, r := c.Response(), c.Request()
	response.Writer = to
	get := r.WithContext(r.Context())
	get.Method = http.MethodGet
	c.SetRequest(get)
	defer func() { // also when it panics
		response.Writer = to.ResponseWriter
		c.SetRequest(r)
		if !to.sent {
			response.Committed, response.Size, response.Status = false, 0, http.StatusOK
		}
	}()
	return send()
}

func (s *Spool) keep(f *file) {
	s.mu.Lock()
	f.uses++
	s.kept[f.tag] = s.asked.PushFront(f)
	s.bytes += f.bytes
	var gone []*file
	for s.bytes > s.bound || len(s.kept) > mostFiles {
		last := s.asked.Remove(s.asked.Back()).(*file)
		delete(s.kept, last.tag)
		s.bytes -= last.bytes
		gone = append(gone, last)
	}
	s.mu.Unlock()
	for _, f := range gone {
		s.release(f)
	}
}

// release closes a file that nobody uses any more.
func (s *Spool) release(f *file) {
	s.mu.Lock()
	f.uses--
	unused := f.uses == 0
	s.mu.Unlock()
	if open, ok := f.ReaderAt.(io.Closer); ok && unused {
		_ = open.Close()
	}
}

// writer holds the start of an answer, and writes what is longer into a file. One that is longer than it may be, or than the disk has room for, goes to
// the client instead.
type writer struct {
	http.ResponseWriter
	folder string
	start  []byte   // all of an answer that is short
	file   *os.File // nil while it is
	sent   bool     // to the client
	status int
	bytes  int64 // so far
	bound  int64
	head   bool // the client wants no body
}

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	if w.status = status; w.sent {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements io.Writer.
func (w *writer) Write(b []byte) (int, error) {
	switch {
	case w.sent || w.bytes+int64(len(b)) > w.bound || !w.hasFile(len(b)):
		return w.toClient(b)
	case w.file == nil:
		w.start = append(w.start, b...)
	default:
		if n, err := w.file.Write(b); err != nil {
			w.bytes += int64(n)
			rest, err := w.toClient(b[n:])
			return n + rest, err
		}
	}
	w.bytes += int64(len(b))
	return len(b), nil
}

// hasFile makes a file for an answer that so many more bytes make long. It tells whether the disk takes it.
func (w *writer) hasFile(more int) bool {
	if w.file != nil || len(w.start)+more <= short {
		return true
	}
	f, err := os.CreateTemp(w.folder, "fiscube-answer-*")
	if err != nil {
		return false
	}
	_ = os.Remove(f.Name())
	if _, err := f.Write(w.start); err != nil {
		_ = f.Close()
		return false
	}
	w.file = f
	return true
}

// toClient sends what was written so far, and what comes after it.
func (w *writer) toClient(b []byte) (int, error) {
	if !w.sent {
		w.sent = true
		w.ResponseWriter.WriteHeader(w.status)
		var so io.ReaderAt = bytes.NewReader(w.start)
		if w.file != nil {
			so = w.file
		}
		if !w.head {
			if _, err := io.Copy(w.ResponseWriter, io.NewSectionReader(so, 0, w.bytes)); err != nil {
				return 0, fmt.Errorf("send an answer that is too long to be kept: %w", err)
			}
		}
	}
	if w.head {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap gives the writer to http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
