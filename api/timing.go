package api

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// stage is a part of the way of a question. A file that is streamed counts until its first cell; from there on
// the store, the encoder and the reader work at the same time.
type stage string

const (
	stageParse  stage = "parse"  // the URL
	stagePlan   stage = "plan"   // names to levels
	stageWait   stage = "wait"   // for a turn at the store
	stageStore  stage = "store"  // until the whole answer is there
	stageEncode stage = "encode" // as JSON
)

// timing is how long the stages of one request took. Both Server-Timing and the metrics tell it.
type timing struct {
	asker  string    // who has made the request, as the limits count askers
	since  time.Time // the last stage ended, or the request began
	stages []stageTime
}

type stageTime struct {
	stage stage
	took  time.Duration
}

// done ends a stage, which began where the one before it ended.
func (t *timing) done(s stage) {
	now := time.Now()
	t.stages = append(t.stages, stageTime{s, now.Sub(t.since)})
	t.since = now
}

// String writes the stages as Server-Timing does, in milliseconds.
func (t *timing) String() string {
	var text []byte
	for i, s := range t.stages {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(append(text, s.stage...), ";dur="...)
		text = strconv.AppendFloat(text, float64(s.took.Microseconds())/1000, 'f', 3, 64)
	}
	return string(text)
}

// timingKey is where a request keeps its timing.
const timingKey = "timing"

// timingOf gives the timing of a request.
func timingOf(c echo.Context) *timing { return c.Get(timingKey).(*timing) }

// headerTiming tells how long the stages took, as far as they are known when the answer begins.
const headerTiming = "Server-Timing"

// timed gives a request its timing, and tells it in the header of the answer.
func timed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		t := &timing{asker: network(c.RealIP()), since: time.Now()}
		c.Set(timingKey, t)
		c.Response().Before(func() {
			if len(t.stages) > 0 {
				c.Response().Header().Set(headerTiming, t.String())
			}
		})
		return next(c)
	}
}
