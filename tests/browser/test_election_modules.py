"""What a browser makes for an election, read by the portal's own code; and the other way round."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Browser

from governance.sealed import ballot, blind, board, envelope, manifest, paper, sharing, wire
from governance.sealed.wire import to_bytes, to_text
from governance.tally import schulze
from governance.tests import sealed_election as made
from tests.browser.modules import Modules, Number, opened

VECTOR = json.loads(
    (Path(manifest.__file__).parent.parent / "tests/vectors/rfc9474_randomized.json").read_text()
)
CONTEST = made.MEMBERS
BOUND = b"2026-board/share/2"


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Modules]:
    with opened(browser) as found:
        yield found


def jwk(key: ec.EllipticCurvePrivateKey) -> dict[str, str]:
    numbers = key.private_numbers()
    public = numbers.public_numbers
    names = {"x": public.x, "y": public.y, "d": numbers.private_value}
    texts = {name: to_text(value.to_bytes(32)) for name, value in names.items()}
    return {"kty": "EC", "crv": "P-256", **texts}


def key_of(found: dict[str, str]) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(to_bytes(found["d"])), envelope.CURVE)


def der(contest: str = CONTEST) -> str:
    public = made.registrar_key(contest).public_key()
    return to_text(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


# --- bytes ---


def test_bytes_are_written_as_the_portal_writes_them(modules: Modules) -> None:
    for data in (b"", b"\x00", b"\xff\xfe\xfd", bytes(range(256))):
        assert modules("bytes", "toText", data) == to_text(data)
        assert modules("bytes", "toBytes", to_text(data)) == data
        assert modules("bytes", "toHex", data) == data.hex()
        assert modules("bytes", "fromHex", data.hex()) == data
        assert modules("bytes", "toNumber", data) == int.from_bytes(data)
        assert modules("bytes", "sha256", data) == sha256(data).hexdigest()
    assert modules("bytes", "framed", b"ab", b"", b"c") == ballot._framed(b"ab", b"", b"c")
    assert modules("bytes", "fromNumber", Number(258), 4) == b"\x00\x00\x01\x02"


@pytest.mark.parametrize("text", ["A", "AA==", "AB", "a b", "+/", "é", None, 5])
def test_what_the_portal_would_not_read_is_not_read(modules: Modules, text: Any) -> None:
    modules.refuses("bytes", "toBytes", text)


def test_a_number_that_does_not_fit_is_refused(modules: Modules) -> None:
    modules.refuses("bytes", "fromNumber", Number(2**32), 4, match="does not fit")
    modules.refuses("bytes", "fromHex", "abc")


# --- pseudonyms ---


def test_the_vendored_scheme_gives_the_known_answer_of_the_rfc(modules: Modules) -> None:
    """What it draws at random is given: first the salt, then the factor."""
    number = {name: int(VECTOR[name].removeprefix("0x"), 16) for name in ("n", "e", "inv")}
    octets = {
        name: bytes.fromhex(VECTOR[name].removeprefix("0x"))
        for name in ("msg_prefix", "msg", "salt", "blinded_msg", "blind_sig", "sig", "inv")
    }
    public = RSAPublicNumbers(number["e"], number["n"]).public_key()
    key = to_text(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
    factor = pow(number["inv"], -1, number["n"]).to_bytes(len(octets["inv"]))
    prepared = octets["msg_prefix"] + octets["msg"]
    modules("pseudonym", "voterMessage", CONTEST, b"")  # loads the module, which draws too
    modules.page.evaluate(
        """(given) => {
          const drawn = crypto.getRandomValues.bind(crypto);
          crypto.getRandomValues = (into) => {
            into.set(given.shift());
            if (!given.length) crypto.getRandomValues = drawn;
            return into;
          };
        }""",
        [list(octets["salt"]), list(factor)],
    )
    blinded = modules("pseudonym", "blind", key, prepared)
    assert blinded == {"blindedMsg": octets["blinded_msg"], "inv": octets["inv"]}
    signature = modules("pseudonym", "finalize", key, prepared, octets["blind_sig"], octets["inv"])
    assert signature == octets["sig"]
    assert modules("pseudonym", "verify", key, prepared, octets["sig"])
    assert not modules("pseudonym", "verify", key, prepared + b".", octets["sig"])


def voter(modules: Modules, contest: str = CONTEST) -> dict[str, Any]:
    """As the page makes one: begun, signed by the registrar, finished."""
    begun: dict[str, Any] = modules("pseudonym", "begin", contest, der(contest))
    answer = blind.sign(made.registrar_key(contest), to_bytes(begun["blinded"]))
    signature = modules("pseudonym", "finish", contest, der(contest), begun, to_text(answer))
    return {**begun, "registrar_signature": signature}


def test_a_pseudonym_of_the_browser_is_one(modules: Modules) -> None:
    found = voter(modules)
    point = ballot.point_of(key_of(found["key"]))
    message = ballot.voter_message(CONTEST.encode(), point)
    prepared = blind.prepare(message, prefix=to_bytes(found["prefix"]))
    public = made.registrar_key(CONTEST).public_key()
    assert blind.verify(public, prepared, to_bytes(found["registrar_signature"]))
    assert modules("keys", "pointOf", found["key"]) == point
    assert voter(modules)["prefix"] != found["prefix"]


def test_a_registrar_that_answers_something_else_is_found_out(modules: Modules) -> None:
    begun = modules("pseudonym", "begin", CONTEST, der())
    answer = blind.sign(made.registrar_key(CONTEST), to_bytes(begun["blinded"]))
    flipped = answer[:-1] + bytes([answer[-1] ^ 1])
    for wrong in (flipped, answer[1:], b"", blind.sign(made.registrar_key(CONTEST), answer)):
        modules.refuses("pseudonym", "finish", CONTEST, der(), begun, to_text(wrong))
    other = blind.sign(made.registrar_key(made.CONTRIBUTORS), b"\x01" * 384)
    modules.refuses("pseudonym", "finish", CONTEST, der(), begun, to_text(other))
    modules.refuses(
        "pseudonym", "finish", made.CONTRIBUTORS, der(), begun, to_text(answer), match="invalid"
    )


# --- envelopes ---


def test_envelopes_go_both_ways(modules: Modules) -> None:
    key = ec.generate_private_key(envelope.CURVE)
    point = ballot.point_of(key)
    for text in (b"", b"\x01\x02", b"x" * 62):
        theirs = modules("envelope", "seal", text, {"to": point, "bound": BOUND, "size": 64})
        assert len(theirs) == 64 + envelope.overhead()
        assert envelope.open_envelope(theirs, key=key, bound=BOUND) == text
        ours = envelope.seal(text, to=key.public_key(), bound=BOUND, size=64)
        assert modules("envelope", "openEnvelope", ours, {"key": jwk(key), "bound": BOUND}) == text


def test_an_envelope_that_was_touched_is_refused(modules: Modules) -> None:
    key = ec.generate_private_key(envelope.CURVE)
    whole = envelope.seal(b"text", to=key.public_key(), bound=BOUND, size=32)
    options = {"key": jwk(key), "bound": BOUND}
    for place in (0, 1, 40, 64, 65, 76, 77, 90, len(whole) - 1):
        flipped = bytearray(whole)
        flipped[place] ^= 1
        modules.refuses("envelope", "openEnvelope", bytes(flipped), options, match="altered")
    for piece in (b"", whole[:60], whole[:80], whole[:-1]):
        modules.refuses("envelope", "openEnvelope", piece, options, match="altered")
    modules.refuses("envelope", "openEnvelope", whole, {**options, "bound": b"2026-board/share/3"})
    other = {**options, "key": jwk(ec.generate_private_key(envelope.CURVE))}
    modules.refuses("envelope", "openEnvelope", whole, other, match="altered")
    long = {"to": ballot.point_of(key), "bound": BOUND, "size": 32}
    modules.refuses("envelope", "seal", b"x" * 31, long, match="31 bytes, 30 fit")
    modules.refuses("envelope", "seal", b"x", {**long, "to": b"\x04" + b"\x01" * 64})


# --- papers and ballots ---


@pytest.mark.parametrize(
    ("choice", "method", "expected"),
    [
        ({"order": [2, 0]}, "scottish-stv", b"\x02\x00"),
        ({"order": []}, "irv", b""),
        ({"marks": [2, 0]}, "approval", b"\x00\x02"),
        ({"marks": [1]}, "plurality", b"\x01"),
        ({"marks": [1]}, "yes-no", b"\x01"),
        ({"ranks": [1, 255, 0]}, "schulze", b"\x01\xff\x00"),
        ({"ranks": [255, 255, 0]}, "schulze", b""),
    ],
)
def test_a_paper_is_written_as_the_count_reads_it(
    modules: Modules, choice: dict[str, list[int]], method: str, expected: bytes
) -> None:
    rules = {"method": method, "candidates": 3, "seats": 1}
    written = modules("paper", "write", choice, rules)
    assert written == paper.write(expected)
    assert paper.read(written, method=method, candidates=3, seats=1) == expected


@pytest.mark.parametrize(
    ("choice", "method"),
    [
        ({"order": [0, 0]}, "meek-stv"),
        ({"order": [3]}, "irv"),
        ({"order": [0.5]}, "irv"),
        ({"marks": [0, 1]}, "plurality"),
        ({"marks": [0, 1]}, "yes-no"),
        ({"ranks": [1, 2]}, "schulze"),
        ({"ranks": [1, 2, 256]}, "schulze"),
        ({"marks": [0]}, "schulze"),
        ({"order": [0]}, "unheard"),
    ],
)
def test_a_paper_that_could_not_be_counted_is_not_written(
    modules: Modules, choice: dict[str, list[int]], method: str
) -> None:
    modules.refuses("paper", "write", choice, {"method": method, "candidates": 3, "seats": 1})


def test_what_stands_for_no_rank_is_what_the_count_takes_for_it(modules: Modules) -> None:
    assert modules("paper", "UNRANKED") == schulze.UNRANKED
    assert modules("paper", "NO_OPINION") == schulze.NO_OPINION


def test_a_ballot_of_the_browser_counts(modules: Modules) -> None:
    private = made.keys()
    election = made.made(private)
    contest = election.contest(CONTEST)
    who = voter(modules)
    options = {
        "contest": CONTEST,
        "voter": who,
        "sequence": 3,
        "electionKey": election.election_key,
        "candidates": len(contest.candidates),
    }
    text = paper.write(b"\x02\x00")
    cast = modules("ballot", "cast", text, options)
    found = wire.read_ballot(cast["line"].encode())
    assert wire.write_ballot(found) == cast["line"].encode()
    ballot.check(found, contest=contest.name, registrar=contest.registrar, size=contest.size)
    assert (found.digest, found.sequence) == (cast["digest"], 3)
    bound = ballot.bound_to(contest.name, found.pseudonym.point)
    assert envelope.open_envelope(found.envelope, key=private.election, bound=bound) == text
    assert modules("ballot", "digestOf", json.loads(cast["line"])) == found.digest
    modules.refuses("ballot", "cast", text, {**options, "sequence": 0}, match="sequence")
    modules.refuses("ballot", "cast", text, {**options, "sequence": 2**31}, match="sequence")


@pytest.mark.parametrize("candidates", [1, 29, 30, 61, 62, 250])
def test_envelopes_are_as_long_as_the_manifest_says(modules: Modules, candidates: int) -> None:
    contest = made.contest(CONTEST, candidates=candidates)
    assert modules("ballot", "sizeOf", candidates) == contest.size


# --- receipts ---


def test_a_receipt_is_checked(modules: Modules) -> None:
    box, digest = made.keys().box, "ab" * 32
    key = to_text(box.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))
    receipt = to_text(board.receipt(made.NAME, digest, box))
    assert modules("receipt", "isReceipt", made.NAME, digest, receipt, key) is True
    for election, named, signature, of in (
        ("2027-board", digest, receipt, key),
        (made.NAME, "cd" * 32, receipt, key),
        (made.NAME, digest, to_text(bytes(64)), key),
        (made.NAME, digest, "not base64url!", key),
        (made.NAME, digest, receipt, to_text(bytes(31))),
        (made.NAME, digest, receipt, to_text(b"\x01" * 32)),
    ):
        assert modules("receipt", "isReceipt", election, named, signature, of) is False


def test_a_browser_without_that_kind_of_signature_says_so(modules: Modules) -> None:
    modules.page.evaluate(
        """() => {
          const known = crypto.subtle.importKey;
          crypto.subtle.importKey = function (...given) {
            crypto.subtle.importKey = known;
            throw new DOMException("unknown", "NotSupportedError");
          };
        }"""
    )
    assert modules("receipt", "isReceipt", made.NAME, "ab" * 32, "AA", to_text(bytes(32))) is None


# --- the ceremony ---


def share_of(found: dict[str, Any]) -> sharing.Share:
    return sharing.Share(found["place"], found["value"], found["salt"])


def test_a_key_split_in_the_browser_is_put_together_by_the_count(modules: Modules) -> None:
    key = modules("keys", "makeKey", "ECDH")
    secret = modules("keys", "secretOf", key)
    shares = modules("sharing", "split", Number(secret), {"needed": 2, "shares": 3})
    commitments = [modules("sharing", "commitment", plain(share)) for share in shares]
    found = [share_of(share) for share in shares]
    assert [share.commitment for share in found] == commitments
    for some in (found[:2], found[1:], [found[2], found[0]]):
        assert sharing.combine(some, needed=2, commitments=commitments) == secret
    assert ballot.point_of(key_of(key)) == modules("keys", "pointOf", key)


def plain(share: dict[str, Any]) -> dict[str, Any]:
    return {**share, "value": Number(share["value"])}


def test_a_key_split_by_the_portal_is_put_together_in_the_browser(modules: Modules) -> None:
    shares = sharing.split(2**255 + 7, needed=3, shares=4)
    told = [{"place": s.place, "value": Number(s.value), "salt": s.salt} for s in shares]
    options = {"needed": 3, "commitments": [share.commitment for share in shares]}
    assert modules("sharing", "combine", told[1:], options) == 2**255 + 7
    modules.refuses("sharing", "combine", told[:2], options, match="3 shares are needed, 2")
    modules.refuses("sharing", "combine", [told[0]] * 3, options, match="3 shares are needed, 1")
    wrong = {**told[3], "value": Number(shares[3].value ^ 1)}
    modules.refuses("sharing", "combine", [*told[:2], wrong], options, match="share 4 is not")
    data = modules("sharing", "bytesOf", told[0])
    assert sha256(data).hexdigest() == shares[0].commitment
    assert plain(modules("sharing", "shareOf", data)) == told[0]
    modules.refuses("sharing", "shareOf", data[1:], match="no share")


def test_what_cannot_be_split_is_refused(modules: Modules) -> None:
    assert modules("sharing", "ORDER") == sharing.ORDER
    for secret, needed, shares in ((5, 0, 3), (5, 4, 3), (5, 2, 101), (0, 2, 3)):
        options = {"needed": needed, "shares": shares}
        modules.refuses("sharing", "split", Number(secret), options)
    modules.refuses("sharing", "split", Number(sharing.ORDER), {"needed": 1, "shares": 1})


def test_an_officer_signs_the_manifest_in_the_browser(modules: Modules) -> None:
    private = made.keys()
    election = made.made(private)
    text = manifest.write(election)
    signatures = [
        to_bytes(modules("manifest", "signManifest", jwk(key), text)) for key in private.officers
    ]
    manifest.check_signatures(election, text, signatures)
    officer = {"key": election.officers[0].key}
    good = to_text(made.signatures(private, text)[0])
    assert modules("manifest", "isOfficers", officer, good, text) is True
    assert modules("manifest", "isOfficers", officer, good, text + b" ") is False
    second = to_text(made.signatures(private, text)[1])
    assert modules("manifest", "isOfficers", officer, second, text) is False
    assert modules("manifest", "isOfficers", officer, to_text(b"x"), text) is False


def test_a_manifest_is_read_only_if_it_is_the_one_of_the_page(modules: Modules) -> None:
    text = manifest.write(made.made(made.keys()))
    found = modules("manifest", "read", text, manifest.digest(text))
    assert found["digest"] == manifest.digest(text)
    assert modules("manifest", "contestOf", found["manifest"], CONTEST)["id"] == CONTEST
    modules.refuses("manifest", "contestOf", found["manifest"], "2026-board/x", match="not in")
    modules.refuses("manifest", "read", text + b" ", manifest.digest(text), match="another")
    modules.refuses("manifest", "read", b'{"format":"x"}', match="format")
    modules.refuses("manifest", "read", b"\xff")
