"""Private words in uploads: hosts, users, paths and passwords go before anything is stored. Pure.

Benchmark tools keep command lines and the name of the machine. What can be known by its form is
replaced by a word in angle brackets; a path leaves its last part, which names the program.
"""

from __future__ import annotations

import re
from typing import Any, Final

from benchmarks.documents import are_numbers

PRIVATE_KEYS: Final = frozenset(
    {
        *("host", "host_name", "hostname", "node", "remote_host", "user", "user_name", "username"),
        *("login", "home", "cwd", "pwd", "working_directory", "author_name", "author_email"),
        *("password", "passwd", "secret", "token"),
    }
)
_SECRET: Final = re.compile(r"password|passwd|_pwd\b|secret|token|api_?key|credential")
_LOCAL: Final = r"localhost\b|127\.0\.0\.1\b|::1\b|\[::1\]"
_VALUE: Final = r"""(?:"[^"]*"|'[^']*'|[^\s'"]+)"""
_RULES: Final[tuple[tuple[re.Pattern[str], str], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE if "(?#i)" in pattern else 0), replacement)
    for pattern, replacement in (
        # a URL with credentials, then the host of any database address
        (r"((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://)[^\s/@'\"]{1,512}@", r"\1"),
        (
            rf"\b((?:jdbc:)?(?:mysql|mariadb|postgres(?:ql)?)://)(?!{_LOCAL})[^\s/:?'\"]+",
            r"\1<host>",
        ),
        # user@host of ssh and friends; name@1.2 is a version
        (
            r"(?<![\w.:/@+-])[\w.+-]{1,64}@(?:[A-Za-z][\w-]*(?:\.[\w-]+)*|(?:\d+\.){3}\d+)(?![\w.@/])",
            "<user>@<host>",
        ),
        (
            rf"(?#i)(--?(?:password|passwd|pass|secret|token|api-?key|auth)(?:=|\s+)){_VALUE}",
            r"\1<password>",
        ),
        (
            rf"(?#i)(\b\w*(?:password|passwd|_pwd|secret|token|api_?key)\s*=\s*){_VALUE}",
            r"\1<password>",
        ),
        # passwords of other programs, and where ssh goes
        (rf"(\bsshpass\s+-p\s*){_VALUE}", r"\1<password>"),
        (r"((?<=\s)-u\s+)[^\s:'\"<]{1,64}:[^\s'\"]+", r"\1<user>:<password>"),
        (r"(\bssh\s+(?:-[a-zA-Z]+\s+){0,5})[A-Za-z0-9][\w.-]{0,200}(?![\w.@-])", r"\1<host>"),
        (r"(?#i)(authorization:\s*\w+\s+)[^\s'\"]+", r"\1<password>"),
        (rf"(?#i)(--user(?:name)?(?:=|\s+)|\b(?:user|username|uid)=){_VALUE}", r"\1<user>"),
        (rf"(?#i)(--host(?:name)?(?:=|\s+)|\bhost=)(?!{_LOCAL}){_VALUE}", r"\1<host>"),
    )
)
# the short options of database clients; of other programs -p and -h mean other things
_CLIENT: Final = re.compile(r"\b(?:mariadb|mysql|psql|sysbench)\w*(?:-\w+)*\b")
_SHORT: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(rf"(?<=\s)-p(?!\s|$){_VALUE}"), "-p<password>"),
    (re.compile(rf"(?<=\s)-u\s*{_VALUE}"), "-u<user>"),
    (re.compile(rf"(?<=\s)-h\s*(?!{_LOCAL}){_VALUE}"), "-h<host>"),
)
_PATH: Final = re.compile(
    r"""(?<![\w.:/@<\\-])(?:file://)?(?:~[\w.-]*|\.{1,2}|[A-Za-z]:)?(?:[/\\][^\s'"=:;,|<>()/\\]+)+[/\\]?"""
    r"""|(?<=[\w]=)(?:~[\w.-]*)?(?:/[^\s'"=:;,|<>()/]+)+/?"""
    r"""|(?<=-[A-Z])(?:/[^\s'"=:;,|<>()/]+)+/?|(?<=[:])(?:/[^\s'"=:;,|<>()/]+){2,}/?"""
)


def clean(text: str) -> str:
    """``text`` without private words.

    >>> clean("/home/eve/bin/mariadb -ueve -psecret -h db7.example.org -e 'DO 1'")
    "mariadb -u<user> -p<password> -h<host> -e 'DO 1'"
    """
    if _CLIENT.search(text):
        for pattern, replacement in _SHORT:
            text = pattern.sub(replacement, text)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return _PATH.sub(_last_part, text)


def cleaned(value: Any) -> Any:
    """JSON with every string cleaned, and what stands under a private name taken out."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return value if are_numbers(value) else [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {
            key: "<removed>"
            if isinstance(item, str) and _is_private(key.lower())
            else cleaned(item)
            for key, item in value.items()
        }
    return value


def _is_private(key: str) -> bool:
    """A name of a private thing, or one that holds the word of a secret: "MYSQL_PWD"."""
    return key in PRIVATE_KEYS or _SECRET.search(key) is not None


def _last_part(match: re.Match[str]) -> str:
    return re.split(r"[/\\]", match[0].rstrip("/\\"))[-1]
