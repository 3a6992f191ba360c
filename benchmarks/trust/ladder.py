"""On which rung an upload stands before anybody has reproduced it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmarks.documents import Document, Measured

RUNNERS: Final = frozenset({"benchmarks.runner", "portal benchmark runner"})
ANONYMOUS, SIGNED_IN, SIGNED, OUR_RUNNER = 1, 2, 3, 4


def rung(
    document: Document,
    *,
    suite_hash: str,
    case_hashes: Mapping[str, str],
    has_account: bool,
    is_signed: bool,
) -> int:
    """The rung of a new run; each rung asks for a person behind the numbers."""
    if not has_account:
        return ANONYMOUS
    if is_ours(document, suite_hash=suite_hash, case_hashes=case_hashes):
        return OUR_RUNNER
    return SIGNED if is_signed else SIGNED_IN


def is_ours(document: Document, *, suite_hash: str, case_hashes: Mapping[str, str]) -> bool:
    """Written by our runner, of this suite as it is defined now, with the counters of the server.

    The name of a program is a claim; hash and evidence are what a claim must bring along.
    """
    tool = document.tool
    return (
        document.format == "native"
        and tool.get("name") in RUNNERS
        and tool.get("suite_sha256") == suite_hash
        and all(_is_defined(one, case_hashes) for one in document.results)
        and all(_has_evidence(one) for one in document.results if not one.error)
    )


def _is_defined(one: Measured, case_hashes: Mapping[str, str]) -> bool:
    known = case_hashes.get(one.case)
    return known is not None and one.case_sha256 in {"", known}


def _has_evidence(one: Measured) -> bool:
    """An embedded server has no wire to count on; its answer must have been checked."""
    if one.params.get("transport") == "embedded":
        return bool(one.evidence.get("result_check"))
    return "questions_per_op" in one.evidence
