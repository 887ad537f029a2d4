package postgres

import (
	"context"
	"time"
)

// SetPatience sets how long a question waits for a connection, before any is asked.
func (s *Store) SetPatience(d time.Duration) { s.patience = d }

// SetViewPatience sets how long a load waits for readers of the views.
func (s *Store) SetViewPatience(d time.Duration) { s.viewPatience = d }

// MaxConns is how many connections readers may hold.
func (s *Store) MaxConns() int { return int(s.pool.Config().MaxConns) }

// Sweep is the sweep that follow makes.
func (s *Store) Sweep(ctx context.Context) { s.sweep(ctx) }

// Refresh is what follow does at a notice and every few seconds.
func (s *Store) Refresh(ctx context.Context) error { return s.refresh(ctx) }
