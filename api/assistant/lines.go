package assistant

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"fiscube/api/encode"
)

// The codes of JSON-RPC 2.0 (section 5.1) for what is no message.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
)

// failure is the answer to a message that cannot be told from others: its id is null.
func failure(code int, message string) []byte {
	type problem struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	return encode.Marshal(struct {
		Version string  `json:"jsonrpc"`
		ID      *int    `json:"id"`
		Error   problem `json:"error"`
	}{"2.0", nil, problem{code, message}})
}

// lines are the messages of one assistant, of which some are none: the SDK ends the session at the first of these, so that they are
// answered here.
type lines struct {
	mu      sync.Mutex // an answer is written whole
	out     io.Writer
	open    int           // calls that are not answered yet
	settled chan struct{} // gets a sign when there are none
}

// patience is how long calls may take that are under way when the input ends.
const patience = 10 * time.Second

// Write implements io.Writer. The SDK writes a message at once.
func (l *lines) Write(b []byte) (int, error) {
	message, err := jsonrpc.DecodeMessage(bytes.TrimSpace(b))
	l.mu.Lock()
	defer l.mu.Unlock()
	short := b
	if r, answer := message.(*jsonrpc.Response); answer && err == nil {
		if r.Error != nil {
			short = append(withShortError(b), '\n')
		}
		if l.open--; l.open <= 0 {
			select {
			case l.settled <- struct{}{}:
			default:
			}
		}
	}
	if _, err := l.out.Write(short); err != nil {
		return 0, err
	}
	return len(b), nil
}

// refuse answers what is no message.
func (l *lines) refuse(problem []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(problem, '\n'))
}

// begin counts a call.
func (l *lines) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
}

// settle waits until the calls that are under way are answered.
func (l *lines) settle() {
	end := time.After(patience)
	for {
		l.mu.Lock()
		open := l.open
		l.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-l.settled:
		case <-end:
			return
		}
	}
}

// messages gives the lines that are messages, and answers the others.
func (l *lines) messages(in io.Reader) io.ReadCloser {
	from, to := io.Pipe()
	go func() {
		input := bufio.NewReader(in)
		for {
			line, long, err := readLine(input)
			message, problem := read(line, long)
			switch {
			case len(line) == 0 && !long:
			case problem != nil:
				l.refuse(problem)
			default:
				if call, ok := message.(*jsonrpc.Request); ok && call.IsCall() {
					l.begin()
				}
				if _, err := to.Write(append(line, '\n')); err != nil {
					return // the session is over
				}
			}
			if err != nil {
				l.settle()
				if errors.Is(err, io.EOF) {
					err = nil // which a closed pipe gives
				}
				_ = to.CloseWithError(err)
				return
			}
		}
	}()
	return from
}

// readLine reads a line without its end. Of one that is longer than a message it keeps nothing.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxMessage; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// read gives the message of a line, or the answer to a line that is none.
func read(line []byte, long bool) (message jsonrpc.Message, problem []byte) {
	if long {
		return nil, failure(codeInvalidRequest, "the message is too long")
	}
	if !json.Valid(line) {
		return nil, failure(codeParse, "the line is no JSON")
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, failure(codeInvalidRequest, "the line is no message of JSON-RPC 2.0")
	}
	return message, idTooLong(line)
}
