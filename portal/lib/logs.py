"""Lines of the log: for people, or one JSON object a line, and never with a secret in them.

Each line of a request, and of the tasks that it started, has the id of the request
(portal/request_id.py). This module knows no Django: the receiver, the door, the signer and the
offices use it too.
"""

import ipaddress
import json
import logging
import os
import re
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
LINE = "%(asctime)s %(levelname)s %(name)s %(message)s"

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
IN_URL = re.compile(r"(?<=://)[^/\s@]*@")  # who signs in to a server, with the password
BEARER = re.compile(r"(?i)(?<=bearer )\S+|(?<=basic )[A-Za-z0-9+/=]{8,}")
OURS = re.compile(r"\b(?:fp_[\w-]{20,}|sk_(?:live|test)_\w+|rk_(?:live|test)_\w+|whsec_\w+)")
NAMED = re.compile(
    r"""(?ix)(?<![a-z])((?:password|passwd|secret|token|csrfmiddlewaretoken|sessionid|api_key|pepper)
    ["']?\s*[=:]\s*["']?)[^\s"'&;,]+"""
)
IPV4 = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
IPV6 = re.compile(r"(?<![\w:])[0-9a-fA-F]{1,4}(?::{1,2}[0-9a-fA-F]{1,4}){3,7}(?![\w:])")


def without_secrets(text: str) -> str:
    """The text without addresses of people, passwords and tokens.

    >>> without_secrets("mail to zoe@example.org: token=abc from 8.8.8.8")
    'mail to <address>: token=<secret> from <address>'
    """
    text = IN_URL.sub("<secret>@", text)
    text = EMAIL.sub("<address>", text)
    text = BEARER.sub("<secret>", text)
    text = OURS.sub("<secret>", text)
    text = NAMED.sub(r"\1<secret>", text)
    return IPV6.sub(_unless_ours, IPV4.sub(_unless_ours, text))


def _unless_ours(found: re.Match[str]) -> str:
    """Addresses of our own machines say what is broken; those of visitors are not kept."""
    try:
        return "<address>" if ipaddress.ip_address(found[0]).is_global else found[0]
    except ValueError:
        return found[0]


class LineFormatter(logging.Formatter):
    """For people: time, level, logger, message, and the request in brackets."""

    def __init__(self) -> None:
        super().__init__(LINE)

    def format(self, record: logging.LogRecord) -> str:
        request = REQUEST_ID.get()
        line = without_secrets(super().format(record))
        return f"{line} [{request}]" if request else line


class JsonFormatter(logging.Formatter):
    """Time, level, logger, message, the request, what the record tells beside its message, and the
    traceback where there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if request := REQUEST_ID.get():
            line["request"] = request
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["traceback"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def chosen() -> logging.Formatter:
    """The one that LOG_FORMAT names."""
    return JsonFormatter() if os.environ.get("LOG_FORMAT", "line") == "json" else LineFormatter()


def begin(level: int = logging.INFO) -> None:
    """For a process without Django: lines on its standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(chosen())
    logging.basicConfig(level=level, handlers=[handler])
