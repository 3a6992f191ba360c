"""Configuration for dnf, yum and zypper."""

from __future__ import annotations

from releases.configurator.choice import Choice, Piece, command


def repo(choice: Choice) -> list[Piece]:
    """A file for dnf and yum."""
    return [
        Piece("file", repo_text(choice), repo_path(choice)),
        Piece("install", command("dnf", "install", choice.package)),
        remove(choice),
    ]


def zypper(choice: Choice) -> list[Piece]:
    """Commands that add the repository to zypper, its key first. Where a newer key will be found
    is no option of addrepo, so it is written behind it.
    """
    added = command(
        "zypper",
        "addrepo",
        "--refresh",
        "--gpgcheck-strict",
        "--name",
        choice.title,
        choice.address,
        choice.repository,
    ).replace(" http", " \\\n     http", 1)
    known = command("echo", f"gpgkey={choice.keyring_address('asc')}", sudo=False)
    file = f"/etc/zypp/repos.d/{choice.repository}.repo"
    written = known.replace("\n", " |\n     ") + command("tee", "-a", file)
    removed = command("zypper", "removerepo", choice.repository) + _forget_keys(choice)
    return [
        _import(choice),
        Piece("run", added + written),
        _zypper_install(choice),
        Piece("remove", removed),
    ]


def zypper_repo(choice: Choice) -> list[Piece]:
    """A file for zypper, and the import of the key."""
    return [
        _import(choice),
        Piece("file", repo_text(choice), repo_path(choice)),
        _zypper_install(choice),
        remove(choice),
    ]


def key_alone(choice: Choice) -> list[Piece]:
    """Only the key, with what it should say."""
    file = f"{choice.keyring}.asc"
    commands = [
        command("curl", "-fsSO", choice.keyring_address("asc"), sudo=False),
        choice.fingerprints,
        command("gpg", "--show-keys", "--with-fingerprint", file, sudo=False),
        command("rpm", "--import", file),
    ]
    return [Piece("keyring", "".join(commands)), Piece("remove", _forget_keys(choice))]


def repo_path(choice: Choice) -> str:
    folder = "zypp/repos.d" if choice.tool == "zypper" else "yum.repos.d"
    return f"/etc/{folder}/{choice.product}.repo"


def repo_text(choice: Choice) -> str:
    """What both read; without repo_gpgcheck=1 dnf would take forged metadata.

    A signature by a key they do not know makes them fetch gpgkey, and ask: so keys can change.
    """
    text = (
        f"{choice.head}"
        f"[{choice.repository}]\n"
        f"name={choice.title}\n"
        f"baseurl={choice.address}\n"
        f"gpgkey={choice.keyring_address('asc')}\n"
        "enabled=1\n"
        "gpgcheck=1\n"
        "repo_gpgcheck=1\n"
    )
    if choice.tool == "zypper":
        return text + "autorefresh=1\n"
    text += "metadata_expire=6h\n"
    return text + ("module_hotfixes=1\n" if choice.has_modules else "")


def import_command(choice: Choice, *, sudo: bool = True) -> str:
    return command("rpm", "--import", choice.keyring_address("asc"), sudo=sudo)


def _import(choice: Choice) -> Piece:
    return Piece("keyring", import_command(choice))


def _zypper_install(choice: Choice) -> Piece:
    refreshed = command("zypper", "refresh", choice.repository)
    return Piece("install", refreshed + command("zypper", "install", choice.package))


def remove(choice: Choice) -> Piece:
    return Piece("remove", command("rm", "-f", repo_path(choice)) + _forget_keys(choice))


def _forget_keys(choice: Choice) -> str:
    """rpm calls a key by the end of its fingerprint, since version 6 by all of it."""
    lines = [
        f"rpm -q gpg-pubkey | grep -i {key.fingerprint[-8:].lower()} | xargs -r sudo rpm -e\n"
        for key in choice.keys
    ]
    return "".join(lines)
