"""The constant answers. A server writes what stands between <h1> and </h1> into its error log."""

from __future__ import annotations

from typing import Final

LIMIT: Final = 1023  # bytes of an answer that the server reads, headers included


def reply(status: str, text: str, kind: str = "text/html") -> bytes:
    """A whole HTTP answer that ends the connection."""
    body = text.encode()
    head = (
        f"HTTP/1.1 {status}\r\n"
        f"Content-Type: {kind}; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\n"
        "Cache-Control: no-store\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body


OK: Final = reply("200 OK", "<h1>ok</h1>")
LIVE: Final = reply("200 OK", "live\n", "text/plain")
TOO_LARGE: Final = reply(
    "413 Content Too Large", "<h1>refused: the report is larger than 256 kB</h1>"
)
MALFORMED: Final = reply("400 Bad Request", "<h1>refused: this is not a feedback report</h1>")
TOO_OFTEN: Final = reply(
    "429 Too Many Requests", "<h1>refused: this server has sent too many reports</h1>"
)
NETWORK: Final = reply(
    "429 Too Many Requests", "<h1>refused: this network has sent too many reports</h1>"
)
STRANGER: Final = reply(
    "429 Too Many Requests", "<h1>refused: too many new servers in this network today</h1>"
)
NOT_HERE: Final = reply("404 Not Found", "Reports are posted to /rest/v1/post\n", "text/plain")
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


def ok_with_code(code: str) -> bytes:
    """For people who post a file: the code that deletes it again."""
    return reply("200 OK", f"<h1>ok, deletion code {code}</h1>\n")
