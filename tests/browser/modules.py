"""The modules of `static/js/` in a browser, without the site: served as files, called by name."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Error, Page

STATIC: Final = Path(__file__).resolve().parent.parent.parent / "static"
BLANK: Final = "/vendor/README.md"  # any file: its origin is what is needed

# Bytes and big numbers come and go as objects, since JSON knows neither.
CALL: Final = """
async ([module, name, values]) => {
  const each = (turn) => (v) => Array.isArray(v) ? v.map(turn)
    : Object.fromEntries(Object.entries(v).map(([k, w]) => [k, turn(w)]));
  const plain = (v) => v instanceof Uint8Array ? {bytes: Array.from(v)}
    : typeof v === 'bigint' ? {number: v.toString()}
    : v && typeof v === 'object' ? each(plain)(v) : v;
  const rich = (v) => !v || typeof v !== 'object' ? v
    : 'bytes' in v ? Uint8Array.from(v.bytes)
    : 'number' in v ? BigInt(v.number) : each(rich)(v);
  const found = (await import(`/js/election/${module}.js`))[name];
  return plain(typeof found === 'function' ? await found(...values.map(rich)) : found);
}
"""


class Number(int):
    """A number that a module takes as a BigInt."""


class Modules:
    """`modules("sharing", "split", Number(5), {"needed": 2, "shares": 3})`."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def __call__(self, module: str, name: str, *values: Any) -> Any:
        return _rich(self.page.evaluate(CALL, [module, name, [_plain(value) for value in values]]))

    def refuses(self, module: str, name: str, *values: Any, match: str | None = None) -> None:
        with pytest.raises(Error, match=match):
            self(module, name, *values)


@contextmanager
def opened(browser: Browser) -> Iterator[Modules]:
    handler = partial(Quiet, directory=str(STATIC))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    page = browser.new_page()
    try:
        page.goto(f"http://127.0.0.1:{server.server_port}{BLANK}")
        yield Modules(page)
    finally:
        page.close()
        server.shutdown()
        server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    """Files, without a line in the log for each."""

    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".md": "text/plain",
    }

    def log_message(self, *args: Any) -> None:
        pass


def _plain(value: Any) -> Any:
    match value:
        case bytes():
            return {"bytes": list(value)}
        case Number():
            return {"number": str(int(value))}
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
    return value


def _rich(value: Any) -> Any:
    match value:
        case {"bytes": list(found)}:
            return bytes(found)
        case {"number": str(digits)}:
            return int(digits)
        case dict():
            return {key: _rich(each) for key, each in value.items()}
        case list():
            return [_rich(each) for each in value]
    return value
