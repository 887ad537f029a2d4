# Keeps a throwaway PostgreSQL cluster for a test process: $1 holds the server's programs, $2 is the cluster's
# folder. Orders come on stdin, one word a line, and each is answered with ok or failed. Stdin ends when the
# test process closes it or dies, however it dies; then the server stops and the folder goes. Orders are done
# one after the other, so that holds in the middle of one too.

trap '' PIPE # an answer that nobody reads must not end the keeper
cd "$2" || exit 1
PATH=$1:$PATH
export PGCTLTIMEOUT=300 # seconds; pg_ctl waits for 60, which a busy machine may need for a server

# ICU sorts text as people do, whatever locales the machine has; PostgreSQL 14 and lean builds lack it.
init() {
	create --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US ||
		create --locale=C.UTF-8 || create --no-locale || return
	cat >>data/postgresql.conf <<-END
		listen_addresses = ''
		unix_socket_directories = '$PWD'
		port = 5432
		max_connections = 100
		shared_buffers = 64MB
		max_wal_size = 256MB
		fsync = off
		synchronous_commit = off
		full_page_writes = off
		autovacuum = off
		jit = off
	END
}

create() { initdb -D data -U postgres -A trust -E UTF8 --no-sync "$@"; }

start() { pg_ctl -D data -l log -w start; }

stop() { pg_ctl -D data -m fast -w stop; }

while read -r word; do
	case $word in
	init | start | stop) "$word" </dev/null >>log 2>&1 && echo ok || echo failed ;;
	*) echo failed ;;
	esac
done

pg_ctl -D data -m immediate -w stop </dev/null >/dev/null 2>&1
cd /
rm -rf "$2"
