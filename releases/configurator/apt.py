"""Configuration for apt: deb822 and one-line files, keyring, preferences."""

from __future__ import annotations

from typing import Final

from releases import keyrings
from releases.configurator.choice import Choice, Piece, command

PRIORITY: Final = 700  # above the distribution's 500; nothing is ever downgraded


def sources(choice: Choice) -> list[Piece]:
    """A deb822 file for apt 1.1 and later."""
    path = sources_path(choice)
    return [
        keyring(choice),
        Piece("file", sources_text(choice), path),
        _install(choice),
        _pin(choice),
        remove(choice, path),
    ]


def one_line(choice: Choice) -> list[Piece]:
    """The old form of one line."""
    text = (
        f"{choice.head}"
        f"deb [arch={choice.architecture} signed-by={keyring_path(choice)}]"
        f" {choice.address} {choice.codename} main\n"
    )
    path = f"/etc/apt/sources.list.d/{choice.product}.list"
    return [
        keyring(choice),
        Piece("file", text, path),
        _install(choice),
        _pin(choice),
        remove(choice, path),
    ]


def keyring_alone(choice: Choice) -> list[Piece]:
    """Only the key, with what it should say."""
    path = keyring_path(choice)
    shown = command("gpg", "--show-keys", "--with-fingerprint", path, sudo=False)
    return [
        keyring(choice),
        Piece("run", f"{choice.fingerprints}{shown}"),
        Piece("remove", command("rm", "-f", path)),
    ]


def sources_path(choice: Choice) -> str:
    return f"/etc/apt/sources.list.d/{choice.product}.sources"


def sources_text(choice: Choice) -> str:
    return (
        f"{choice.head}"
        f"X-Repolib-Name: {choice.title}\n"
        "Types: deb\n"
        f"URIs: {choice.address}\n"
        f"Suites: {choice.codename}\n"
        "Components: main\n"
        f"Architectures: {choice.architecture}\n"
        f"Signed-By: {keyring_path(choice)}\n"
    )


def keyring_path(choice: Choice) -> str:
    """Where the keyring package keeps it too: who installs that follows a change of keys."""
    return keyrings.keyring_path(choice.product)


def keyring_command(choice: Choice, *, sudo: bool = True) -> str:
    """Fetching the binary keys: an armored one in a keyring is refused by apt before 2.4."""
    words = ["curl", "-fsSo", keyring_path(choice), choice.keyring_address("pgp")]
    return command(*words, sudo=sudo).replace(" http", " \\\n     http", 1)


def keyring(choice: Choice) -> Piece:
    return Piece("keyring", keyring_command(choice))


def _install(choice: Choice) -> Piece:
    return Piece("install", command("apt", "update") + command("apt", "install", *choice.packages))


def preferences_path(choice: Choice) -> str:
    return f"/etc/apt/preferences.d/{choice.product}.pref"


def _pin(choice: Choice) -> Piece:
    text = (
        f"# {choice.title} before the packages of {choice.system}\n"
        f'Package: *\nPin: origin "{choice.host}"\nPin-Priority: {PRIORITY}\n'
    )
    return Piece("pin", text, preferences_path(choice))


def remove(choice: Choice, path: str) -> Piece:
    """The keyring goes with its package, while apt still knows that."""
    purged = command("apt", "purge", choice.keyring) if choice.has_keyring else ""
    paths = [path, preferences_path(choice), keyring_path(choice)]
    lines = [f"sudo rm -f {' '.join(paths[:1])}"] + [f"     {found}" for found in paths[1:]]
    return Piece("remove", purged + " \\\n".join(lines) + "\n" + command("apt", "update"))
