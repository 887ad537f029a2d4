package limits

import (
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// Stage is a part of the way of a question. A file that is streamed counts until its first cell; from there on
// the store, the encoder and the reader work at the same time.
type Stage string

// The stages of a question.
const (
	StageParse  Stage = "parse"  // the URL
	StagePlan   Stage = "plan"   // names to levels
	StageKept   Stage = "kept"   // an answer is found that was made before
	stageWait   Stage = "wait"   // for a slot
	stageStore  Stage = "store"  // until the whole answer is there
	StageEncode Stage = "encode" // as JSON
)

// Timing is how long the stages of one request took, for Server-Timing and the metrics.
type Timing struct {
	client string     // who has made the request, as the limits count clients
	since  time.Time  // the last stage ended, or the request began
	work   *work      // where the request is a dear question
	mu     sync.Mutex // a page asks several questions at once
	Stages []StageTime
}

// StageTime is how long a stage took.
type StageTime struct {
	Stage Stage
	Took  time.Duration
}

// Done ends a stage, which began where the one before it ended.
func (t *Timing) Done(s Stage) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.Stages = append(t.Stages, StageTime{s, now.Sub(t.since)})
	t.since = now
}

// Of gives how long a stage took.
func (t *Timing) Of(s Stage) time.Duration {
	for _, st := range t.Stages {
		if st.Stage == s {
			return st.Took
		}
	}
	return 0
}

// timingKey is where a request keeps its timing.
const timingKey = "timing"

// TimingOf gives the timing of a request.
func TimingOf(c echo.Context) *Timing { return c.Get(timingKey).(*Timing) }

// headerTiming says how long the stages took in milliseconds, as far as they are known when the answer begins.
const headerTiming = "Server-Timing"

// NewTiming begins the timing of a request. The header of its answer has it.
func NewTiming(c echo.Context) *Timing {
	t := &Timing{client: network(c.RealIP()), since: time.Now(), work: c.Get(workKey).(*work)}
	c.Set(timingKey, t)
	c.Response().Before(func() {
		if len(t.Stages) > 0 {
			var text []byte
			for i, s := range t.Stages {
				if i > 0 {
					text = append(text, ", "...)
				}
				text = append(append(text, s.Stage...), ";dur="...)
				text = strconv.AppendFloat(text, float64(s.Took.Microseconds())/1000, 'f', 3, 64)
			}
			c.Response().Header().Set(headerTiming, string(text))
		}
	})
	return t
}
