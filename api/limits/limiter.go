// Package limits bounds how much, how often and for how long may be asked: rates of addresses, the slots and the queue of
// questions that are put to the store, time limits, and what the stages of a question took.
package limits

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/difference"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Options are the limits. A zero lifts one.
type Options struct {
	Query      time.Duration // until the store has answered a question, or given the first cell of a stream
	Queries    int           // questions that are put to the store at once; dear ones have half of these
	Dear       int           // dear questions that work at the same moment
	Queue      int           // cheap questions that wait, and dear ones; the files of one address have half of it
	Rate       float64       // requests a second from one address, beyond a burst
	Memory     int64         // bytes that the answers in flight hold together
	TrustProxy bool          // a proxy in a private network says the address in X-Forwarded-For
}

// Store is what questions are put to.
type Store interface {
	answer.Store
	answer.Explainer
	Catalog(ctx context.Context) (*cube.Catalog, error)
}

// Limiter puts questions to a store: so many at once, each for so long. The catalogue is in memory; asking the
// embedded store for it needs no slot.
type Limiter struct {
	Store
	answers answer.Store // the same store, which remembers the members that were looked for
	query   time.Duration
	slots   *slots
	work    *workSlots
	rows    atomic.Int64
	meter   meter
	public  atomic.Pointer[publicView]

	aggregates once[*plan.Plan, *answer.Answer]
	facts      once[*plan.FactPlan, *answer.FactPage]
	members    once[*plan.MemberPlan, *MemberPage]
}

// New limits what is asked of a store.
func New(store Store, o Options) *Limiter {
	slots := newSlots(o.Queries, o.Queue)
	work := newWorkSlots(o.Dear, slots.hasCheap)
	slots.beside, slots.dearWorks, slots.turns = cheapBeside*o.Dear, work.isBusy, o.Dear
	return &Limiter{Store: store, answers: metered{answer.Remember(store)}, query: o.Query, slots: slots, work: work, meter: meter{bound: o.Memory}}
}

// cheapBeside is how many cheap questions are put to the store at once for each dear one that may work.
const cheapBeside = 2

// Count is how many questions there are of a class.
type Count struct {
	Class            string
	Working, Waiting int // put to the store; in the queue
}

// Counts counts the questions of each class.
func (l *Limiter) Counts() []Count {
	list := []Count{{Class: "cheap"}, {Class: "dear"}}
	for c := range list {
		list[c].Working, list[c].Waiting = l.slots.count(class(c))
	}
	return list
}

// Rows counts the rows that the store has given to answers.
func (l *Limiter) Rows() int64 { return l.rows.Load() }

// CountRows adds to Rows what a function given to Whole has read.
func (l *Limiter) CountRows(n int) { l.rows.Add(int64(n)) }

// Aggregate asks for a whole answer, equal questions once.
func (l *Limiter) Aggregate(ctx context.Context, t *Timing, p *plan.Plan, lang cube.Language) (*answer.Answer, error) {
	return l.aggregates.ask(ctx, t, p, lang, func() (*answer.Answer, error) {
		a, err := Whole(ctx, l, t, p.Reads(), func(ctx context.Context) (*answer.Answer, error) { return answer.Run(ctx, l.answers, p, lang) })
		if err == nil {
			l.rows.Add(int64(len(a.Cells)))
		}
		return a, err
	})
}

// OpenCells asks for the cells of an answer one by one.
func (l *Limiter) OpenCells(ctx context.Context, t *Timing, p *plan.Plan, lang cube.Language) (Stream[*answer.Answer, answer.Cell], error) {
	return open(ctx, l, t, lengthOfCells(p), func(ctx context.Context) (Stream[*answer.Answer, answer.Cell], error) {
		s, err := answer.Open(ctx, l.answers, p, lang)
		if err != nil {
			return Stream[*answer.Answer, answer.Cell]{}, err
		}
		return Stream[*answer.Answer, answer.Cell]{&s.Answer, s.All, s.Close, true}, nil
	})
}

// FactPage asks for a page of facts, equal questions once.
func (l *Limiter) FactPage(ctx context.Context, t *Timing, p *plan.FactPlan, lang cube.Language) (*answer.FactPage, error) {
	return l.facts.ask(ctx, t, p, lang, func() (*answer.FactPage, error) {
		page, err := Whole(ctx, l, t, p.Reads(), func(ctx context.Context) (*answer.FactPage, error) {
			return answer.Facts(ctx, l.answers, p, lang)
		})
		if err == nil {
			l.rows.Add(int64(len(page.Facts)))
		}
		return page, err
	})
}

