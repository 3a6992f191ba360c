"""The repository configuration for one choice: files and commands as text. Pure.

Every value comes from our own tables and is quoted for where it goes; nothing that a visitor typed
gets here. To add an output: a function that writes pieces, and a row in `OUTPUTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from releases.configurator import ansible, apt, cloud_init, dockerfile, rpm, setup_script
from releases.configurator.choice import Choice, Key, Piece

__all__ = ["OUTPUTS", "Choice", "Key", "Output", "Piece", "outputs_for", "plain_text"]

ALL: Final = ("apt", "dnf", "zypper")


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
    """The file of the output, as it is read; what is done before and after stands in comments.

    An output without a file is a script.
    """
    pieces = [piece for piece in output.write(choice) if not piece.is_optional]
    if not any(piece.kind == "file" for piece in pieces):
        return "".join(piece.text for piece in pieces)
    files = [piece.text for piece in pieces if piece.kind == "file"]
    rest = "".join(piece.text for piece in pieces if piece.kind != "file")
    return "".join(files) + "".join(f"# {line}\n" for line in rest.splitlines())


OUTPUTS: Final = {
    output.slug: output
    for output in [
        Output("sources", "deb822 .sources", ("apt",), apt.sources),
        Output("list", "One-line .list", ("apt",), apt.one_line),
        Output("repo", ".repo", ("dnf",), rpm.repo),
        Output("zypper", "zypper", ("zypper",), rpm.zypper),
        Output("zypper-repo", ".repo", ("zypper",), rpm.zypper_repo),
        Output("dockerfile", "Dockerfile", ALL, dockerfile.dockerfile),
        Output("ansible", "Ansible", ALL, ansible.tasks),
        Output("cloud-init", "cloud-init", ALL, cloud_init.config),
        Output("script", "Script", ALL, setup_script.commands),
        Output("keyring", "Keyring", ("apt",), apt.keyring_alone),
        Output("key", "Key", ("dnf", "zypper"), rpm.key_alone),
    ]
}
