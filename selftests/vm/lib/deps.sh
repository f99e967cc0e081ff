# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # names shared with the other files
# Packages that the host itself needs. Everything else is in build/.

# Another process may be installing packages: unattended-upgrades on a fresh
# machine holds the lock for minutes.
apt_wait=(-o DPkg::Lock::Timeout=600)

host_deps()
{
	local -A package=(
		[qemu-system-x86_64]=qemu-system-x86 [mmdebstrap]=mmdebstrap
		[mksquashfs]=squashfs-tools [busybox]=busybox-static
		[cpio]=cpio [rsync]=rsync [depmod]=kmod [xz]=xz-utils
		[zstd]=zstd [flock]=util-linux [readelf]=binutils
	)
	local cmd missing=()

	for cmd in "${!package[@]}"; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$cmd" >/dev/null ||
			missing+=("${package[$cmd]}")
	done
	[ -e "$vm_keyring" ] || missing+=(debian-archive-keyring)
	# The initramfs has no libraries, so busybox must be linked
	# statically.
	if command -v busybox >/dev/null &&
	   [[ $(readelf -l "$(command -v busybox)" 2>/dev/null) == *INTERP* ]]; then
		missing+=(busybox-static)
	fi
	[ ${#missing[@]} != 0 ] || return 0
	with_lock host-deps host_deps_install "${missing[@]}"
}

host_deps_install()
{
	need_root
	say "installing on this machine: $*"
	export DEBIAN_FRONTEND=noninteractive
	# Lists may be missing (in containers) or old. Try the existing ones
	# first.
	apt-get "${apt_wait[@]}" install -y -qq --no-install-recommends "$@" >&2 && return
	retry_download "packages of this machine" host_deps_download "$@"
}

host_deps_download()
{
	apt-get "${apt_wait[@]}" update -qq >&2 &&
	apt-get "${apt_wait[@]}" install -y -qq --no-install-recommends "$@" >&2
}
