"""`portal repo config`: the configuration of a repository for this machine."""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.parse
from argparse import Namespace
from pathlib import Path
from typing import Any, Dict, List

from portal_client import asking, machine
from portal_client.errors import OK, REFUSED, UNREADABLE, PortalError
from portal_client.settings import Settings, find

PLACE = "/repositories/"
CHOICES = ("product", "series", "distribution", "arch", "mirror")
KEYRING = re.compile(r"[Ss]igned-[Bb]y[:=]\s*(/\S+?)[\]\s]")


def config(options: Namespace) -> int:
    """Print the file, or with --write put it and its keyring in place."""
    settings, root = find(options), Path(options.root)
    found = ask(settings, options, root)
    wanted = options.format or found["offered"]["formats"][0]
    if wanted not in found["formats"]:
        known = ", ".join(found["formats"])
        raise PortalError(
            REFUSED, f"There is no format {wanted} for this system. There are: {known}."
        )
    pieces: List[Dict[str, str]] = found["formats"][wanted]
    written = write(settings, found, pieces, root) if options.write else []
    if options.json:
        print(json.dumps({"choice": found["choice"], "pieces": pieces, "written": written}))
    elif options.write:
        tell(found, pieces, written)
    else:
        asked = dict(found["choice"], format=wanted)
        sys.stdout.write(asking.fetch(settings, _with(asked), accept="text/plain").decode())
    return OK


def ask(settings: Settings, options: Namespace, root: Path) -> Any:
    """The answer of the generator for this machine, or for the one that the options name."""
    query = {name: getattr(options, name) for name in CHOICES if getattr(options, name)}
    told = machine.os_release(root)
    if "distribution" not in query:
        offered = _offered(settings, query)
        slug = machine.distribution(told, [each["slug"] for each in offered["distributions"]])
        if slug is None:
            known = ", ".join(each["slug"] for each in offered["distributions"])
            name = told.get("PRETTY_NAME", "this machine")
            raise PortalError(
                REFUSED, f"Nothing is published for {name}. Choose with --distribution: {known}."
            )
        query["distribution"] = slug
    if "arch" not in query:
        offered = _offered(settings, query)
        found = machine.architecture(offered["architectures"])
        query.update({"arch": found} if found else {})
    answer = _get(settings, query)
    if "formats" not in answer:
        missing = ", ".join(answer.get("missing", []))
        nearest = " ".join(f"--{name}={value}" for name, value in answer.get("nearest", {}).items())
        raise PortalError(
            REFUSED, f"Not published: {missing}." + (f" There is: {nearest}" if nearest else "")
        )
    return answer


def _offered(settings: Settings, query: Dict[str, str]) -> Any:
    offered = _get(settings, query).get("offered")
    if not offered:
        raise PortalError(REFUSED, "This portal has published no repository yet.")
    return offered


def _get(settings: Settings, query: Dict[str, str]) -> Any:
    return asking.get(settings, _with(dict(query, **{"as": "json"})), also=404)


def _with(query: Dict[str, str]) -> str:
    return f"{PLACE}?{urllib.parse.urlencode(query)}"


def write(settings: Settings, found: Any, pieces: List[Dict[str, str]], root: Path) -> List[str]:
    """Put keyring and files in place; the paths. Raises PortalError."""
    files = {piece["path"]: piece["text"].encode() for piece in pieces if piece["kind"] == "file"}
    if not files or not all(machine.is_path(path) for path in files):
        raise PortalError(
            REFUSED, "This format is no file of a package manager: leave out --write to read it."
        )
    for text in list(files.values()):
        for path in KEYRING.findall(text.decode() + "\n"):
            kind = "armored" if path.endswith(".asc") else "binary"
            files = {path: asking.fetch(settings, _path(found["keyring"][kind])), **files}
    for path, content in files.items():
        _put(root / path.lstrip("/"), content)
    return list(files)


def _path(address: str) -> str:
    """The place of an address at the portal that was asked: no other one is trusted for keys."""
    return urllib.parse.urlsplit(address).path


def _put(target: Path, content: bytes) -> None:
    """Whole or not at all."""
    part = target.with_name(f".{target.name}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.chmod(0o644)
        os.replace(part, target)
    except OSError as error:
        raise PortalError(
            UNREADABLE, f"{target} cannot be written: {error.strerror}. Run it as root, with sudo."
        ) from None


def tell(found: Any, pieces: List[Dict[str, str]], written: List[str]) -> None:
    """What was done, and what to do next."""
    print(f"{found['package']} {found['installs']} for {found['distribution']['name']}:")
    for path in written:
        print(f"  wrote {path}")
    for key in found["keys"]:
        print(f"  key   {key['fingerprint']}")
    if found["is_ended"]:
        print("  This series gets no more fixes: choose a newer one with --series.")
    for piece in pieces:
        if piece["kind"] == "install":
            print("Next:\n" + "\n".join(f"  {line}" for line in piece["text"].splitlines()))
