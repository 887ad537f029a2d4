package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Temporary makes an empty database on the server of an address, and gives its address and what drops it.
func Temporary(ctx context.Context, address string) (made string, drop func() error, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", nil, errors.New("the address of the store is no URL") // what is wrong with it may be its password
	}
	name := "fiscube_" + strings.ToLower(rand.Text())
	if err := execute(ctx, address, "CREATE DATABASE "+name); err != nil {
		return "", nil, fmt.Errorf("make a database: %w", err)
	}
	u.Path = "/" + name
	return u.String(), func() error {
		return execute(context.WithoutCancel(ctx), address, "DROP DATABASE "+name+" WITH (FORCE)")
	}, nil
}

func execute(ctx context.Context, address, statement string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}
