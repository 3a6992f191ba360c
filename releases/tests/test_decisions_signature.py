"""The signer signs lists of decisions with a key of their own, and only such as were added to."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from contextlib import nullcontext
from pathlib import Path
from threading import Thread
from typing import Any

import pysequoia
import pytest

from releases import decisions
from releases.signer import key
from releases.signer.desk import Server
from releases.signer.local import LocalSigner, secret_of
from releases.signing import SigningRefusedError, SocketSigner

NOW = dt.datetime.now(dt.UTC).replace(microsecond=0)
SECOND = dt.timedelta(seconds=1)


def listed(*things: str, at: dt.datetime = NOW, **changes: Any) -> bytes:
    """A list of decisions, one record for each thing."""
    digests = [hashlib.sha256(thing.encode()).hexdigest() for thing in things]
    records = [{"number": n, "sha256": sha256} for n, sha256 in enumerate(digests, start=1)]
    head = [*decisions.heads(digests), ""][len(digests) - 1]
    whole = {"kind": "decisions", "date": at.isoformat(), "size": len(things), "head": head}
    return json.dumps(whole | {"records": records} | changes).encode()


def test_a_list_is_signed_with_a_key_that_signs_nothing_else(
    signer: LocalSigner, tmp_path: Path
) -> None:
    data = listed("one", "two")
    with Server(tmp_path / "sock", signer.office) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        signature = SocketSigner(tmp_path / "sock").sign_decisions(data)
        server.shutdown()
    read = pysequoia.Sig.from_bytes(signature.encode())
    for public in signer.public_keys():
        own = pysequoia.Cert.from_bytes(public.binary)
        with pytest.raises(Exception, match=r".") if public.name != "decisions" else nullcontext():
            pysequoia.verify(data, store=lambda ids, own=own: [own], signature=read)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"some file", "no list of decisions"),
        (b"\xff", "no list of decisions"),
        (b"[]", "no list of decisions"),
        (b'{"kind": "decisions", "kind": "x"}', "twice"),
        (listed("one", "two", "three", kind="other"), "another kind"),
        (listed("one", "two", "three", date="2026-01-01T00:00:00"), "cannot be compared"),
        (listed("one", "two", "three", size=2), "its head is not"),
        (listed("one", "two", "three", head="0" * 64), "its head is not"),
        (listed("one", "two", "three", records=[]), "not numbered from 1"),
        (listed("one", "two", "three", records=[{"number": 1, "sha256": "x"}]), "not a SHA-256"),
        (listed("one", "three", "two"), "earlier decisions never change"),
        (listed("other", "two"), "earlier decisions never change"),
        (listed("one"), "serial 1 does not follow 2"),
        (listed("one", "two", "three", at=NOW - SECOND), "not later"),
        (listed("one", "two", "three", at=NOW + 9000 * SECOND), "in the future"),
    ],
)
def test_a_list_that_is_none_or_tells_another_past_is_refused(
    signer: LocalSigner, data: bytes, reason: str
) -> None:
    assert signer.sign_decisions(listed("one", "two"))
    with pytest.raises(SigningRefusedError, match=reason):
        signer.sign_decisions(data)
    assert signer.sign_decisions(listed("one", "two")), "the same again, after a crash"
    assert signer.sign_decisions(listed("one", "two", more="words")), "beside another checker"
    assert signer.sign_decisions(listed("one", "two", "three"))


def test_the_past_is_remembered_after_a_restart(signer: LocalSigner, tmp_path: Path) -> None:
    signer.sign_decisions(listed("one"))
    signer.office.close()
    signer.open_log(tmp_path / "signer")
    with pytest.raises(SigningRefusedError, match="never change"):
        signer.sign_decisions(listed("other", "two"))


def test_a_key_that_the_checker_cannot_read_is_refused(signer: LocalSigner) -> None:
    with pytest.raises(key.KeyRefusedError, match="Ed25519"):
        key.add(
            signer.register,
            name="rsa",
            user_id="",
            secret=secret_of("RSA"),
            scope="decisions",
            for_files=True,
        )
