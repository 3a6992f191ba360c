"""What was chosen, and the pieces that an output is made of."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import urlsplit

from releases import keyrings

TITLE_MARKS: Final = " .,:+-_/()"
NOT_IN_AN_ADDRESS: Final = re.compile(r"[^\w.~:/?=&%+@\[\]-]", re.ASCII)
OPTIONAL: Final = ("pin", "remove")
GROUP: Final = 4


@dataclass(frozen=True, slots=True)
class Key:
    """A public key that the machine is to trust for this repository alone."""

    name: str
    fingerprint: str
    armored: str = ""
    binary: bytes = b""

    @property
    def spaced(self) -> str:
        """The fingerprint as people compare it."""
        fours = re.findall(f".{{1,{GROUP}}}", self.fingerprint)
        return " ".join(fours)


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, in the words of our tables; addresses without a slash at their end."""

    product: str  # its slug: names the files
    title: str  # "ExampleDB 11.8"
    name: str  # of the series, the alias or the exact version
    system: str  # "Debian 12"
    tool: str  # apt, dnf or zypper
    codename: str  # of an APT repository
    architecture: str
    address: str  # root of the repository
    site: str  # where keys and the set-up script are
    keys: tuple[Key, ...]
    package: str
    generated_on: date
    has_modules: bool = False
    is_default: bool = True  # whether the set-up script means this product by itself
    image: str = ""
    has_keyring: bool = False  # whether a package of the repository keeps the keyring new
    warnings: tuple[str, ...] = ()  # sentences of ours: why not to use it

    def __post_init__(self) -> None:
        for name, clean in [("title", tame), ("address", address), ("site", address)]:
            object.__setattr__(self, name, clean(getattr(self, name)))

    @property
    def repository(self) -> str:
        """What package managers call the repository."""
        return f"{self.product}-{self.name}"

    @property
    def host(self) -> str:
        return urlsplit(self.address).hostname or ""

    @property
    def head(self) -> str:
        """How every file begins: what it is, and what speaks against it."""
        day = self.generated_on.isoformat()
        warnings = "".join(f"# Warning: {tame(warning)}\n" for warning in self.warnings)
        return f"# {self.title} for {self.system}, generated {day}\n{warnings}"

    @property
    def fingerprints(self) -> str:
        return "".join(f"# Key fingerprint: {key.spaced}\n" for key in self.keys)

    @property
    def keyring(self) -> str:
        """The file that holds every key, and the Debian package that keeps it new."""
        return keyrings.deb_name(self.product)

    @property
    def packages(self) -> list[str]:
        """What to install: apt follows a change of keys through a package alone."""
        follows = self.tool == "apt" and self.has_keyring
        return [self.package, self.keyring] if follows else [self.package]

    def keyring_address(self, form: str) -> str:
        return self.key_address(self.keyring, form)

    def key_address(self, name: str, form: str) -> str:
        return f"{self.site}/keys/{name}.{form}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A step: a file to create (its path is the name) or commands to run."""

    kind: str  # "keyring", "file", "run", "install", "pin" or "remove"
    text: str
    path: str = ""

    @property
    def is_optional(self) -> bool:
        return self.kind in OPTIONAL


def tame(text: str) -> str:
    """A name of ours on one line, without anything that a shell, YAML or a template reads."""
    kept = "".join(char if char.isalnum() or char in TITLE_MARKS else " " for char in text)
    return " ".join(kept.split())


def address(text: str) -> str:
    """An address with every character escaped that does not belong into one."""
    return NOT_IN_AN_ADDRESS.sub(lambda found: _escaped(found[0]), text)


def _escaped(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def command(*words: str, sudo: bool = True) -> str:
    """One line of shell that runs the words as they are."""
    return f"{'sudo ' if sudo else ''}{shlex.join(words)}\n"