// OpenFacts asks for facts one by one. The head has no facts; it is nil for those of a file, which are not counted.
func (l *Limiter) OpenFacts(ctx context.Context, t *Timing, p *plan.FactPlan, lang cube.Language) (Stream[*answer.FactPage, plan.Fact], error) {
	return open(ctx, l, t, lengthOfFacts(p), func(ctx context.Context) (Stream[*answer.FactPage, plan.Fact], error) {
		s := Stream[*answer.FactPage, plan.Fact]{Rows: l.answers.Facts(ctx, p.Main()), Close: func() {}}
		var err error
		if p.Counting() != nil {
			s.Head, err = answer.CountFacts(ctx, l.answers, p, lang)
		}
		return s, err
	})
}

// Difference compares two versions, as a dear question: it reads two answers of the store side by side.
func (l *Limiter) Difference(ctx context.Context, t *Timing, before, after *cube.Cube, page query.Page) (*difference.Difference, error) {
	d, err := Whole(ctx, l, t, dearRows, func(ctx context.Context) (*difference.Difference, error) {
		return difference.Between(ctx, difference.Side{Cube: before, Store: l.Store}, difference.Side{Cube: after, Store: l.Store}, page)
	})
	if err != nil {
		return nil, err
	}
	l.rows.Add(before.Rows + after.Rows)
	return d, Hold(ctx, bytesOfRow*int64(len(d.Rows.List)*(1+len(d.Rows.Fields)+len(d.Amounts))))
}

// MemberPage is a page of members that is whole.
type MemberPage struct {
	Count    int64 // the number of members on all pages
	Members  []plan.MemberRow
	Warnings []cube.Warning
}

// MemberPage asks for a page of members, equal questions once.
func (l *Limiter) MemberPage(ctx context.Context, t *Timing, p *plan.MemberPlan, lang cube.Language) (*MemberPage, error) {
	return l.members.ask(ctx, t, p, lang, func() (*MemberPage, error) {
		page, err := Whole(ctx, l, t, p.Counting().Reads(), func(ctx context.Context) (*MemberPage, error) {
			found, err := answer.Members(ctx, l.answers, p, lang)
			if err != nil {
				return nil, err
			}
			defer found.Close()
			whole := &MemberPage{Count: found.Count, Warnings: found.Warnings}
			for m, err := range found.Members {
				if err != nil {
					return nil, err
				}
				whole.Members = append(whole.Members, m)
			}
			return whole, nil
		})
		if err == nil {
			l.rows.Add(int64(len(page.Members)))
		}
		return page, err
	})
}

// OpenMembers asks for members one by one.
func (l *Limiter) OpenMembers(ctx context.Context, t *Timing, p *plan.MemberPlan, lang cube.Language) (Stream[*answer.MemberPage, plan.MemberRow], error) {
	return open(ctx, l, t, lengthOfMembers(p), func(ctx context.Context) (Stream[*answer.MemberPage, plan.MemberRow], error) {
		page, err := answer.Members(ctx, l.answers, p, lang)
		if err != nil {
			return Stream[*answer.MemberPage, plan.MemberRow]{}, err
		}
		return Stream[*answer.MemberPage, plan.MemberRow]{page, page.Members, page.Close, true}, nil
	})
}

// Whole waits for a slot, by the rows that are read, and then for what the store answers as one, which has to be there
// within the time limit.
func Whole[T any](ctx context.Context, l *Limiter, t *Timing, reads int64, run func(context.Context) (T, error)) (T, error) {
	var none T
	q := question{class: cheap, client: t.client}
	if reads >= dearRows {
		q.class = dear
	}
	giveBack, err := l.takeSlot(ctx, &work{}, q) // no client takes anything meanwhile, and a page may have several at once
	if err != nil {
		return none, err
	}
	defer giveBack()
	t.Done(stageWait)
	defer t.Done(stageStore)
	limit := newLimit(ctx, l.query)
	defer limit.end()
	answer, err := run(gathering(limit.ctx))
	if err != nil {
		return none, limit.explain(err)
	}
	return answer, nil
}

