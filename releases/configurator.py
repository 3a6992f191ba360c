"""The repository configuration for one choice: files and commands as text. Pure.

Every value comes from our own tables; nothing that a visitor typed gets here. To add an output:
a function and a row in `OUTPUTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, in the words of our tables; addresses without a slash at their end."""

    product: str  # its slug: names the files
    title: str  # "ExampleDB 11.8"
    series: str
    system: str  # "Debian 12"
    tool: str  # apt, dnf or zypper
    codename: str  # of an APT repository
    architecture: str
    address: str  # root of the repository
    key_address: str  # without .asc or .pgp
    key_name: str
    package: str
    generated_on: date
    red_hat: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A step: a file to create (its path is the name) or commands to run."""

    kind: str  # "keyring", "file" or "install"
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """One way to write a configuration: who reads it, and how."""

    slug: str
    name: str
    tools: tuple[str, ...]
    write: Callable[[Choice], list[Piece]]


def outputs_for(tool: str) -> list[Output]:
    """The outputs that a package tool reads, the usual one first."""
    return [output for output in OUTPUTS.values() if tool in output.tools]


def plain_text(choice: Choice, output: Output) -> str:
    """The one file of the output; the commands before and after it as comments."""
    pieces = output.write(choice)
    lines = []
    for piece in pieces:
        if piece.kind == "file":
            lines.append(piece.text)
        else:
            lines.append("".join(f"# {line}\n" for line in piece.text.splitlines()))
    return "".join(lines)


def _keyring_path(choice: Choice) -> str:
    return f"/etc/apt/keyrings/{choice.key_name}.pgp"


def _head(choice: Choice) -> str:
    return f"# {choice.title} for {choice.system}, generated {choice.generated_on.isoformat()}\n"


def _keyring(choice: Choice) -> Piece:
    path = _keyring_path(choice)
    return Piece(
        "keyring",
        "sudo install -d -m 0755 /etc/apt/keyrings\n"
        f"sudo curl -fsSo {path} \\\n"
        f"     {choice.key_address}.pgp\n",
    )


def _apt_install(choice: Choice) -> Piece:
    return Piece("install", f"sudo apt update\nsudo apt install {choice.package}\n")


def sources(choice: Choice) -> list[Piece]:
    """A deb822 file for apt 1.1 and later."""
    text = (
        f"{_head(choice)}"
        f"X-Repolib-Name: {choice.title}\n"
        "Types: deb\n"
        f"URIs: {choice.address}\n"
        f"Suites: {choice.codename}\n"
        "Components: main\n"
        f"Architectures: {choice.architecture}\n"
        f"Signed-By: {_keyring_path(choice)}\n"
    )
    path = f"/etc/apt/sources.list.d/{choice.product}.sources"
    return [_keyring(choice), Piece("file", text, path), _apt_install(choice)]


def one_line(choice: Choice) -> list[Piece]:
    """The old form of one line."""
    text = (
        f"{_head(choice)}"
        f"deb [arch={choice.architecture} signed-by={_keyring_path(choice)}]"
        f" {choice.address} {choice.codename} main\n"
    )
    path = f"/etc/apt/sources.list.d/{choice.product}.list"
    return [_keyring(choice), Piece("file", text, path), _apt_install(choice)]


def _repo_text(choice: Choice) -> str:
    text = (
        f"{_head(choice)}"
        f"[{choice.product}-{choice.series}]\n"
        f"name={choice.title}\n"
        f"baseurl={choice.address}\n"
        f"gpgkey={choice.key_address}.asc\n"
        "enabled=1\n"
        "gpgcheck=1\n"
        "repo_gpgcheck=1\n"
    )
    if choice.tool == "zypper":
        return text + "autorefresh=1\n"
    text += "metadata_expire=6h\n"
    return text + ("module_hotfixes=1\n" if choice.red_hat else "")


def repo(choice: Choice) -> list[Piece]:
    """A file for dnf and yum."""
    path = f"/etc/yum.repos.d/{choice.product}.repo"
    install = Piece("install", f"sudo dnf install {choice.package}\n")
    return [Piece("file", _repo_text(choice), path), install]


def zypper(choice: Choice) -> list[Piece]:
    """A file for zypper, and the import of the key."""
    path = f"/etc/zypp/repos.d/{choice.product}.repo"
    return [
        Piece("keyring", f"sudo rpm --import {choice.key_address}.asc\n"),
        Piece("file", _repo_text(choice), path),
        Piece("install", f"sudo zypper refresh\nsudo zypper install {choice.package}\n"),
    ]


OUTPUTS: Final = {
    output.slug: output
    for output in [
        Output("sources", "deb822 .sources", ("apt",), sources),
        Output("list", "One-line .list", ("apt",), one_line),
        Output("repo", ".repo", ("dnf",), repo),
        Output("zypper", "zypper", ("zypper",), zypper),
    ]
}
