# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Debian's ClickHouse on loopback. In the top directory, before anything is printed but TAP's version:
#
#	. selftests/lib/clickhouse.sh	or skips; creates $dir, which is removed at the end
#	configure N			N shards of a cluster called fleet, 0 to N-1
#	begin SHARD			starts it, with the tables of fargs export --schema
#	start SHARD			starts it again; ${pids[SHARD]} is its process
#	ask SHARD STATEMENT		prints the rows, tab-separated

mkdir -p build/clickhouse
dir=$PWD/$(mktemp -d build/clickhouse/XXXXXX)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$dir"' EXIT

# fetch: unpacks the servers with the libraries that this machine lacks. Nothing is installed.
root=$PWD/build/clickhouse/root
fetch()
{
	local packages package
	[ ! -e "$root/usr/sbin/clickhouse-server" ] || return 0
	mkdir -p "$dir/packages" "$root.new"
	mapfile -t packages < <(apt-get -s --no-install-recommends install clickhouse-server \
		clickhouse-client 2>/dev/null | awk '/^Inst/ { print $2 }')
	(cd "$dir/packages" && apt-get download "${packages[@]}" >&2) || return
	for package in "$dir"/packages/*.deb; do
		dpkg-deb -x "$package" "$root.new" || return
	done
	mv "$root.new" "$root"
}
fetch || { echo "1..0 # SKIP Debian's packages of ClickHouse cannot be downloaded"; exit 4; }

# start NR: a shard, whose ports are free, unless another program takes them meanwhile.
ports=()
start()
{
	local at=$dir/shard$1 i
	(cd "$at" && LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu exec timeout 7200 \
		"$root/usr/sbin/clickhouse-server" --config-file=config.xml >>log 2>&1) &
	pids[$1]=$!
	for ((i = 0; i < 600; i++)); do
		[ "$(curl -s "http://127.0.0.1:${ports[$1]}/")" != Ok. ] || return 0
		sleep 0.1
	done
	return 1
}

free_port()
{
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Servers before 19.13 need to be told of LowCardinality by each session; by HTTP, it is in the
# profile.
configure()
{
	local i tcp=() shards=
	for ((i = 0; i < $1; i++)); do
		ports[i]=$(free_port)
		tcp[i]=$(free_port)
		shards+="<shard><replica><host>127.0.0.1</host><port>${tcp[i]}</port></replica></shard>"
	done
	for ((i = 0; i < $1; i++)); do
		mkdir -p "$dir/shard$i"
		cat >"$dir/shard$i/config.xml" <<-END
			<yandex><logger><level>warning</level><console>1</console></logger>
			<http_port>${ports[i]}</http_port><tcp_port>${tcp[i]}</tcp_port>
			<listen_host>127.0.0.1</listen_host><path>$dir/shard$i/data/</path>
			<tmp_path>$dir/shard$i/tmp/</tmp_path><users_config>users.xml</users_config>
			<default_profile>default</default_profile>
			<default_database>default</default_database><mark_cache_size>10000000</mark_cache_size>
			<remote_servers><fleet>$shards</fleet></remote_servers></yandex>
		END
		cat >"$dir/shard$i/users.xml" <<-END
			<yandex><profiles><default>
			<allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>
			</default></profiles><users><default><password></password>
			<networks><ip>127.0.0.1</ip></networks><profile>default</profile>
			<quota>default</quota></default></users><quotas><default/></quotas></yandex>
		END
	done
}

# ask SHARD STATEMENT: prints the rows, tab-separated.
ask()
{
	curl -sS --fail --max-time 300 --data-binary "$2" "http://127.0.0.1:${ports[$1]}/"
}

# begin SHARD: statements of the schema, one by one, as HTTP takes one.
begin()
{
	local statement
	start "$1" || { tail -n 3 "$dir/shard$1/log"; return 1; }
	while IFS= read -r -d ';' statement; do
		[[ $statement == SET\ * ]] || ask "$1" "$statement" || return
	done < <(build/fargs export --schema clickhouse --cluster fleet | grep -v '^--')
}
