"""The commands that fetch, check and run the set-up script."""

from __future__ import annotations

from releases.configurator import apt, rpm
from releases.configurator.choice import Choice, Piece, command


def commands(choice: Choice) -> list[Piece]:
    """The script finds the system by itself; the digest tells a broken download."""
    is_apt = choice.tool == "apt"
    address = f"{choice.site}/repo_setup"
    fetched = command("curl", "-fsSO", address, sudo=False)
    checked = f"curl -fsS {address}.sha256 | sha256sum --check\n"
    options = [f"--server-version={choice.name}"]
    if not choice.is_default:
        options.append(f"--product={choice.product}")
    run = command("sh", "repo_setup", *options)
    install = command(choice.tool, "install", *choice.packages)
    removed = apt.remove(choice, apt.sources_path(choice)) if is_apt else rpm.remove(choice)
    return [Piece("run", fetched + checked + run), Piece("install", install), removed]
