"""apt-get and dnf themselves read a repository, where they are installed: each in a folder of its
own, without root, and with nothing but what is in the configuration of a client.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from releases.reading import Place, UnsoundError
from releases.reading.walk import LIST_MOST, Get

SECONDS: Final = 120
LONGEST_REASON: Final = 300
PLACES: Final = ":".join([*os.get_exec_path(), "/usr/bin", "/usr/sbin", "/sbin"])
APT_FOLDERS: Final = (
    *("etc/apt/apt.conf.d", "etc/apt/preferences.d", "etc/apt/trusted.gpg.d"),
    *("etc/apt/sources.list.d", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial"),
)
APT_CONF: Final = """\
Dir "{root}";
Dir::State::status "{root}/status";
Dir::Bin::methods "/usr/lib/apt/methods";
APT::Architecture "{first}";
APT::Architectures {{ {all} }};
APT::Sandbox::User "";
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::GzipIndexes "false";
Acquire::http::Proxy "DIRECT";
Acquire::https::Proxy "DIRECT";
"""
SOURCES: Final = "deb [signed-by={root}/keyring.pgp arch={all}] {address} {codename} {components}\n"
DNF_CONF: Final = """\
[main]
reposdir={root}/repos
cachedir={root}/cache
persistdir={root}/state
logdir={root}
plugins=0
assumeyes=1
[repository]
name=repository
baseurl={address}
gpgkey={keyring}
gpgcheck=1
repo_gpgcheck=1
"""


def read_by_programs(place: Place, package: str, get: Get) -> str:
    """The program that read it and knows the package of this path, if there is one; empty where it
    is not installed. Raises UnsoundError with what it said.
    """
    name, read = ("apt-get", _apt) if place.codename else ("dnf", _dnf)
    found = shutil.which(name, path=PLACES)
    if found is None:
        return ""
    wanted = _named(package)
    with tempfile.TemporaryDirectory(prefix="reading-") as folder:
        known = read(_Client(name, found, Path(folder)), place, get)
        if wanted and not known(wanted):
            raise UnsoundError(f"{name} reads the index and does not know {wanted}")
    return name


@dataclass(frozen=True, slots=True)
class _Client:
    """A program with a root of its own."""

    name: str
    program: str
    root: Path

    def run(self, *words: str) -> str:
        """What it printed. Raises UnsoundError when it fails."""
        environ = {
            "PATH": PLACES,
            "HOME": str(self.root),
            "LANG": "C.UTF-8",
            "APT_CONFIG": str(self.root / "apt.conf"),
        }
        try:
            done = subprocess.run(
                [self.program, *words],
                env=environ,
                cwd=self.root,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise UnsoundError(f"{self.name} takes longer than {SECONDS} s") from None
        if done.returncode != 0:
            raise UnsoundError(f"{self.name} says: {_told(done.stderr or done.stdout)}")
        return done.stdout


Known = Callable[[str], bool]


def _apt(client: _Client, place: Place, get: Get) -> Known:
    """What it knows after `update`: by name."""
    for name in APT_FOLDERS:
        (client.root / name).mkdir(parents=True)
    (client.root / "status").touch()
    (client.root / "keyring.pgp").write_bytes(get(place.keyring, most=LIST_MOST).read())
    told = get(f"{place.address}/dists/{place.codename}/InRelease", most=LIST_MOST).read()
    offered = _words("Architectures", told)
    values = {
        "root": str(client.root),
        "first": offered[0],
        "address": place.address,
        "codename": place.codename,
        "components": " ".join(_words("Components", told)),
    }
    conf = APT_CONF.format(all=" ".join(f'"{one}";' for one in offered), **values)
    (client.root / "apt.conf").write_text(conf)
    sources = SOURCES.format(all=",".join(offered), **values)
    (client.root / "etc/apt/sources.list").write_text(sources)
    client.run("update", "-q")
    targets = client.run("indextargets", "--format", "$(FILENAME)", "Created-By: Packages")
    return lambda wanted: any(_lists(Path(path), wanted) for path in targets.splitlines())


def _lists(index: Path, name: str) -> bool:
    """Whether the index that apt has kept has a package of this name."""
    return f"\nPackage: {name}\n" in "\n" + index.read_text()


def _dnf(client: _Client, place: Place, _get: Get) -> Known:
    """What it knows after `makecache`: by name. It fetches the key itself."""
    keyring = f"{place.keyring.removesuffix('.pgp')}.asc"
    conf = DNF_CONF.format(root=client.root, address=place.address, keyring=keyring)
    (client.root / "dnf.conf").write_text(conf)
    options = [
        *("-q", f"--config={client.root}/dnf.conf", f"--installroot={client.root}/m"),
        *("--releasever=1", f"--forcearch={place.address.rpartition('/')[2]}"),
    ]
    try:
        client.run(*options, "makecache")
        listed = client.run(*options, "list", "--available", "--showduplicates")
    finally:
        _end_agents(client.root)
    return lambda wanted: re.search(rf"^{re.escape(wanted)}\.", listed, re.MULTILINE) is not None


def _end_agents(root: Path) -> None:
    """dnf checks signatures with a home of gpg for each repository, and leaves its agent."""
    if (program := shutil.which("gpgconf", path=PLACES)) is None:
        return
    for home in root.rglob("pubring"):
        command = [program, "--homedir", str(home), "--kill", "gpg-agent"]
        subprocess.run(command, capture_output=True, check=False)


def _words(field: str, told: bytes) -> Sequence[str]:
    """The words of a field of the signed list. apt looks at its signature, this does not."""
    found = re.search(rf"^{field}: (.+)$", told.decode("utf-8", "replace"), re.MULTILINE)
    if found is None:
        raise UnsoundError(f"InRelease has no field {field}")
    return found[1].split()


def _named(path: str) -> str:
    """The name of the package at this path; empty for none."""
    file = path.rpartition("/")[2]
    return file.partition("_")[0] if file.endswith(".deb") else "-".join(file.split("-")[:-2])


def _told(text: str) -> str:
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return "; ".join(lines)[-LONGEST_REASON:]
