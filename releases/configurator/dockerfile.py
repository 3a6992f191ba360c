"""Lines of a Dockerfile: every builder reads them, with /bin/sh as its shell."""

from __future__ import annotations

import shlex

from releases.configurator import apt, rpm
from releases.configurator.choice import Choice, Piece, command


def dockerfile(choice: Choice) -> list[Piece]:
    steps = {"apt": _apt, "dnf": _dnf, "zypper": _zypper}[choice.tool](choice)
    body = "; \\\n    ".join(["RUN set -eux", *steps])
    text = f"{choice.head}{choice.fingerprints}FROM {choice.image}\n{body}\n"
    return [Piece("file", text, "Dockerfile")]


def _apt(choice: Choice) -> list[str]:
    return [
        "apt-get update",
        "apt-get install -y --no-install-recommends ca-certificates curl",
        *_lines(apt.keyring_command(choice, sudo=False)),
        _written(apt.sources_text(choice), apt.sources_path(choice)),
        "apt-get update",
        "DEBIAN_FRONTEND=noninteractive "
        + command("apt-get", "install", "-y", *choice.packages, sudo=False).strip(),
        "rm -rf /var/lib/apt/lists/*",
    ]


def _dnf(choice: Choice) -> list[str]:
    return [
        _written(rpm.repo_text(choice), rpm.repo_path(choice)),
        command("dnf", "install", "-y", choice.package, sudo=False).strip(),
        "dnf clean all",
    ]


def _zypper(choice: Choice) -> list[str]:
    return [
        *_lines(rpm.import_command(choice, sudo=False)),
        _written(rpm.repo_text(choice), rpm.repo_path(choice)),
        command("zypper", "--non-interactive", "install", choice.package, sudo=False).strip(),
        "zypper clean --all",
    ]


def _lines(commands: str) -> list[str]:
    return commands.replace(" \\\n    ", "").splitlines()


def _written(text: str, path: str) -> str:
    """A printf that writes the file, one quoted line each."""
    lines = [shlex.quote(line) for line in text.splitlines()]
    return " \\\n        ".join(["printf '%s\\n'", *lines, f"> {path}"])
