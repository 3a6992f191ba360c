"""Which portal, and with which token: options, then the environment, then a file."""

from __future__ import annotations

import configparser
import os
import stat
from argparse import Namespace
from pathlib import Path
from typing import NamedTuple

from portal_client.errors import MISUSED, UNREADABLE, PortalError

SECTION = "portal"
OTHERS = stat.S_IRWXG | stat.S_IRWXO  # group and others
EXAMPLE = f"[{SECTION}]\nurl = https://portal.example.org\ntoken = fp_...\n"


class Settings(NamedTuple):
    """Where to, and as whom; the token may be empty."""

    url: str
    token: str


def config_path() -> Path:
    """Where the file lies; it need not exist."""
    if named := os.environ.get("PORTAL_CONFIG"):
        return Path(named)
    folder = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return Path(folder).expanduser() / "foundation-portal" / "config.ini"


def find(options: Namespace) -> Settings:
    """The address and the token to use. Raises PortalError."""
    kept = _kept(config_path())
    url = options.url or os.environ.get("PORTAL_URL") or kept.get("url", "")
    if not url.startswith(("https://", "http://")):
        raise PortalError(
            MISUSED,
            "Say which portal: --url https://..., PORTAL_URL, or a file"
            f" {config_path()} with\n{EXAMPLE}",
        )
    token = _token_file(options.token_file) if options.token_file else ""
    token = token or os.environ.get("PORTAL_TOKEN", "").strip() or kept.get("token", "")
    return Settings(url.rstrip("/"), token)


def with_token(options: Namespace, scope: str) -> Settings:
    """The same where a token is needed. Raises PortalError."""
    found = find(options)
    if not found.token:
        page = f"{found.url}/accounts/tokens/"
        raise PortalError(
            MISUSED,
            f"This needs a token with the scope {scope}: make one at {page}, and put it into"
            f" PORTAL_TOKEN, into a file named with --token-file, or into {config_path()}.",
        )
    return found


def _token_file(name: str) -> str:
    path = Path(name)
    _refuse_shared(path)
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise PortalError(UNREADABLE, f"{path}: {error}") from None


def _kept(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        raise PortalError(UNREADABLE, f"{path}: {error}") from None
    found = dict(parser[SECTION]) if SECTION in parser else {}
    if found.get("token"):
        _refuse_shared(path)
    return found


def _refuse_shared(path: Path) -> None:
    """A file with a token is for its owner alone."""
    if os.name == "posix" and path.exists() and path.stat().st_mode & OTHERS:
        raise PortalError(
            MISUSED, f"{path} holds a token and others may read it. Do: chmod 600 {path}"
        )
