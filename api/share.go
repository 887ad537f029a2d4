package api

import (
	"context"
	"sync"
)

// shares bounds how many of the turns one asker has, so that one who does not read what was asked for leaves some to
// the others. A nil shares bounds nobody.
type shares struct {
	most int // turns of one asker; as many wait

	mu     sync.Mutex
	askers map[string]*share // of those who have a turn or wait for one
}

type share struct {
	turns *turns
	taken int // turns that are had or waited for
}

// newShares gives each asker half of the turns, and one at least.
func newShares(turns int) *shares {
	if turns <= 0 {
		return nil
	}
	return &shares{most: max(1, turns/2), askers: map[string]*share{}}
}

// take waits for a turn of the asker's, which lasts until release.
func (s *shares) take(ctx context.Context, asker string) (release func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	end, err := s.enter(asker).take(ctx)
	if err != nil {
		s.leave(asker)
		return nil, err
	}
	return func() { end(); s.leave(asker) }, nil
}

func (s *shares) enter(asker string) *turns {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.askers[asker]
	if !ok {
		one = &share{turns: newTurns(s.most, s.most)}
		s.askers[asker] = one
	}
	one.taken++
	return one.turns
}

// leave forgets an asker who has nothing any more.
func (s *shares) leave(asker string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.askers[asker]
	if one.taken--; one.taken == 0 {
		delete(s.askers, asker)
	}
}