// takeSlot waits for a slot at the store and, if the question is dear, for one to work. It has them until giveBack is called.
func (l *Limiter) takeSlot(ctx context.Context, w *work, q question) (giveBack func(), err error) {
	if err := context.Cause(ctx); err != nil { // who has left asks nothing more, though a slot be free
		return nil, err
	}
	giveBack = func() { l.slots.giveBack(q) }
	if q.class == cheap && l.slots.takeFree(q) {
		return giveBack, nil
	}
	longest := maxWait
	if q.file && q.class == dear {
		longest = maxTurn
	}
	ctx, cancel := context.WithTimeoutCause(ctx, longest, errQueueLate)
	defer cancel()
	if err := l.slots.take(ctx, q); err != nil {
		return nil, err
	}
	if q.class == cheap {
		return giveBack, nil
	}
	endTurn := func() {}
	if q.long {
		endTurn = sync.OnceFunc(l.slots.endTurn)
	}
	if err := w.begin(ctx, l.work, q.long, endTurn); err != nil {
		endTurn()
		l.slots.giveBack(q)
		return nil, err
	}
	return func() { w.end(); l.slots.giveBack(q) }, nil
}

// Stream is an answer whose rows come one by one: what is known before them, and the rows, once. Close frees everything,
// also where they were not read to the end.
type Stream[Head, Row any] struct {
	Head  Head
	Rows  iter.Seq2[Row, error]
	Close func()
	begun bool // the store has answered with the head already, not only with the first row
}

