// Package spool keeps long answers about pinned versions on disk, so that programs can read parts of them: each has a length, and ranges
// of it can be asked for (RFC 9110, section 14). An answer is made once, when it is first asked for; what nobody asked for longest goes first.
package spool

import (
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

// file is a whole answer. It is open for as long as it is kept, and has no name, so that nothing is left when the process ends.
type file struct {
	*os.File
	tag    string
	header http.Header
	bytes  int64
	uses   int // those that read it, and the spool itself
}

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
	created, err := os.CreateTemp(s.folder, "fiscube-answer-*")
	if err != nil {
		return nil, send() // the disk takes no more
	}
	_ = os.Remove(created.Name())
	to := &writer{ResponseWriter: c.Response().Writer, file: created, bound: s.bound, head: c.Request().Method == http.MethodHead}
	if err := writeTo(c, to, send); err != nil || to.file == nil {
		_ = created.Close()
		return nil, err
	}
	f := &file{File: created, tag: tag, header: http.Header{}, bytes: to.bytes, uses: 2}
	for _, name := range own {
		if values := c.Response().Header().Values(name); len(values) > 0 {
			f.header[name] = values
		}
	}
	s.keep(f)
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
		if to.file != nil {
			response.Committed, response.Size, response.Status = false, 0, http.StatusOK
		}
	}()
	return send()
}

func (s *Spool) keep(f *file) {
	s.mu.Lock()
	s.kept[f.tag] = s.asked.PushFront(f)
	s.bytes += f.bytes
	var gone []*file
	for s.bytes > s.bound {
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
	if unused {
		_ = f.Close()
	}
}

// writer writes an answer into a file. One that is longer than it may be, or than the disk has room for, goes to the client instead.
type writer struct {
	http.ResponseWriter
	file   *os.File // nil: to the client
	status int
	bytes  int64 // in the file
	bound  int64
	head   bool // the client wants no body
}

// WriteHeader implements http.ResponseWriter.
func (w *writer) WriteHeader(status int) {
	if w.status = status; w.file == nil {
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write implements io.Writer.
func (w *writer) Write(b []byte) (int, error) {
	if w.file != nil && w.bytes+int64(len(b)) <= w.bound {
		n, err := w.file.Write(b)
		w.bytes += int64(n)
		if err == nil {
			return n, nil
		}
		if rest, err := w.toClient(b[n:]); err != nil {
			return n + rest, err
		}
		return len(b), nil
	}
	return w.toClient(b)
}

// toClient sends what is in the file, and what comes after it.
func (w *writer) toClient(b []byte) (int, error) {
	if f := w.file; f != nil {
		w.file = nil
		w.ResponseWriter.WriteHeader(w.status)
		if !w.head {
			if _, err := io.Copy(w.ResponseWriter, io.NewSectionReader(f, 0, w.bytes)); err != nil {
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
