package api

import "sync"

// shares bounds how many streams one asker has, and how many files of one wait, so that who does not read what was asked
// for leaves some to the others. Nil shares bound nobody.
type shares struct {
	streams, queue int // of one asker

	mu     sync.Mutex
	askers map[string]*share // of those whose files are asked for or sent
}

// share is what one asker has.
type share struct {
	streams turns
	queue   turns
	files   int // that are asked for or sent
}

// newShares gives each asker half of the streams and half of the queue, and one stream at least.
func newShares(streams, queue int) *shares {
	if streams <= 0 {
		return nil
	}
	return &shares{streams: max(1, streams/2), queue: (queue + 1) / 2, askers: map[string]*share{}}
}

// enter gives the share of an asker, who has it until leave.
func (s *shares) enter(asker string) *share {
	if s == nil {
		return &share{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.askers[asker]
	if !ok {
		one = &share{streams: newTurns(s.streams), queue: make(turns, s.queue)}
		s.askers[asker] = one
	}
	one.files++
	return one
}

// leave forgets an asker who has nothing any more.
func (s *shares) leave(asker string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.askers[asker]
	if one.files--; one.files == 0 {
		delete(s.askers, asker)
	}
}
