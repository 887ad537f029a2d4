package migrations

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-migrate/migrate/v4/database"
)

// slow is a lock that is had, or not, when others have migrated for half a minute.
type slow struct{ database.Driver }

var errTaken = errors.New("the lock cannot be had")

func (slow) Lock() error {
	time.Sleep(30 * time.Second)
	return errTaken
}

func (slow) Close() error { return nil }

func TestUpWaitsForThoseWhoMigrateBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if err := NewMigrator(t.Context(), nil, slow{}).Up(); !errors.Is(err, errTaken) {
			t.Errorf("got %v, want %v", err, errTaken)
		}
	})
}
