# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# A private apt in build/vm/apt, with its own sources and lists. It uses the
# machine's mirror and proxy, and does not change the machine's package state.

vm_apt=$vm_cache/apt

# Debian releases whose packages are used, oldest first.
vm_releases=(bookworm trixie)

# apt_mirror main|security: prints the URI of the machine's mirror of that
# archive. --print-uris prints what an update would fetch, and works without any
# lists.
apt_mirror()
{
	local line uri suite main='' security=''

	while read -r line; do
		uri=${line%%/dists/*}
		suite=${line#*/dists/}
		suite=${suite%%/*}
		case $suite in
		# The suites of other vendors have only the name of a release.
		# Only Debian's archive has suites for updates and security.
		*-updates|*-backports)	main=${main:-$uri} ;;
		*-security)		security=${security:-$uri} ;;
		esac
	done < <(apt-get update --print-uris 2>/dev/null |
		 sed -n "s/^'\([^']*\/dists\/[^']*\/InRelease\)'.*/\1/p")
	if [ -z "$main" ]; then
		main=$(apt-get update --print-uris 2>/dev/null |
		       sed -n "s/^'\([^']*\/debian\)\/*\/dists\/.*InRelease'.*/\1/p" | sed -n 1p)
	fi
	if [ "$1" = main ]; then
		echo "$main"
	else
		echo "$security"
	fi
}

# apt_sources RELEASE [EXTRA-SUITE...]: prints the lines of sources.list for a
# release.
apt_sources()
{
	local release=$1 main security suite
	shift
	main=$(apt_mirror main)
	security=$(apt_mirror security)
	[ -n "$main" ] || die "no Debian mirror in this machine's apt sources"
	for suite in "$release" "$release-updates" "$@"; do
		echo "deb [signed-by=$vm_keyring] $main $suite main"
	done
	[ -z "$security" ] ||
		echo "deb [signed-by=$vm_keyring] $security $release-security main"
}

# Proxy, retry and date settings of the machine, as an apt.conf: for mmdebstrap,
# whose apt does not read the machine's configuration.
apt_settings()
{
	apt-config dump --format '%F "%v";%n' |
		grep -iE '^Acquire::(https?::|Retries|Check-|.*Proxy)' || true
}

# priv_apt TOOL ARGS...: runs apt-get, apt-cache etc. on the private lists.
priv_apt()
{
	local tool=$1
	shift
	"$tool" -q -o Dir::Etc::SourceList="$vm_apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::State::Lists="$vm_apt/lists" -o Dir::State::status="$vm_apt/status" \
		-o Dir::Cache="$vm_apt/cache" -o Dir::Cache::pkgcache=pkgcache.bin \
		-o Dir::Cache::srcpkgcache=srcpkgcache.bin -o APT::Architecture=amd64 \
		-o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

# apt_update: fetches the lists. Once per process is enough.
apt_update()
{
	local release
	mkdir -p "$vm_apt"/{lists,cache/archives}/partial
	: >"$vm_apt/status"
	for release in "${vm_releases[@]}"; do
		apt_sources "$release" "$release-backports"
	done >"$vm_apt/sources.list"
	retry_download "the lists of packages" priv_apt apt-get update -qq >&2
}

# apt_packages RELEASE: "name version" of every package in the lists of a
# release and its -updates, -security and -backports.
apt_packages()
{
	local release=$1 suite file
	# shellcheck disable=SC2016 # apt's variables
	priv_apt apt-get indextargets --format '$(RELEASE) $(FILENAME)' 'Created-By: Packages' |
	while read -r suite file; do
		case $suite in
		"$release"|"$release"-*) /usr/lib/apt/apt-helper cat-file "$file" ;;
		esac
	done | awk '/^Package: / { p = $2 } /^Version: / { print p, $2 }'
}

# apt_download DIR NAME=VERSION...: downloads the .deb files, which apt checks,
# to DIR.
apt_download()
{
	local dir=$1
	shift
	mkdir -p "$dir"
	( cd "$dir" && retry_download "$*" priv_apt apt-get download -qq "$@" >&2 )
}
