"""Plain files that package managers would take for an index or a package header. Pure.

Their detached signature would be good as a Release.gpg or a repomd.xml.asc, so they get none.
"""

from __future__ import annotations

import re
from typing import Final

from releases.repository import yum

HEAD: Final = 4 * 2**20  # how much of a file is looked at
RPM_HEADER_MAGIC: Final = b"\x8e\xad\xe8\x01"
LIST: Final = re.compile(rb"^(MD5Sum|SHA1|SHA256|SHA512)[ \t]*:", re.IGNORECASE | re.MULTILINE)
NAMED: Final = re.compile(
    rb"^(Origin|Label|Suite|Codename|Date)[ \t]*:", re.IGNORECASE | re.MULTILINE
)
XML: Final = re.compile(rb"(\xff\xfe|\xfe\xff)?\s*<")
REPOMD: Final = re.compile(rb"<([A-Za-z]+:)?repomd[\s/>]")


def lookalike(head: bytes) -> str:
    """What the file that begins with `head` would pass for; mostly nothing. With more than HEAD
    bytes it goes on beyond what is looked at: half of a likeness is enough then.
    """
    if head.startswith(RPM_HEADER_MAGIC):
        return "the header of an rpm"
    text = head.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").replace(b"\r", b"\n")
    goes_on = len(head) > HEAD
    if LIST.search(text) and (goes_on or NAMED.search(text)):
        return "the Release of an APT repository"
    if (goes_on and XML.match(text)) or REPOMD.search(text) or _is_repomd(head):
        return "the repomd.xml of a YUM repository"
    return ""


def _is_repomd(head: bytes) -> bool:
    try:
        yum.read_repomd(head)
    except ValueError:
        return False
    return True
