"""Plain files that package managers would take for an index or a package header. Pure.

Their detached signature would be good as a Release.gpg or a repomd.xml.asc, so they get none.
"""

from __future__ import annotations

import re
import string
from typing import Final

from releases.repository import yum

HEAD: Final = 4 * 2**20  # how much of a file is looked at
RPM_HEADER_MAGIC: Final = b"\x8e\xad\xe8\x01"
LIST: Final = re.compile(rb"^(MD5Sum|SHA1|SHA256|SHA512)[ \t]*:", re.IGNORECASE | re.MULTILINE)
NAMED: Final = re.compile(
    rb"^(Origin|Label|Suite|Codename|Date)[ \t]*:", re.IGNORECASE | re.MULTILINE
)
XML: Final = re.compile(rb"\0*(\xff\0*\xfe|\xfe\0*\xff)?[\s\0]*<")
REPOMD: Final = re.compile(rb"<([A-Za-z]+:)?repomd[\s/>]")
BOM: Final = b"\xef\xbb\xbf"
WORDS: Final = (b"\nsha", b"\nmd5", b"repomd")  # in what is FOLDED
LONGEST_WORD: Final = max(map(len, WORDS))
FOLDED: Final = bytes.maketrans(
    b"\r" + string.ascii_uppercase.encode(), b"\n" + string.ascii_lowercase.encode()
)
PIECE: Final = 2**18


def lookalike(head: bytes) -> str:
    """What the file that begins with `head` would pass for; mostly nothing. With more than HEAD
    bytes it goes on beyond what is looked at: half of a likeness is enough then.
    """
    if head.startswith(RPM_HEADER_MAGIC):
        return "the header of an rpm"
    goes_on = len(head) > HEAD
    if _holds_a_word(head):
        text = head.removeprefix(BOM).replace(b"\0", b"").replace(b"\r", b"\n")
        if LIST.search(text) and (goes_on or NAMED.search(text)):
            return "the Release of an APT repository"
        if REPOMD.search(text):
            return "the repomd.xml of a YUM repository"
    if (goes_on and XML.match(head.removeprefix(BOM))) or _is_repomd(head):
        return "the repomd.xml of a YUM repository"
    return ""


def _holds_a_word(head: bytes) -> bool:
    """Whether LIST or REPOMD can match at all: asked in pieces that stay in the processor's cache,
    because nearly no file does and their search takes ten times as long.
    """
    before = b"\n"
    for at in range(len(BOM) if head.startswith(BOM) else 0, len(head), PIECE):
        text = before + head[at : at + PIECE].translate(FOLDED, b"\0")
        if any(word in text for word in WORDS):
            return True
        before = text[-LONGEST_WORD:]
    return False


def _is_repomd(head: bytes) -> bool:
    try:
        yum.read_repomd(head)
    except ValueError:
        return False
    return True