// Held is a stream of rows that are there already.
func Held[Head, Row any](head Head, rows []Row) Stream[Head, Row] {
	return Stream[Head, Row]{head, func(yield func(Row, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}, func() {}, true}
}

// open gives what the store does, for as long as the client reads. Streams are dear questions, and those of
// one client have half of what these may have, so that slow readers leave room for others. A short answer is asked for as a cheap
// question, and sent when that is over; so is one that may be short, where a stream would have to wait. A long one is then
// asked for anew.
func open[Head, Row any](
	ctx context.Context, l *Limiter, t *Timing, expected length, run func(context.Context) (Stream[Head, Row], error),
) (Stream[Head, Row], error) {
	if expected == isShort || expected == maybeShort && !l.slots.isFree(question{class: dear, client: t.client}) {
		if short, ok, err := gather(ctx, l, t, run); ok || err != nil {
			return short, err
		}
	}
	file := question{class: dear, client: t.client, file: true, long: expected == isVeryLong}
	giveBack, err := l.takeSlot(ctx, t.work, file)
	if err != nil {
		return Stream[Head, Row]{}, err
	}
	free := giveBack
	defer func() { // also where the store panics
		if free != nil {
			free()
		}
	}()
	t.Done(stageWait)
	s, err := limited(ctx, l, t, run)
	if err != nil {
		return s, err
	}
	t.work.leaveFor(l.slots.wantsSlot)
	free = nil
	rows, end := s.Rows, s.Close
	read := sync.OnceFunc(func() { defer l.slots.giveBack(file); end() })
	s.Close = func() { defer t.work.end(); read() }
	s.Rows = func(yield func(Row, error) bool) {
		defer read() // now, and not when all is sent: a workbook is sent after its last row
		n := 0
		rows(func(row Row, err error) bool {
			if n++; n%stretch == 0 {
				t.work.share(ctx)
			}
			return yield(row, err)
		})
	}
	return s, nil
}

// stretch is how many rows a dear question reads and encodes until it looks whether it has worked for long: about a millisecond.
const stretch = 256

// gather reads a short answer, so that it is no longer at the store when it is sent. It is false where the answer is a long
// one.
func gather[Head, Row any](
	ctx context.Context, l *Limiter, t *Timing, run func(context.Context) (Stream[Head, Row], error),
) (short Stream[Head, Row], ok bool, err error) {
	giveBack, err := l.takeSlot(ctx, t.work, question{class: cheap, client: t.client, file: true})
	if err != nil {
		return short, false, err
	}
	defer giveBack()
	t.Done(stageWait)
	ctx, drop := context.WithCancel(ctx)
	defer drop()
	s, err := limited(gathering(ctx), l, t, run)
	if err != nil {
		return short, false, err
	}
	defer s.Close()
	var rows []Row
	for row, err := range s.Rows {
		if err != nil {
			return short, false, err
		}
		if len(rows) == shortRows {
			drop() // before the range ends, where a store may read on to the end of its answer
			return short, false, nil
		}
		rows = append(rows, row)
	}
	return Held(s.Head, rows), true, nil
}

// limited runs a question. The first that the store gives has to be there within the time limit, and then each next row within as
// much.
func limited[Head, Row any](
	ctx context.Context, l *Limiter, t *Timing, run func(context.Context) (Stream[Head, Row], error),
) (Stream[Head, Row], error) {
	limit := newLimit(ctx, l.query)
	s, err := run(limit.ctx)
	if err != nil {
		limit.end()
		return s, limit.explain(err)
	}
	begun, waiting := false, atomic.Int64{}
	begin := func() {
		if !begun {
			begun = true
			limit.lift()
			t.Done(stageStore)
			limit.watch(&waiting)
		}
	}
	if s.begun {
		begin()
	}
	rows, end := s.Rows, s.Close
	s.Rows = func(yield func(Row, error) bool) {
		n := 0
		defer func() { l.rows.Add(int64(n)) }()
		waiting.Store(1)
		for row, err := range rows {
			waiting.Store(0)
			begin()
			if err == nil {
				n++
			}
			if !yield(row, limit.explain(err)) {
				return
			}
			waiting.Store(int64(n) + 1)
		}
		waiting.Store(0)
		begin()
	}
	s.Close = func() { end(); limit.end() }
	return s, nil
}

// limit bounds how long the store may take, until it is lifted. End has to be called in any case.
type limit struct {
	ctx    context.Context
	after  time.Duration
	timer  *time.Timer // nil: no bound
	cancel context.CancelCauseFunc
	end    func()
}

func newLimit(ctx context.Context, after time.Duration) limit {
	ctx, cancel := context.WithCancelCause(ctx)
	if after <= 0 {
		return limit{ctx, 0, nil, cancel, func() { cancel(nil) }}
	}
	timer := time.AfterFunc(after, func() { cancel(errLate) })
	return limit{ctx, after, timer, cancel, func() { timer.Stop(); cancel(nil) }}
}

// Why a limit ended a question.
var (
	errLate   = errors.New("the time limit of questions is over")
	errSilent = errors.New("the store gave no next row within the time limit of questions")
)

// looks is how often a limit looks at a store in the time in which a row has to come.
const looks = 8

// watch ends a stream when one row is waited for as long as the limit. Waiting counts the rows, and is 0 while the reader has one:
// his time does not count.
func (l limit) watch(waiting *atomic.Int64) {
	if l.timer == nil {
		return
	}
	go func() {
		ticker := time.NewTicker(max(l.after/looks, time.Nanosecond))
		defer ticker.Stop()
		for last, quiet := int64(0), 0; quiet < looks; quiet++ {
			select {
			case <-l.ctx.Done():
				return
			case <-ticker.C:
			}
			if now := waiting.Load(); now == 0 || now != last {
				last, quiet = now, -1
			}
		}
		l.cancel(errSilent)
	}()
}

// lift lets the rest take as long as it takes.
func (l limit) lift() {
	if l.timer != nil {
		l.timer.Stop()
	}
}

// explain says of an error that the limit brought about how long was allowed.
func (l limit) explain(err error) error {
	switch cause := context.Cause(l.ctx); {
	case err == nil || !errors.Is(cause, errLate) && !errors.Is(cause, errSilent):
		return err
	case errors.Is(cause, errSilent):
		return cube.Errorf(cube.CodeUnavailable, "the store gave no next row within %v", l.after).Because(err)
	}
	return cube.Errorf(cube.CodeUnavailable, "the question took longer than the %v that one may take", l.after).Because(err).
		WithHint("cut it down, or drill fewer levels")
}

// dearRows is how many rows a dear question reads at least: a second or two of a processor.
const dearRows = 2_000_000

// length is what is known of the rows of a file before it is asked for.
type length int

const (
	maybeShort length = iota
	isShort           // and cheap
	isLong            // or dear to find out
	isVeryLong        // for some seconds
)

// shortRows is how many rows a short answer has at most: some megabytes of memory, and most of what is drilled. veryLongRows is how many a
// very long one has at least.
const (
	shortRows    = 2500
	veryLongRows = 200_000
)

func lengthOfCells(p *plan.Plan) length {
	switch {
	case p.Reads() >= dearRows:
		return isLong
	case len(p.Keys()) == 0:
		return isShort
	}
	return lengthOfPage(p.Page())
}

func lengthOfMembers(p *plan.MemberPlan) length {
	if p.Counting().Reads() >= dearRows {
		return isLong
	}
	return lengthOfPage(p.Page())
}

func lengthOfPage(page query.Page) length {
	if page != query.Every && page.Size <= shortRows {
		return isShort
	}
	return maybeShort
}

func lengthOfFacts(p *plan.FactPlan) length {
	rows, known := p.Total()
	switch {
	case p.Cube().Rows <= shortRows || known && rows <= shortRows:
		return isShort
	case known && rows >= veryLongRows:
		return isVeryLong
	case known || p.Reads() >= dearRows:
		return isLong
	}
	return maybeShort
}
