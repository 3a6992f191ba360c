"""On which rung an upload stands before anybody has reproduced it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmarks.documents import Document, Measured

RUNNER: Final = "connector-bench"  # as `benchmarks.runner` calls itself
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

    The name of a program is a claim; hash and evidence are what a claim must bring along. The
    counters of a measurement stand at one of its results, and are good for the others, such as
    the processor time.
    """
    seen = {_measurement(one) for one in document.results if _has_evidence(one)}
    return (
        document.format == "native"
        and document.tool.get("name") == RUNNER
        and _is_this_suite(document, suite_hash, case_hashes)
        and all(one.error or _measurement(one) in seen for one in document.results)
    )


def _is_this_suite(document: Document, suite_hash: str, case_hashes: Mapping[str, str]) -> bool:
    """By the hash of the suite, or by that of each case; neither may say otherwise."""
    told = document.tool.get("suite_sha256")
    if told and told != suite_hash:
        return False
    return all(
        one.case in case_hashes
        and (one.case_sha256 == case_hashes[one.case] or (told and not one.case_sha256))
        for one in document.results
    )


def _measurement(one: Measured) -> tuple[object, ...]:
    return one.case, one.subject, tuple(sorted((k, str(v)) for k, v in one.params.items()))


def _has_evidence(one: Measured) -> bool:
    """An embedded server has no wire to count on; its answer must have been checked."""
    if one.params.get("transport") == "embedded":
        return bool(one.evidence.get("result_check"))
    return "questions_per_op" in one.evidence
