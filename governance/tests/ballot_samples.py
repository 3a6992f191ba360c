"""Where the pages of keys, ballots and results stand, with the demonstration data loaded."""

from collections.abc import Callable

from django.urls import reverse

from governance.demonstrations.confidential import DECLARED
from governance.demonstrations.sealed import COUNTED, OPEN


def _of(election: str, name: str, *more: object) -> Callable[[], str]:
    return lambda: reverse(f"governance:{name}", args=[election, *more])


SAMPLES = {
    "governance:election_keys": _of(OPEN, "election_keys"),
    "governance:key_deal": _of(OPEN, "key_deal"),
    "governance:key_act": _of(OPEN, "key_act", "officer", 1, "make"),
    "governance:manifest_write": _of(OPEN, "manifest_write"),
    "governance:manifest_take_back": _of(OPEN, "manifest_take_back"),
    "governance:vote": _of(OPEN, "vote"),
    "governance:credential": _of(OPEN, "credential"),
    "governance:ballots": _of(OPEN, "ballots"),
    "governance:ballot_found": _of(OPEN, "ballot_found", "a" * 64),
    "governance:election_blocks": _of(COUNTED, "election_blocks"),
    "governance:election_manifest": _of(COUNTED, "election_manifest"),
    "governance:manifest_page": _of(COUNTED, "manifest_page"),
    "governance:result": _of(COUNTED, "result"),
    "governance:election_declare": _of(COUNTED, "election_declare"),
    "governance:result_json": _of(COUNTED, "result_json"),
    "governance:bundle_zip": _of(COUNTED, "bundle_zip"),
    "governance:result_what_if": _of(COUNTED, "result_what_if", "contributors"),
    "governance:result_countback": _of(DECLARED, "result_countback", "contributors"),
    "governance:result_stages": _of(COUNTED, "result_stages", "contributors"),
    "governance:result_papers": _of(COUNTED, "result_papers", "contributors", "blt"),
}
