"""A cloud-config that writes key and repository itself, before the network's packages come."""

from __future__ import annotations

import base64

from releases import keyrings
from releases.configurator import apt, rpm
from releases.configurator.choice import Choice, Piece
from releases.configurator.yaml import block, scalar


def config(choice: Choice) -> list[Piece]:
    parts = {"apt": _apt, "dnf": _dnf, "zypper": _zypper}[choice.tool](choice)
    text = f"#cloud-config\n{choice.head}{choice.fingerprints}" + "".join(parts)
    return [Piece("file", text, "user-data")]


def _apt(choice: Choice) -> list[str]:
    held = b"".join(key.binary for key in choice.keys)
    keyring = (
        f"  - path: {apt.keyring_path(choice)}\n"
        '    permissions: "0644"\n'
        "    encoding: b64\n"
        f"    content: {base64.b64encode(held).decode()}\n"
    )
    file = _file(apt.sources_path(choice), apt.sources_text(choice))
    return ["write_files:\n", keyring, file, _packages(choice)]


def _dnf(choice: Choice) -> list[str]:
    return [
        "write_files:\n",
        _file(rpm.repo_path(choice), rpm.repo_text(choice)),
        _packages(choice),
    ]


def _zypper(choice: Choice) -> list[str]:
    """zypper takes no key by itself when nobody answers: it is imported first."""
    path = keyrings.rpm_key_path(choice.product)
    held = "".join(key.armored.rstrip("\n") + "\n" for key in choice.keys)
    words = ["zypper", "--non-interactive", "install", choice.package]
    install = f"  - [{', '.join(scalar(word) for word in words)}]\n"
    return [
        "write_files:\n",
        _file(path, held),
        _file(rpm.repo_path(choice), rpm.repo_text(choice)),
        "runcmd:\n",
        f'  - ["rpm", "--import", "{path}"]\n',
        install,
    ]


def _file(path: str, text: str) -> str:
    return f'  - path: {path}\n    permissions: "0644"\n    content: {block(text, 6)}\n'


def _packages(choice: Choice) -> str:
    names = "".join(f"  - {scalar(name)}\n" for name in choice.packages)
    return f"package_update: true\npackages:\n{names}"
