package assistant

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/cube/query"
)

// The SDK repeats what was sent in its errors, and the id of a call in every answer, however long they are. So an answer could be as long as a
// message: ids are bounded, and texts in errors are cut.
const (
	mostID    = 1_000 // bytes of the id of a call
	mostError = 500   // characters of an error of the SDK
)

// idTooLong is the answer to a message, or to several in a list, of which a call has an id that is too long; nil where none has.
func idTooLong(message []byte) []byte {
	messages := readList(message)
	if messages == nil {
		messages = []json.RawMessage{message}
	}
	for _, m := range messages {
		var call struct{ ID json.RawMessage }
		if json.Unmarshal(m, &call) == nil && len(call.ID) > mostID {
			return failure(codeInvalidRequest, fmt.Sprintf("the id of a call has more than %d bytes", mostID))
		}
	}
	return nil
}

// quoted matches a text that a sentence quotes.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// shortError cuts what a sentence of the SDK repeats, and the sentence.
func shortError(sentence string) string {
	sentence = quoted.ReplaceAllStringFunc(sentence, func(text string) string { return `"` + query.Clip(strings.Trim(text, `"`)) + `"` })
	if runes := []rune(sentence); len(runes) > mostError {
		return string(runes[:mostError]) + "…"
	}
	return sentence
}

// withShortError cuts the error of a message, or of each in a list.
func withShortError(message []byte) []byte {
	if list := readList(message); list != nil {
		for i, m := range list {
			list[i] = withShortError(m)
		}
		return encode.Marshal(list)
	}
	o := readObject(message)
	problem := readObject(o.get("error"))
	if problem == nil {
		return message
	}
	if len(problem.get("data")) > mostError {
		problem = problem.without("data")
	}
	return encode.Marshal(o.with("error", encode.Marshal(problem.with("message", encode.Marshal(shortError(problem.text("message")))))))
}

// shortErrors is the answer to a message over HTTP. The SDK writes a whole one at once.
type shortErrors struct{ http.ResponseWriter }

// Write implements io.Writer.
func (w shortErrors) Write(b []byte) (int, error) {
	short := b
	switch media, _, _ := strings.Cut(w.Header().Get(echo.HeaderContentType), ";"); media {
	case echo.MIMEApplicationJSON:
		short = withShortError(b)
	case echo.MIMETextPlain:
		short = []byte(shortError(string(b)))
	}
	if _, err := w.ResponseWriter.Write(short); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Unwrap lets http.ResponseController find the writer below.
func (w shortErrors) Unwrap() http.ResponseWriter { return w.ResponseWriter }
