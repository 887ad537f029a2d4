package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/plan"
)

const (
	batchPath    = "/cubes/:cube/batch"
	maxQuestions = 50
	maxBatch     = 1 << 20 // bytes of the body
	batchKey     = "batch" // where a request keeps its questions
)

// inBatch are the parameters of each question: the version and the language are those of all, and the format is JSON.
var inBatch = slices.DeleteFunc(slices.Clone(aggregateParameters), func(p request.Parameter) bool {
	return slices.Contains([]string{"format", "excel", request.Lang.Name, request.Pin.Name}, p.Name)
})

// batch answers several questions about one version, one after the other, as if each came alone: what is wrong with one is
// its answer. An answer is sent before the next is made, so that no more than one is in memory.
func (a *api) batch(c echo.Context) error {
	given, lang, err := request.ReadLanguage(c, request.Lang, request.Pin)
	if err != nil {
		return err
	}
	texts, err := readBatch(c)
	if err != nil {
		return err
	}
	c.Set(batchKey, texts)
	cb, err := request.Cube(c, a.limiter, request.Path(c, "cube"), given)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, "no-store") // an error may be among the answers
	header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	out := bufio.NewWriterSize(reply.Receiver{Writer: c.Response()}, reply.BufferSize)
	before := "["
	for i, text := range texts {
		ctx := c.Request().Context()
		var busy error
		limits.Freeing(ctx, func() {
			body, err := a.answerInBatch(c, cb, text, lang, i == 0)
			if err == nil {
				err = limits.HoldCopy(ctx, int64(len(body)))
			}
			if busy = err; i == 0 && limits.Busy(err) {
				return // nothing is sent yet: all of it can come back later
			}
			if err != nil {
				body = reply.ProblemInside(a.Log, err, c)
			}
			_, _ = out.WriteString(before)
			_, _ = out.Write(body) // Flush gives the first error
		})
		if gone := ctx.Err(); gone != nil {
			return gone
		}
		if i == 0 && limits.Busy(busy) {
			return busy
		}
		before = ","
	}
	_, _ = out.WriteString("]")
	return out.Flush()
}

// answerInBatch answers one question. The first is counted as the request itself.
func (a *api) answerInBatch(c echo.Context, cb *cube.Cube, text string, lang cube.Language, first bool) ([]byte, error) {
	if !first {
		if err := limits.CountOneMore(c); err != nil {
			return nil, err
		}
	}
	q, err := readQuestion(text, nil, inBatch, nil)
	if err != nil {
		return nil, err
	}
	q.lang = lang
	p, err := plan.Bind(cb, q.Query)
	if err != nil {
		return nil, err
	}
	found, err := a.answer(c, p, q, "") // a part of an answer has no coding of its own
	return found.Body, err
}

const batchHint = `send {"questions": ["drilldown=…&cut=…", …]} as application/json`

// readBatch reads the questions of a body.
func readBatch(c echo.Context) ([]string, error) {
	r := c.Request()
	media, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType)) // of a broken one ""
	if coding := r.Header.Get(echo.HeaderContentEncoding); media != echo.MIMEApplicationJSON || coding != "" && coding != "identity" {
		return nil, cube.Errorf(reply.CodeMediaType, "a body of this type or coding is not taken").WithHint(batchHint)
	}
	var body struct {
		Questions []string `json:"questions"`
	}
	decoder := json.NewDecoder(http.MaxBytesReader(c.Response(), r.Body, maxBatch))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&body)
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			err = errors.New("something follows the questions")
		}
	}
	long := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &long):
		return nil, cube.Errorf(cube.CodeTooLarge, "the body has more than %d bytes", maxBatch).WithHint("send the questions in several requests")
	case err != nil:
		return nil, cube.Wrap(reply.CodeBadBody, "the body is not a list of questions", err).WithHint(batchHint)
	case len(body.Questions) == 0:
		return nil, cube.Errorf(reply.CodeBadBody, "the body has no question").WithHint(batchHint)
	case len(body.Questions) > maxQuestions:
		return nil, cube.Errorf(reply.CodeBadBody, "the body has %d questions, and %d are answered at once", len(body.Questions), maxQuestions).
			WithHint("send them in several requests")
	}
	return body.Questions, nil
}
