// Package postgrestest gives a test a PostgreSQL database of its own.
//
//	dsn := postgrestest.DSN(t)          // fresh and empty, dropped when t ends
//
//	server := postgrestest.Server(t)    // a whole server, for tests in which it goes away and comes back
//	dsn := server.DSN(t)
//	server.Stop(t)
//	server.Start(t)
//
// The databases of DSN live on the server that FISCUBE_TEST_POSTGRES names, a postgres:// URL of a role that
// may create databases. Without it they live on a throwaway cluster, made from the programs on the machine
// when the first test asks, one per test process. Where neither is to be had the test is skipped; see
// internal/testrequire for runs that may not skip.
//
// A cluster must not outlive its test process, which may end in a panic or by SIGKILL, and testing has no
// hook that spans the tests of a process unless every caller writes a TestMain. So a shell, the keeper
// (keeper.sh), runs the cluster and reads orders from a pipe. The system closes that pipe however the process
// ends, and the keeper then stops the server and removes its folder.
//
// A throwaway cluster keeps nothing safe (fsync off), listens on a unix socket only, and sorts text as people
// do where its programs can (ICU, en-US): a query that counts on the order of bytes and forgot COLLATE "C"
// shows it. Databases are copied from template1, so a server whose operator put citus there has it in each.
package postgrestest
