# SPDX-License-Identifier: GPL-2.0-only
"""For run and sideband: libipt's tests (prepare), and each available libipt: this machine's and
those in the roots of the VMs."""
import glob
import os
import re
import subprocess
import sys

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
here = os.path.join(top, "selftests/ptt")
fargs = os.environ.get("FARGS", os.path.join(top, "build/fargs"))


def run(*args, **kwargs):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, errors="replace", **kwargs)


def prepare():
    """The directory of the newest release's tests, or None and the reason."""
    done = run(os.path.join(here, "prepare"))
    if done.returncode:
        sys.exit("Bail out! selftests/ptt/prepare fails: " + done.stderr)
    for line in reversed(done.stdout.splitlines()):
        _, version, rest = line.split(" ", 2)
        if version != "-":
            return rest, None
    return None, rest


def libraries():
    """Paths of each version of libipt; "" for this machine's."""
    def version(path):
        return os.path.basename(os.path.realpath(path)).split(".so.")[1]

    own = re.search(r"libipt\.so\.2 => (\S+)", run("ldd", fargs).stdout).group(1)
    found = {version(own): ""}
    roots = os.path.join(top, "build/vm/root/*")
    for path in glob.glob(os.path.join(roots, "usr/lib/x86_64-linux-gnu/libipt.so.2")):
        found.setdefault(version(path), path)
    return dict(sorted(found.items()))


def link(libs, tmp):
    """Directories with nothing but one of the libraries, instead of their paths."""
    out = {}
    for version, path in libs.items():
        out[version] = path and os.path.join(tmp, version)
        if path:
            os.mkdir(out[version])
            os.symlink(os.path.realpath(path), os.path.join(out[version], "libipt.so.2"))
    return out


def with_lib(path):
    return dict(os.environ, LD_LIBRARY_PATH=path)
