"""Real apt, dnf and zypper in roots of their own, and real packages for them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.programs import need

CONTROL = """\
Package: {name}
Version: {version}
Architecture: {architecture}
Maintainer: Dana Petrova <dana@example.org>
Section: database
Priority: optional
Description: Example database
 The server, as small as it can be.
"""
SPEC = """\
Name: {name}
Version: {version}
Release: 1.el9
Summary: Example database
License: GPL-2.0-only
BuildArch: noarch
%description
The server, as small as it can be.
%install
mkdir -p %{{buildroot}}/usr/share/{name}
echo {version} > %{{buildroot}}/usr/share/{name}/VERSION
%files
/usr/share/{name}/VERSION
%changelog
* Wed Nov 18 2026 Dana Petrova <dana@example.org> - {version}-1
- First build
"""
APT_CONF = """\
Dir "{root}";
Dir::State::status "{root}/var/lib/dpkg/status";
Dir::Bin::methods "/usr/lib/apt/methods";
Dir::Bin::dpkg "/usr/bin/dpkg";
APT::Architecture "{architecture}";
APT::Architectures {{ "{architecture}"; }};
APT::Sandbox::User "{user}";
Acquire::Languages "none";
Acquire::http::Proxy "DIRECT";
DPkg::Options {{ "--root={root}"; "--force-not-root"; "--force-script-chrootless";
                "--log={root}/dpkg.log"; }};
"""
APT_FOLDERS = [
    *("etc/apt/apt.conf.d", "etc/apt/preferences.d", "etc/apt/sources.list.d"),
    *("etc/apt/keyrings", "etc/apt/trusted.gpg.d", "var/lib/apt/lists/partial"),
    *("var/cache/apt/archives/partial", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log/apt"),
]


def build_deb(folder: Path, name: str, version: str, suffix: str = "") -> Path:
    """A .deb for this machine's processor that installs one file."""
    (dpkg_deb,) = need("dpkg-deb")
    tree = folder / f"{name}-{version}{suffix}"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "usr/share" / name).mkdir(parents=True)
    (tree / "usr/share" / name / "VERSION").write_text(f"{version}\n")
    architecture = deb_architecture()
    text = CONTROL.format(name=name, version=version + suffix, architecture=architecture)
    (tree / "DEBIAN").chmod(0o755)  # whatever the umask: dpkg-deb takes no other
    (tree / "DEBIAN/control").write_text(text)
    path = folder / f"{name}_{version}{suffix}_{architecture}.deb"
    command = [dpkg_deb, "--root-owner-group", "--build", str(tree), str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def build_rpm(folder: Path, name: str, version: str) -> Path:
    """A .rpm for every processor that installs one file."""
    (rpmbuild,) = need("rpmbuild")
    spec = folder / f"{name}.spec"
    spec.write_text(SPEC.format(name=name, version=version))
    top = folder / "rpmbuild"
    command = [rpmbuild, "-bb", "--define", f"_topdir {top}", str(spec)]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = top.glob("RPMS/noarch/*.rpm")
    return path


def deb_architecture() -> str:
    (dpkg,) = need("dpkg")
    done = subprocess.run(
        [dpkg, "--print-architecture"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


class Apt:
    """apt-get with a root of its own; `root` must not exist yet."""

    def __init__(self, root: Path) -> None:
        (self.program,) = need("apt-get")
        need("dpkg")
        self.root = root
        for folder in APT_FOLDERS:
            (root / folder).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        self.keyring = root / "etc/apt/keyrings/keyring.pgp"
        self.conf = root / "apt.conf"
        user = "root" if os.geteuid() == 0 else ""
        text = APT_CONF.format(root=root, architecture=deb_architecture(), user=user)
        self.conf.write_text(text)

    def configure(self, sources: str, keyring: bytes, name: str = "test.sources") -> None:
        """Put the text of the generator in place; only the keyring's path moves into our root."""
        self.keyring.write_bytes(keyring)
        moved = re.sub(r"^Signed-By: .*$", f"Signed-By: {self.keyring}", sources, flags=re.M)
        (self.root / "etc/apt/sources.list.d" / name).write_text(moved)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """apt-get words; a warning about an index is an error here."""
        return subprocess.run(
            [self.program, "-y", "-o", "APT::Update::Error-Mode=any", *words],
            env={"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "APT_CONFIG": str(self.conf)},
            capture_output=True,
            text=True,
            check=False,
        )

    def has(self, path: str) -> bool:
        return (self.root / path).exists()


class Dnf:
    """dnf with an installroot of its own; no gpg-agent that it began outlives a run."""

    def __init__(self, root: Path) -> None:
        self.program, self.gpgconf = need("dnf", "gpgconf")
        self.root = root
        for folder in ("etc/yum.repos.d", "var/log", "var/cache/dnf"):
            (root / folder).mkdir(parents=True)

    def configure(self, repo: str) -> None:
        (self.root / "etc/yum.repos.d/test.repo").write_text(repo)

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [
            self.program,
            "-y",
            f"--installroot={self.root}",
            "--releasever=9",
            f"--setopt=reposdir={self.root}/etc/yum.repos.d",
            f"--setopt=cachedir={self.root}/var/cache/dnf",
            f"--setopt=logdir={self.root}/var/log",
            "--setopt=install_weak_deps=0",
            *words,
        ]
        environ = {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "HOME": str(self.root)}
        try:
            return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        finally:
            self._end_agents()

    def _end_agents(self) -> None:
        """dnf checks signatures with a home of gpg for each repository, and leaves its agent."""
        for home in self.root.glob("var/cache/dnf/*/pubring"):
            command = [self.gpgconf, "--homedir", str(home), "--kill", "gpg-agent"]
            subprocess.run(command, capture_output=True, check=False)

    def has(self, path: str) -> bool:
        return (self.root / path).exists()


class Zypper:
    """zypper with a root of its own; it trusts every key that a .repo file names."""

    def __init__(self, root: Path) -> None:
        (self.program,) = need("zypper")
        need("rpm")
        self.root = root
        (root / "etc/zypp/repos.d").mkdir(parents=True)

    def configure(self, repo: str) -> None:
        (self.root / "etc/zypp/repos.d/test.repo").write_text(f"{repo}autorefresh=1\n")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [self.program, f"--root={self.root}", "--non-interactive"]
        environ = {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "HOME": str(self.root)}
        return subprocess.run(
            [*command, "--gpg-auto-import-keys", *words],
            env=environ,
            capture_output=True,
            text=True,
            check=False,
        )

    def has(self, path: str) -> bool:
        return (self.root / path).exists()
