package api

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
)

// exportBuffer is how many bytes of an answer gather before they are sent. An error before that is answered as one.
const exportBuffer = 64 << 10

// export answers with rows as they come. Where they end in an error after the first are on their way, the connection
// is cut: see problem.
func export(c echo.Context, s sheet, rows iter.Seq2[[]datum, error]) error {
	if c.Request().Method == http.MethodHead {
		return promise(c, s, rows)
	}
	asker := announcer{c.Response(), &s}
	out := bufio.NewWriterSize(asker, exportBuffer)
	encoder, err := s.format.encode(out, &s)
	if err != nil {
		return err
	}
	defer encoder.close()
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := encoder.row(row); err != nil {
			return err
		}
	}
	if err := encoder.end(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	asker.begin()
	return nil
}

// promise answers HEAD once there is a first row, or none; where the length decides whether GET is answered in a
// coding, once that is settled.
func promise(c echo.Context, s sheet, rows iter.Seq2[[]datum, error]) error {
	var length counter
	encoder, err := s.format.encode(&length, &s)
	if err != nil {
		return err
	}
	defer encoder.close()
	asker, text := announcer{c.Response(), &s}, compressible(s.format.media)
	for row, err := range rows {
		switch {
		case err != nil:
			return err
		case !text || length >= leastCompressed:
			asker.begin()
			return nil
		}
		if err := encoder.row(row); err != nil {
			return err
		}
	}
	if text {
		c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(int(length)))
	}
	asker.begin()
	return nil
}

// announcer sends the header of a sheet with its first bytes: the number of rows, and the links that go by it, are
// known before those, and not much earlier.
type announcer struct {
	response *echo.Response
	sheet    *sheet
}

func (a announcer) begin() {
	if !a.response.Committed {
		a.sheet.describe(a.response.Header())
		a.response.WriteHeader(http.StatusOK)
	}
}

// Write implements io.Writer.
func (a announcer) Write(b []byte) (int, error) {
	a.begin()
	return receiver{a.response}.Write(b)
}

// receiver is the asker. Errors say that nobody takes the answer any more.
type receiver struct{ io.Writer }

// Write implements io.Writer.
func (r receiver) Write(b []byte) (int, error) {
	n, err := r.Writer.Write(b)
	if err != nil {
		err = fmt.Errorf("%w: %w", errUnread, err)
	}
	return n, err
}

// rowsOf makes rows of what the store yields. What is no row, as a summary is, makes nil.
func rowsOf[T any](items iter.Seq2[T, error], make func(T) ([]datum, error)) iter.Seq2[[]datum, error] {
	return func(yield func([]datum, error) bool) {
		for item, err := range items {
			var row []datum
			if err == nil {
				row, err = make(item)
			}
			if err == nil && row == nil {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// yielded gives items that are there already.
func yielded[T any](items []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}
