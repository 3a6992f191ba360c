"""Small real packages for the demonstration and tests: each installs one text file."""

from __future__ import annotations

from releases import packaging

MAINTAINER = "Example DB Foundation <packages@example.org>"


def build_deb(
    *, name: str, version: str, architecture: str, summary: str, text: str, stamp: int
) -> bytes:
    """`stamp` (seconds since 1970) is the time of everything inside."""
    return packaging.build_deb(
        name=name,
        version=version,
        architecture=architecture,
        summary=summary,
        files=[_version(name, text)],
        stamp=stamp,
        maintainer=MAINTAINER,
    )


def build_rpm(
    *,
    name: str,
    version: str,
    release: str,
    architecture: str,
    summary: str,
    text: str,
    stamp: int,
) -> bytes:
    """Unsigned."""
    return packaging.build_rpm(
        name=name,
        version=version,
        release=release,
        architecture=architecture,
        summary=summary,
        files=[_version(name, text)],
        stamp=stamp,
    )


def _version(name: str, text: str) -> packaging.PackagedFile:
    return packaging.PackagedFile(f"/usr/share/{name}/VERSION", text.encode())
