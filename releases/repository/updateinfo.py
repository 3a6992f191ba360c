"""Writing updateinfo.xml of a YUM repository: which packages of it fix what. Pure.

`dnf updateinfo` and `dnf update --security` read it; severities are the words that dnf knows.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
CONTROL: Final = dict.fromkeys(n for n in range(32) if chr(n) not in "\t\n\r")
CVE_PAGE: Final = "https://www.cve.org/CVERecord?id="


@dataclass(frozen=True, slots=True)
class Fix:
    """An rpm of the repository that has the fix; `path` is its name below the root."""

    name: str
    epoch: str
    version: str
    release: str
    architecture: str
    path: str
    sha256: str

    @classmethod
    def of(cls, name: str, full_version: str, architecture: str, path: str, sha256: str) -> Fix:
        """From a version such as "1:12.3.1-1.el9"; no epoch is 0."""
        epoch, _, rest = full_version.rpartition(":")
        version, _, release = rest.rpartition("-")
        return cls(name, epoch or "0", version, release, architecture, path, sha256)


@dataclass(frozen=True, slots=True)
class Notice:
    """An advisory with the packages of one repository that fix it; `version` is its revision."""

    identifier: str
    title: str
    severity: str
    issued: dt.datetime
    updated: dt.datetime
    description: str
    address: str
    cve_ids: Sequence[str]
    fixes: Sequence[Fix]
    version: int = 1


def write(notices: Iterable[Notice], *, sender: str, collection: str) -> str:
    """The whole file. The same notices in the same order give the same text."""
    body = "".join(_update(notice, sender, collection) for notice in notices)
    return f"{DECLARATION}<updates>\n{body}</updates>\n"


def _update(notice: Notice, sender: str, collection: str) -> str:
    references = [_reference(notice.address, notice.identifier, "self")]
    references += [_reference(f"{CVE_PAGE}{cve}", cve, "cve") for cve in notice.cve_ids]
    return (
        f'  <update from={_quoted(sender)} status="final" type="security"'
        f' version="{notice.version}">\n'
        f"    <id>{_text(notice.identifier)}</id>\n"
        f"    <title>{_text(notice.title)}</title>\n"
        f"    <severity>{_text(notice.severity)}</severity>\n"
        f'    <issued date="{_date(notice.issued)}"/>\n'
        f'    <updated date="{_date(notice.updated)}"/>\n'
        f"    <references>\n{''.join(references)}    </references>\n"
        f"    <description>{_text(notice.description)}</description>\n"
        f"    <pkglist>\n      <collection short={_quoted(collection)}>\n"
        f"        <name>{_text(collection)}</name>\n"
        f"{''.join(_package(fix) for fix in notice.fixes)}"
        "      </collection>\n    </pkglist>\n  </update>\n"
    )


def _reference(address: str, identifier: str, kind: str) -> str:
    name = _quoted(identifier)
    return f'      <reference href={_quoted(address)} id={name} type="{kind}" title={name}/>\n'


def _package(fix: Fix) -> str:
    return (
        f"        <package name={_quoted(fix.name)} epoch={_quoted(fix.epoch)}"
        f" version={_quoted(fix.version)} release={_quoted(fix.release)}"
        f' arch={_quoted(fix.architecture)} src="">\n'
        f"          <filename>{_text(fix.path.rpartition('/')[2])}</filename>\n"
        f'          <sum type="sha256">{_text(fix.sha256)}</sum>\n'
        "        </package>\n"
    )


def _date(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S")


def _text(value: str) -> str:
    """Text without the control characters that XML cannot hold."""
    return escape(value.translate(CONTROL))


def _quoted(value: str) -> str:
    return quoteattr(value.translate(CONTROL))
