"""What a server is asked, and the report that comes of it."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from .packets import ServerError
from .talk import Account, Row, Talk, Tls, ask, sign_in

# The length of the one row is ours to say: cut off, a report would be half.
_LONG: Final = "SET STATEMENT group_concat_max_len = 4194304 FOR "
# Tab and line feed by their numbers: a server may take a backslash for a backslash.
_PAIRS: Final = "group_concat(variable_name, 0x09, variable_value SEPARATOR 0x0a)"
_VERSIONS: Final = "group_concat(plugin_name, ' version', 0x09, plugin_version SEPARATOR 0x0a)"
PLUGIN: Final = f"{_LONG}SELECT {_PAIRS} FROM information_schema.feedback"  # noqa: S608  (constants)

# Where the plugin is off: numbers and switches alone, so that no name leaves the server.
_PLAIN: Final = "variable_value REGEXP '^(-?[0-9.]+|ON|OFF|YES|NO|DISABLED|ROW|MIXED|STATEMENT)$'"
_NAMED: Final = "'version', 'version_compile_machine', 'version_compile_os', 'collation_server'"
_NAMED_TOO: Final = "'character_set_server', 'thread_handling', 'tx_isolation', 'sql_mode'"
STATUS: Final = (
    f"{_LONG}SELECT {_PAIRS} FROM information_schema.global_status"  # noqa: S608
    f" WHERE {_PLAIN}"
)
VARIABLES: Final = (
    f"{_LONG}SELECT {_PAIRS} FROM information_schema.global_variables"  # noqa: S608
    f" WHERE {_PLAIN} OR variable_name IN ({_NAMED}, {_NAMED_TOO})"
)
PLUGINS: Final = (
    f"{_LONG}SELECT {_VERSIONS} FROM information_schema.plugins"  # noqa: S608
    " WHERE plugin_status = 'ACTIVE'"
)
IDENTITY: Final = "SELECT @@global.hostname, @@global.port, @@global.datadir"
OWN_IDENTITY: Final = "SELECT @@global.server_uid"
_NO_SUCH_TABLE: Final = {1109, 1146}
_NO_SUCH_VARIABLE: Final = 1193


class NothingSaidError(Exception):
    """The account may not see what it asked for."""


def report_of(account: Account, tls: Tls) -> Talk[str]:
    """The report that the server would send; without the plugin, what it says otherwise."""
    yield from sign_in(account, tls)
    try:
        text = _text((yield from ask(PLUGIN)))
    except ServerError as error:
        if error.number not in _NO_SUCH_TABLE:
            raise
        return (yield from _without_plugin())
    if not text:
        raise NothingSaidError("the account may not see the report: GRANT PROCESS ON *.* TO it")
    return text + "\n"


def _without_plugin() -> Talk[str]:
    variables = _text((yield from ask(VARIABLES)))
    status = _text((yield from ask(STATUS)))
    plugins = _text((yield from ask(PLUGINS)))
    identity = yield from _identity()
    return "\n".join([f"FEEDBACK_SERVER_UID\t{identity}", variables, status, plugins, ""])


def _identity() -> Talk[str]:
    """The number that the server has for itself, or one made of where it stands."""
    try:
        return _text((yield from ask(OWN_IDENTITY)))
    except ServerError as error:
        if error.number != _NO_SUCH_VARIABLE:
            raise
    [row] = yield from ask(IDENTITY)
    place = b"\0".join(value or b"" for value in row)
    return base64.b64encode(hashlib.sha1(place, usedforsecurity=False).digest()).decode()


def _text(rows: list[Row]) -> str:
    """The one value of a result."""
    value = rows[0][0] if rows and rows[0] else None
    return (value or b"").decode(errors="replace")
