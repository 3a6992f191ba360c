"""A cloud-config that writes key and repository itself, before the network's packages come."""

from __future__ import annotations

import base64
from typing import Final

from releases.configurator import apt, rpm
from releases.configurator.choice import Choice, Key, Piece
from releases.configurator.yaml import block, scalar

RPM_KEYS: Final = "/etc/pki/rpm-gpg"


def config(choice: Choice) -> list[Piece]:
    parts = {"apt": _apt, "dnf": _dnf, "zypper": _zypper}[choice.tool](choice)
    text = f"#cloud-config\n{choice.head}{choice.fingerprints}" + "".join(parts)
    return [Piece("file", text, "user-data")]


def _apt(choice: Choice) -> list[str]:
    keys = [
        f"  - path: {apt.keyring_path(key)}\n"
        '    permissions: "0644"\n'
        "    encoding: b64\n"
        f"    content: {base64.b64encode(key.binary).decode()}\n"
        for key in choice.keys
    ]
    file = _file(apt.sources_path(choice), apt.sources_text(choice))
    return ["write_files:\n", *keys, file, _packages(choice)]


def _dnf(choice: Choice) -> list[str]:
    return [
        "write_files:\n",
        _file(rpm.repo_path(choice), rpm.repo_text(choice)),
        _packages(choice),
    ]


def _zypper(choice: Choice) -> list[str]:
    """zypper takes no key by itself when nobody answers: it is imported first."""
    keys = [_file(_key_path(key), key.armored) for key in choice.keys]
    imported = [f'  - ["rpm", "--import", "{_key_path(key)}"]\n' for key in choice.keys]
    words = ["zypper", "--non-interactive", "install", choice.package]
    install = f"  - [{', '.join(scalar(word) for word in words)}]\n"
    return [
        "write_files:\n",
        *keys,
        _file(rpm.repo_path(choice), rpm.repo_text(choice)),
        "runcmd:\n",
        *imported,
        install,
    ]


def _key_path(key: Key) -> str:
    return f"{RPM_KEYS}/RPM-GPG-KEY-{key.name}"


def _file(path: str, text: str) -> str:
    return f'  - path: {path}\n    permissions: "0644"\n    content: {block(text, 6)}\n'


def _packages(choice: Choice) -> str:
    return f"package_update: true\npackages:\n  - {scalar(choice.package)}\n"
