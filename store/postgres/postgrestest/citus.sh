#!/usr/bin/env bash
# A Citus cluster for tests on this machine: a coordinator and two workers.
#
#   citus.sh start FOLDER [SOURCE]    makes it in an empty folder, and prints the URL for FISCUBE_TEST_CITUS
#   citus.sh stop FOLDER              ends it and removes the folder
#   citus.sh worker FOLDER N start|stop
#
# SOURCE is a folder with the source of Citus, which is built and installed beside PostgreSQL (with its headers: postgresql-server-dev)
# where that has no Citus yet. Root hands the servers to the account postgres.
set -euo pipefail

nodes=(coordinator worker1 worker2)
first_port=${CITUS_PORT:-9700}

programs() { dirname "$(ls -d /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb 2>/dev/null | sort -V | tail -n 1)"; }

as_owner() { if ((EUID == 0)); then runuser -u postgres -- "$@"; else "$@"; fi; }

build() {
	local config
	config=$(programs)/pg_config
	[[ ! -e $("$config" --pkglibdir)/citus.so ]] || return 0
	[[ -n ${1:-} ]] || { echo "this PostgreSQL has no Citus: give the folder of its source" >&2; exit 1; }
	(cd "$1" && ./configure "PG_CONFIG=$config" --without-libcurl && make -j"$(nproc)" && make install) >&2
}

start() {
	local folder=$1 n=0 node
	build "${2:-}"
	mkdir -p "$folder"
	((EUID != 0)) || chown postgres "$folder"
	for node in "${nodes[@]}"; do
		as_owner "$(programs)/initdb" -D "$folder/$node" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
		cat >>"$folder/$node/postgresql.conf" <<-END
			shared_preload_libraries = 'citus'
			port = $((first_port + n))
			listen_addresses = 'localhost'
			unix_socket_directories = '$folder'
			max_connections = 200
			max_prepared_transactions = 200
			wal_level = logical
			fsync = off
			synchronous_commit = off
			full_page_writes = off
			jit = off
			citus.enable_ddl_propagation = on
			citus.shard_count = 4
			citus.local_hostname = 'localhost'
		END
		power "$folder" "$node" start
		n=$((n + 1))
	done
	join "$folder" postgres >&2
	echo "postgres://postgres@localhost:$first_port/postgres?sslmode=disable"
}

# power starts or stops the server of a node.
power() { as_owner "$(programs)/pg_ctl" -D "$1/$2" -l "$1/$2.log" -m fast -w "$3" >/dev/null; }

# join makes the coordinator and the workers of a database known to each other.
join() {
	local n
	for n in 0 1 2; do sql "$1" $((first_port + n)) "$2" "CREATE EXTENSION IF NOT EXISTS citus"; done
	sql "$1" "$first_port" "$2" "SELECT citus_set_coordinator_host('localhost', $first_port)"
	for n in 1 2; do sql "$1" "$first_port" "$2" "SELECT citus_add_node('localhost', $((first_port + n)))"; done
}

sql() { as_owner psql -X -q -v ON_ERROR_STOP=1 -h "$1" -p "$2" -U postgres -d "$3" -c "$4"; }

stop() {
	local node
	for node in "${nodes[@]}"; do power "$1" "$node" stop || true; done
	rm -rf "$1"
}

case ${1:-} in
start) start "$2" "${3:-}" ;;
stop) stop "$2" ;;
worker) power "$2" "worker$3" "$4" ;;
*) sed -n 's/^# \{0,1\}//p' "$0" | head -9 >&2; exit 2 ;;
esac
