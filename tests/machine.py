"""A machine of its own for package managers: a copy-on-write copy of this one, thrown away.

    with machine(tmp_path / "m") as fresh:
        fresh.write("/etc/apt/sources.list.d/x.sources", text)
        fresh.run("apt-get update && apt-get install -y x")

What runs there is root in a mount namespace, sees this machine's programs and loopback network, and
changes nothing here: every write goes to an overlay in memory. Its package managers know no
repository before a test adds one, and `sudo` is there. Needs Linux, root and overlayfs.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.programs import need

SETUP = """\
set -eu
mount -t tmpfs tmpfs {root}
mkdir {root}/upper {root}/work {root}/m
mount -t overlay overlay -o lowerdir=/,upperdir={root}/upper,workdir={root}/work {root}/m
mount --rbind /proc {root}/m/proc
mount --rbind /dev {root}/m/dev
mount -t tmpfs tmpfs {root}/m/tmp
mount -t tmpfs tmpfs {root}/m/run
cd {root}/m
rm -rf etc/apt/sources.list etc/apt/sources.list.d/* etc/apt/apt.conf.d/*proxy*
rm -rf etc/yum.repos.d etc/zypp/repos.d var/lib/apt/lists/* var/cache/dnf var/cache/zypp
mkdir -p etc/yum.repos.d etc/zypp/repos.d etc/apt/sources.list.d var/lib/apt/lists/partial
printf '#!/bin/sh\\nexec "$@"\\n' >usr/local/bin/sudo
chmod 755 usr/local/bin/sudo
mkdir -p etc/dnf && printf '[main]\\nassumeyes=True\\n' >etc/dnf/dnf.conf
printf 'APT::Get::Assume-Yes "true";\\nAPT::Update::Error-Mode "any";\\n' >etc/apt/apt.conf.d/99test
printf '#!/bin/sh\\nexec /usr/bin/zypper --non-interactive "$@"\\n' >usr/local/bin/zypper
chmod 755 usr/local/bin/zypper
# Debian's rpm keeps a database for each person; zypper and dnf read the system's, as elsewhere.
mkdir -p etc/rpm && echo '%_dbpath /var/lib/rpm' >etc/rpm/macros.database
echo ready
exec cat
"""
# dnf leaves an agent of gpg for each repository whose signature it checked.
END_AGENTS = """\
for home in /var/cache/dnf/*/pubring; do
    test ! -d "$home" || gpgconf --homedir "$home" --kill gpg-agent
done
"""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Machine:
    """Runs shell commands in the copy; questions of package managers are answered with yes."""

    def __init__(self, pid: int, root: str) -> None:
        self.enter = ["nsenter", "--target", str(pid), "--mount", "chroot", root]

    def run(
        self, script: str, *, check: bool = True, shell: str = "sh"
    ) -> subprocess.CompletedProcess[str]:
        """The script as a file; a failed line ends it, as on a page that is followed by hand."""
        done = subprocess.run(
            [*self.enter, *shlex.split(shell), "-e", "-s"],
            input=script,
            env={"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )
        if check and done.returncode != 0:
            pytest.fail(f"{script}\n--- {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, path: str, text: str) -> None:
        folder = shlex.quote(path.rpartition("/")[0])
        command = f"mkdir -p {folder} && cat >{shlex.quote(path)}"
        subprocess.run([*self.enter, "sh", "-c", command], input=text, text=True, check=True)

    def read(self, path: str) -> str:
        return self.run(f"cat {shlex.quote(path)}").stdout

    def has(self, path: str) -> bool:
        return self.run(f"test -e {shlex.quote(path)}", check=False).returncode == 0


@contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """`folder` must not exist yet; skips the test where this system does not allow it."""
    need("unshare", "nsenter", "chroot", "mount")
    if os.geteuid() != 0:
        pytest.skip("a copy-on-write machine needs root")
    folder.mkdir(parents=True)
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-c"]
    script = SETUP.format(root=shlex.quote(str(folder)))
    process = subprocess.Popen(
        [*command, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            _, told = process.communicate(timeout=20)
            pytest.skip(f"no copy-on-write machine here: {told.strip()[-300:]}")
        opened = Machine(process.pid, f"{folder}/m")
        try:
            yield opened
        finally:
            opened.run(END_AGENTS, check=False)
    finally:
        process.communicate(timeout=20)
