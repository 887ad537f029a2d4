package migrations

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-migrate/migrate/v4/database"
)

// slow is a lock that fails after half a minute, in which other processes migrate.
type slow struct{ database.Driver }

var errTaken = errors.New("the lock cannot be had")

func (slow) Lock() error {
	time.Sleep(30 * time.Second)
	return &database.Error{OrigErr: errTaken, Err: "try lock failed"}
}

func (slow) Close() error { return nil }

func TestUp_WaitsForOtherProcessesThatMigrate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := NewMigrator(t.Context(), nil, slow{}).Up(); !errors.Is(err, errTaken) {
			t.Errorf("got %v, want %v", err, errTaken)
		}
	})
}
