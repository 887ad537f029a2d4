package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/backup"
)

// dumped is what pg_dump is told: our schemas, in its own format, which pg_restore reads.
var dumped = []string{"--format=custom", "--no-password", "--schema=fiscube", "--schema=fact", "--schema=member", "--schema=cuboid", "--schema=cube"}

// Backup implements catalogue.Backuper by pg_dump, which reads one moment of a database while others ask and load.
func (s *Store) Backup(ctx context.Context, file string, replace bool) error {
	program, err := exec.LookPath("pg_dump")
	c := s.pool.Config().ConnConfig
	if err != nil {
		return cube.Errorf(cube.CodeUnavailable, "a backup of PostgreSQL is made by pg_dump, which is not on the path here").
			WithHint("where it is, run: pg_dump " + strings.Join(dumped[:1], " ") + " " + strings.Join(dumped[2:], " ") + " --file=" + file + " --host=" + c.Host + " --username=" + c.User + " " + c.Database)
	}
	return backup.Write(file, replace, func(path string) error {
		var said bytes.Buffer
		command := exec.CommandContext(ctx, program, append(dumped, "--file="+path)...)
		command.Stderr = &said
		command.Env = append(os.Environ(), "PGHOST="+c.Host, "PGPORT="+strconv.Itoa(int(c.Port)), "PGUSER="+c.User, "PGPASSWORD="+c.Password, "PGDATABASE="+c.Database)
		if address, err := url.Parse(c.ConnString()); err == nil {
			for _, name := range []string{"sslmode", "sslrootcert", "sslcert", "sslkey"} {
				if value := address.Query().Get(name); value != "" {
					command.Env = append(command.Env, "PG"+strings.ToUpper(name)+"="+value)
				}
			}
		}
		if err := command.Run(); err != nil {
			return errors.Join(ctx.Err(), fmt.Errorf("pg_dump: %w: %s", err, strings.TrimSpace(said.String())))
		}
		return nil
	})
}
