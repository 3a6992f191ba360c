"""The metadata of a YUM repository, written and read again."""

from __future__ import annotations

import datetime as dt

import pytest

from releases.repository import yum
from releases.repository.apt import Known

DATE = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
PRIMARY = (
    '<package type="rpm"><name>a</name><arch>noarch</arch><version epoch="1" ver="2" rel="3"/>'
    '<checksum type="sha256" pkgid="YES">ab</checksum><size package="5" installed="6" archive="7"/>'
    '<location href="packages/a/a-2-3.noarch.rpm"/></package>\n'
)
OTHER = '<package pkgid="ab" name="a" arch="noarch"><version epoch="0" ver="2" rel="3"/></package>'


def test_repomd_lists_each_index_under_its_checksum() -> None:
    index = yum.Listed("other", "ab" * 32, 7, "cd" * 32, 9)
    assert index.path == f"repodata/{'ab' * 32}-other.xml.gz"
    revision, stamp, paths = yum.read_repomd(yum.repomd(7, DATE, [index]))
    assert (revision, stamp, dict(paths)) == (7, int(DATE.timestamp()), {index.path: index.sha256})


def test_fragments_are_read_again() -> None:
    (primary,) = yum.read_fragments("primary", PRIMARY.encode())
    assert primary == Known("a", "1:2-3", "noarch", "packages/a/a-2-3.noarch.rpm", 5, "ab")
    (other,) = yum.read_fragments("other", OTHER.encode())
    assert other == Known("a", "2-3", "noarch", "", 0, "ab")


@pytest.mark.parametrize(
    "text", [b"<package>", b"<package/>", OTHER.replace("pkgid", "id").encode()]
)
def test_what_is_no_metadata_is_refused(text: bytes) -> None:
    with pytest.raises(ValueError, match="not other metadata"):
        list(yum.read_fragments("other", text))
