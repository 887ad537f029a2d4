package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"fiscube/cube"
)

// Error codes of PostgreSQL (its manual, appendix A).
const (
	undefinedTable   = "42P01"
	badViewColumns   = "42P16" // of CREATE OR REPLACE VIEW
	dependentObjects = "2BP01" // of DROP VIEW
	queryCanceled    = "57014"
	adminShutdown    = "57P01"
	crashShutdown    = "57P02"
	cannotConnect    = "57P03"
	tooManyClients   = "53300"
	lockUnavailable  = "55P03"
	deadlock         = "40P01" // Citus finds them among the locks of all nodes
	diskFull         = "53100"
	readOnly         = "25006" // in a replica, or with default_transaction_read_only
	notAllowed       = "42501" // to the role
	statementExists  = "42P05" // of statements that are prepared,
	noSuchStatement  = "26000" // where a pooler gives each transaction another connection

	connectionException = "08" // a class: said by the coordinator of a cluster of which a node is away
)

// serverError gives what the server said in an error, nil where the error is not the server's.
func serverError(err error) *pgconn.PgError {
	var server *pgconn.PgError
	errors.As(err, &server)
	return server
}

// hasCode says whether an error is the server's and has one of the codes.
func hasCode(err error, codes ...string) bool {
	server := serverError(err)
	return server != nil && slices.Contains(codes, server.Code)
}

// queryError turns an error of the driver into one for callers.
func queryError(err error) error {
	var connecting *pgconn.ConnectError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case hasCode(err, cannotConnect):
		return cube.Wrap(cube.CodeUnavailable, "the database is starting up or shutting down", err)
	case errors.As(err, &connecting), pgconn.SafeToRetry(err):
		return cube.Wrap(cube.CodeUnavailable, "the database cannot be reached", err)
	case serverError(err) == nil:
		return cube.Wrap(cube.CodeUnavailable, "the connection to the database was lost", err)
	case strings.HasPrefix(serverError(err).Code, connectionException):
		return cube.Wrap(cube.CodeUnavailable, "a node of the database's cluster cannot be reached", err)
	case hasCode(err, undefinedTable):
		return cube.Wrap(cube.CodeGone, "the cube was removed while it was asked", err)
	case hasCode(err, diskFull):
		return cube.Wrap(cube.CodeNoSpace, "there is no space left on the disk of the database", err).
			WithHint("free some: fiscube prune drops old versions")
	case hasCode(err, readOnly):
		return cube.Wrap(cube.CodeUnavailable, "the database can only be read", err).
			WithHint("it is a replica, or has default_transaction_read_only: use the address of the primary to change anything")
	case hasCode(err, notAllowed):
		return cube.Wrap(cube.CodeUnavailable, "the role of the database's address may not do that: "+serverError(err).Message, err).
			WithHint("grant it the right, or use the address of a role that owns what fiscube made")
	case hasCode(err, statementExists, noSuchStatement):
		return cube.Wrap(cube.CodeUnavailable, "the database is behind a pooler that lends a connection for one transaction, and does not keep "+
			"prepared statements", err).WithHint("add default_query_exec_mode=cache_describe to the address of --db")
	case hasCode(err, queryCanceled, adminShutdown, crashShutdown, tooManyClients):
		return cube.Wrap(cube.CodeUnavailable, "the database stopped the query", err)
	}
	return fmt.Errorf("ask PostgreSQL: %w", err)
}

// unreached distinguishes a server that may still start from one that refuses.
func unreached(err error) error {
	code := cube.CodeUnreachable
	if serverError(err) != nil && !hasCode(err, cannotConnect, tooManyClients) {
		code = cube.CodeUnavailable
	}
	return cube.Wrap(code, "PostgreSQL cannot be reached: "+reason(err), err)
}

// reason is the part of a connection error that helps the person who started the program.
func reason(err error) string {
	if server := serverError(err); server != nil {
		return server.Message
	}
	return err.Error()
}
