"""What the server itself saw, against what was asked for. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

EXECUTED: Final = 0.5  # of the operations, before a statement counts as prepared on the server


def claimed_prepared(params: Mapping[str, Any], evidence: Mapping[str, Any]) -> bool:
    """Preparation on the server was asked for, and its counters saw text.

    >>> claimed_prepared({"prepare": "server"}, {"stmt_execute_per_op": 0.0})
    True
    """
    return params.get("prepare") == "server" and _was_prepared(evidence) is False


def claimed_text(params: Mapping[str, Any], evidence: Mapping[str, Any]) -> bool:
    """Something else was asked for, and the server's counters saw prepared statements.

    >>> claimed_text({"prepare": "client"}, {"stmt_execute_per_op": 1.0})
    True
    """
    return params.get("prepare", "server") != "server" and _was_prepared(evidence) is True


def _was_prepared(evidence: Mapping[str, Any]) -> bool | None:
    """What the server saw; None where it did not count."""
    executed = evidence.get("stmt_execute_per_op")
    return executed >= EXECUTED if isinstance(executed, int | float) else None
