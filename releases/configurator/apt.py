"""Configuration for apt: deb822 and one-line files, keyring, preferences."""

from __future__ import annotations

from typing import Final

from releases.configurator.choice import Choice, Key, Piece, command

FOLDER: Final = "/etc/apt/keyrings"
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
    signed_by = ",".join(keyring_paths(choice))
    text = (
        f"{choice.head}"
        f"deb [arch={choice.architecture} signed-by={signed_by}]"
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
    shown = "".join(
        command("gpg", "--show-keys", "--with-fingerprint", path, sudo=False)
        for path in keyring_paths(choice)
    )
    removed = command("rm", "-f", *keyring_paths(choice))
    return [
        keyring(choice),
        Piece("run", f"{choice.fingerprints}{shown}"),
        Piece("remove", removed),
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
        f"Signed-By: {' '.join(keyring_paths(choice))}\n"
    )


def keyring_path(key: Key) -> str:
    return f"{FOLDER}/{key.name}.pgp"


def keyring_paths(choice: Choice) -> list[str]:
    return [keyring_path(key) for key in choice.keys]


def keyring_commands(choice: Choice, *, sudo: bool = True) -> str:
    """Fetching the binary keys: an armored one in a keyring is refused by apt before 2.4."""
    made = command("install", "-d", "-m", "0755", FOLDER, sudo=sudo)
    fetched = [
        command(
            "curl", "-fsSo", keyring_path(key), choice.key_address(key, "pgp"), sudo=sudo
        ).replace(" http", " \\\n     http", 1)
        for key in choice.keys
    ]
    return made + "".join(fetched)


def keyring(choice: Choice) -> Piece:
    return Piece("keyring", keyring_commands(choice))


def _install(choice: Choice) -> Piece:
    return Piece("install", command("apt", "update") + command("apt", "install", choice.package))


def preferences_path(choice: Choice) -> str:
    return f"/etc/apt/preferences.d/{choice.product}.pref"


def _pin(choice: Choice) -> Piece:
    text = (
        f"# {choice.title} before the packages of {choice.system}\n"
        f'Package: *\nPin: origin "{choice.host}"\nPin-Priority: {PRIORITY}\n'
    )
    return Piece("pin", text, preferences_path(choice))


def remove(choice: Choice, path: str) -> Piece:
    paths = [path, preferences_path(choice), *keyring_paths(choice)]
    lines = [f"sudo rm -f {' '.join(paths[:1])}"] + [f"     {found}" for found in paths[1:]]
    return Piece("remove", " \\\n".join(lines) + "\n" + command("apt", "update"))
