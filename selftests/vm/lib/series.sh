# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Finds the current package of a kernel series (6.1, 6.12 ...). 6.1-rt is the series of the
# real-time kernel (PREEMPT_RT).

# series_list [-rt]: prints "release series abi version image" of every kernel of this flavour, in
# all releases, that has both an image and headers of the same version.
series_list()
{
	local release flavour=${1-}
	for release in "${vm_releases[@]}"; do
		apt_packages "$release" | awk -v release="$release" -v flavour="$flavour" '
			/^linux-headers-[0-9][^ ]*-amd64 / {
				abi = $1; sub(/^linux-headers-/, "", abi)
				headers[abi " " $2] = 1
			}
			/^linux-image-[0-9][^ ]*-amd64(-unsigned)? / {
				is_other = $1 ~ /-cloud-amd64/ || ($1 ~ /-rt-amd64/) != (flavour == "-rt")
				if (is_other)
					next
				abi = $1; sub(/^linux-image-/, "", abi); sub(/-unsigned$/, "", abi)
				# The signed package follows some days later, and is the usual one:
				# prefer it if both exist.
				key = abi " " $2
				if (!(key in image) || $1 !~ /-unsigned$/)
					image[key] = $1
			}
			END {
				for (key in image) {
					if (!(key in headers))
						continue
					split(key, f, " ")
					split(f[2], v, "[.]")
					# Leave out linux-image-6.12-amd64 and similar packages,
					# which have no ABI.
					if (f[1] !~ /^[0-9]+\.[0-9]+[.+]/)
						continue
					print release, v[1] "." v[2], f[1], f[2], image[key]
				}
			}'
	done
}

# series_resolve SERIES: prints "release abi version image" of the newest package in the oldest
# release that still has the series, so that a series keeps its compiler and pahole for as long as
# possible. If no release has the series, uses the next newer one.
series_resolve()
{
	local wanted=${1%-rt} all series
	all=$(series_list "${1#"$wanted"}")
	series=$( { echo "$wanted"; echo "$all" | cut -d' ' -f2; } | sort -Vu |
		  sed -n "/^${wanted//./\\.}$/,\$p" |
		  while read -r series; do
			if grep -q "^[a-z]* ${series//./\\.} " <<<"$all"; then
				echo "$series"
				break
			fi
		  done)
	[ -n "$series" ] || die "no Debian release has kernel $1 or a newer one"
	[ "$series" = "$wanted" ] ||
		say "kernel $1 is in no Debian release any more: using $series"
	series_newest "$series" <<<"$all"
}

series_newest()
{
	local series=$1 release line
	local -a lines
	mapfile -t lines
	for release in "${vm_releases[@]}"; do
		line=$(printf '%s\n' "${lines[@]}" |
		       awk -v r="$release" -v s="$series" '$1 == r && $2 == s { print $4, $1, $3, $4, $5 }' |
		       sort -V | tail -n 1)
		[ -z "$line" ] || break
	done
	echo "${line#* }"
}

# series_closure NAME=VERSION...: prints these packages, and the kernel's own packages on which
# they depend, as lines NAME=VERSION.
series_closure()
{
	local -A seen=()
	local todo=("$@") pkg name version dep
	while [ ${#todo[@]} != 0 ]; do
		pkg=${todo[0]}
		todo=("${todo[@]:1}")
		[ -z "${seen[$pkg]:-}" ] || continue
		seen[$pkg]=1
		echo "$pkg"
		while read -r name version; do
			todo+=("$name=${version:-$(priv_apt apt-cache madison "$name" | awk '{ print $3 }' | sort -V | tail -n 1)}")
		done < <(priv_apt apt-cache show "$pkg" | sed -n 's/^Depends: //p' | head -n 1 | tr ',' '\n' |
			while read -r dep; do
				# Use the first package of "signed | unsigned". Packages of other
				# sources are in the root.
				dep=${dep%%|*}
				sed -nE 's/^ *(linux-(headers|kbuild|binary|modules|base)-[0-9][^ ]*) *(\(= *([^)]*)\))?.*/\1 \4/p' <<<"$dep"
			done)
	done
}
