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
    executed = evidence.get("stmt_execute_per_op")
    asked = params.get("prepare") == "server"
    return asked and isinstance(executed, int | float) and executed < EXECUTED
