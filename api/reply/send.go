// Package reply sends answers and errors: whole or row by row, with their tags and links, compressed where that helps.
package reply

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/limits"
	"fiscube/api/request"
	"fiscube/cube"
)

// SendJSON answers with one of our own shapes.
func SendJSON(c echo.Context, status int, v any) error {
	body := encode.Marshal(v)
	if status == http.StatusOK {
		if err := limits.HoldBody(c.Request().Context(), body); err != nil {
			return err
		}
		LinkToPage(c)
	}
	return Send(c, status, echo.MIMEApplicationJSON, body)
}

// Send answers with a whole body, to HEAD with its length alone.
func Send(c echo.Context, status int, media string, body []byte) error {
	if err := limits.HoldCopy(c.Request().Context(), int64(len(body))); err != nil && status == http.StatusOK {
		return err
	}
	r := c.Response()
	r.Header().Set(echo.HeaderContentType, media)
	r.Header().Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	r.WriteHeader(status)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	if _, err := r.Write(body); err != nil {
		return fmt.Errorf("%w: %w", errUnread, err)
	}
	return nil
}

// keptForever is for what is named by its content.
const keptForever = "max-age=31536000, immutable"

// SendNamed answers with a file by send, unless the client has it. Its content has a sum; without one there is no such file. A request
// that names the sum may keep the file for ever.
func SendNamed(c echo.Context, media, sum string, send func() error) error {
	given, err := request.Read(c.Request().URL.RawQuery, []request.Parameter{{Name: "v", Twice: cube.CodeBadValue}})
	switch {
	case err != nil:
		return err
	case sum == "":
		return echo.ErrNotFound
	case given["v"] == sum:
		c.Response().Header().Set(echo.HeaderCacheControl, keptForever)
	}
	if Unchanged(c, media, sum) {
		return SendNotModified(c)
	}
	return send()
}

// SendScript answers with JSON as a script that gives it to a function, if there is such.
func SendScript(c echo.Context, status int, callback string, body []byte) error {
	script := callback + " && " + callback + "(" + lineEnds.Replace(string(body)) + ")"
	return Send(c, status, echo.MIMEApplicationJavaScript, []byte(script))
}

// lineEnds are two characters that JSON allows, but the strings of scripts in older browsers do not.
var lineEnds = strings.NewReplacer("\u2028", `\u2028`, "\u2029", `\u2029`)

// BufferSize is how many bytes of an answer gather before they are sent. An error before that is answered as one.
const BufferSize = 64 << 10

// lookEach is after how many rows of a file it is looked whether its caller is still there: one that is made as a whole sends nothing before.
const lookEach = 256

// Export answers with rows as they come. Where they end in an error after the first are on their way, the connection
// is cut: see Problems.
func Export(c echo.Context, s encode.Sheet, rows iter.Seq2[[]encode.Datum, error]) error {
	if s.Format.Describes {
		s.AsCSV, rows = inFormat(c.Request().URL, encode.FormatCSV), func(func([]encode.Datum, error) bool) {}
	}
	if c.Request().Method == http.MethodHead {
		return promise(c, s, rows)
	}
	client := announcer{c, &s}
	out := bufio.NewWriterSize(client, BufferSize)
	ctx, n := c.Request().Context(), 0
	s.Hold = func(bytes int64) error { return limits.HoldForFile(ctx, bytes) }
	encoder, err := encode.New(out, &s)
	if err != nil {
		return err
	}
	defer encoder.Close()
	for row, err := range rows {
		if n++; err == nil && n%lookEach == 0 {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if err := encoder.Row(row); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if err := encoder.End(); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	client.begin()
	return nil
}

// promise answers HEAD once there is a first row, or none; where the length decides whether GET is answered in a
// coding, once that is settled.
func promise(c echo.Context, s encode.Sheet, rows iter.Seq2[[]encode.Datum, error]) error {
	var length encode.Counter
	encoder, err := encode.New(&length, &s)
	if err != nil {
		return err
	}
	defer encoder.Close()
	client, text := announcer{c, &s}, compressible(s.Format.Media)
	for row, err := range rows {
		switch {
		case err != nil:
			return err
		case !text || length >= minCompressed:
			client.begin()
			return nil
		}
		if err := encoder.Row(row); err != nil {
			return err
		}
	}
	if err := encoder.End(); err != nil {
		return err
	}
	if text && length < minCompressed {
		c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(int(length)))
	}
	client.begin()
	return nil
}

// announcer sends the header of a sheet with its first bytes: the number of rows, and the links that go by it, are
// known before those, and not much earlier.
type announcer struct {
	echo.Context
	sheet *encode.Sheet
}

func (a announcer) begin() {
	if r := a.Response(); !r.Committed {
		header, s := r.Header(), a.sheet
		name := s.File + "." + s.Format.Extension
		header.Set(echo.HeaderContentType, s.Format.Content)
		header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		AddLink(header, s.Link, "canonical")
		if s.Format == encode.FormatCSV && !s.Excel {
			addLink(header, "<"+inFormat(a.Request().URL, encode.FormatCSVW)+`>; rel="describedby"; type="`+encode.FormatCSVW.Media+`"`)
		}
		if len(s.Warnings) > 0 {
			room := maxHeader - len(strings.Join(header.Values(HeaderLink), ""))
			header.Set(HeaderWarnings, warningsText(s.Warnings, room))
		}
		r.WriteHeader(http.StatusOK)
	}
}

// Write implements io.Writer.
func (a announcer) Write(b []byte) (int, error) {
	a.begin()
	return Receiver{a.Response()}.Write(b)
}

// Receiver is the client. Its errors say that it is gone.
type Receiver struct{ io.Writer }

// Write implements io.Writer.
func (r Receiver) Write(b []byte) (int, error) {
	n, err := r.Writer.Write(b)
	if err != nil {
		err = fmt.Errorf("%w: %w", errUnread, err)
	}
	return n, err
}
