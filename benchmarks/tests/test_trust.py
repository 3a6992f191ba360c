"""What speaks against a number, and on which rung it stands. Pure."""

import base64
import datetime as dt
import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from benchmarks.documents import Document, Measured, Subject
from benchmarks.runner.document import TOOL
from benchmarks.trust import flags, identity, ladder, signatures

NOW = dt.datetime(2026, 11, 22, 12, tzinfo=dt.UTC)
HASH = "a" * 64


def measured(**changed: Any) -> Measured:
    one = Measured(
        place="",
        case="do_1",
        subject=Subject("C"),
        metric="throughput",
        unit="op/s",
        direction="higher",
        samples=[[1.0]],
        evidence={"questions_per_op": 1.0},
    )
    return replace(one, **changed)


def ours(*results: Measured, **tool: str) -> Document:
    told = {"name": ladder.RUNNER, "suite_sha256": HASH, **tool}
    return Document(format="native", results=list(results), tool=told)


@pytest.mark.parametrize(
    ("environment", "order", "found"),
    [
        ({}, "interleaved", []),
        ({"noise": None}, "unknown", []),
        ({}, "sequential", ["sequential"]),
        ({"noise": {"foreign_cpu_share": 0.2, "steal_share": 0.02}}, "interleaved", []),
        ({"noise": {"foreign_cpu_share": 0.21}}, "interleaved", ["foreign_cpu"]),
        ({"noise": {"steal_share": 0.021}}, "interleaved", ["steal"]),
    ],
)
def test_a_noisy_or_sequential_run_says_so(
    environment: dict[str, Any], order: str, found: list[str]
) -> None:
    assert flags.of_run(order=order, environment=environment) == found


def test_a_server_that_is_not_as_it_comes_is_named() -> None:
    variables = {"sync_binlog": 1000, "query_cache_type": "OFF", "innodb_doublewrite": True}
    assert flags.tuned({"server": {"variables": variables}}) == ["sync_binlog=1000"]
    assert flags.tuned({"server": {"variables": {"sync_binlog": None, "x": 7}}}) == []
    assert flags.tuned({"server": None}) == []


@pytest.mark.parametrize(
    ("case", "params", "evidence", "found"),
    [
        ("do_1", {"prepare": "server"}, {"stmt_execute_per_op": 0.0}, ["not_prepared"]),
        ("do_1", {"prepare": "server"}, {"stmt_execute_per_op": 1.0}, []),
        ("do_1", {"prepare": "none"}, {"stmt_execute_per_op": 1.0}, ["was_prepared"]),
        ("do_1", {"prepare": "client"}, {"stmt_execute_per_op": 0.0}, []),
        ("do_1", {}, {"stmt_execute_per_op": 1.0}, []),
        ("do_1", {}, {"questions_per_op": 1.01}, []),
        ("do_1", {}, {"questions_per_op": 2.0}, ["questions"]),
        ("do_1", {}, {"questions_per_op": 0.0}, ["questions"]),
        ("insert_batch", {}, {"questions_per_op": 0.1}, []),
        ("do_1", {"batch": "rewrite"}, {"questions_per_op": 0.1}, []),
        ("do_1", {"prepare": "server"}, {}, []),
    ],
)
def test_the_counters_of_the_server_speak_against_a_claim(
    case: str, params: dict[str, Any], evidence: dict[str, Any], found: list[str]
) -> None:
    assert flags.of_evidence(case, params, evidence) == found


@pytest.mark.parametrize(
    ("case", "unit", "params", "value", "too_fast"),
    [
        ("do_1", "op/s", {}, 300_001, True),
        ("do_1", "op/s", {}, 300_000, False),
        ("do_1", "op/s", {"threads": 4}, 900_000, False),
        ("do_1", "op/s", {"transport": "embedded"}, 900_000, False),
        ("do_1", "op/s", {"pipeline": "yes"}, 900_000, False),
        ("do_1", "op/s", {"pipeline": "off"}, 900_000, True),
        ("do_1", "ns", {}, 3_000, True),
        ("do_1", "us", {}, 4, False),
        ("do_1", "B", {}, 1, False),
        ("select_1", "op/s", {}, 900_000, False),
    ],
)
def test_nothing_goes_to_a_server_and_back_faster_than_the_floor(
    case: str, unit: str, params: dict[str, Any], value: float, too_fast: bool
) -> None:
    assert flags.is_too_fast(case, unit, params, value) is too_fast


def test_far_from_the_others_is_a_robust_z_above_six() -> None:
    others = [100.0, 101.0, 99.0, 102.0, 98.0]
    assert not flags.is_far(108.0, others)
    assert flags.is_far(110.0, others)
    assert flags.is_far(90.0, others)
    assert not flags.is_far(1000.0, others[:4])
    assert not flags.is_far(1000.0, [100.0] * 5)  # no spread, no measure of far


def test_numbers_that_no_clock_measures_are_seen() -> None:
    assert flags.all_alike([[1.0, 1.0], [1.0]])
    assert not flags.all_alike([[1.0], [1.0]])
    assert not flags.all_alike([[1.0, 1.0, 1.1]])
    assert flags.repeated([[[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.5]], [[1.0, 2.0, 3.0]]]) == {0, 2}
    assert flags.repeated([[], [], [[1.0]], [[1.0]]]) == set()


@pytest.mark.parametrize(
    ("document", "account", "signed", "rung"),
    [
        (ours(measured()), False, False, 1),
        (ours(measured(), name="somebody's"), True, False, 2),
        (ours(measured(), name="somebody's"), True, True, 3),
        (ours(measured()), True, False, 4),
        (ours(measured(), suite_sha256="b" * 64), True, True, 3),
        (ours(measured(evidence={})), True, False, 2),
        (ours(measured(evidence={}, error="did not run")), True, False, 4),
        (ours(measured(case="other")), True, False, 2),
        (ours(measured(case_sha256="1" * 64)), True, False, 4),
        (ours(measured(case_sha256="2" * 64)), True, False, 2),
        (ours(measured(params={"transport": "embedded"})), True, False, 2),
        (
            ours(measured(params={"transport": "embedded"}, evidence={"result_check": "ok"})),
            True,
            False,
            4,
        ),
        (replace(ours(measured()), format="jmh"), True, False, 2),
        (ours(measured(case_sha256="1" * 64), suite_sha256=""), True, False, 4),
        (ours(measured(), suite_sha256=""), True, False, 2),
        (ours(measured(), measured(metric="cpu_time", evidence={})), True, False, 4),
        (ours(measured(), measured(params={"tls": True}, evidence={})), True, False, 2),
    ],
)
def test_each_rung_asks_for_what_it_says(
    document: Document, account: bool, signed: bool, rung: int
) -> None:
    found = ladder.rung(
        document,
        suite_hash=HASH,
        case_hashes={"do_1": "1" * 64},
        has_account=account,
        is_signed=signed,
    )
    assert found == rung


def test_the_runner_is_known_by_the_name_that_it_gives_itself() -> None:
    assert ladder.RUNNER == TOOL


KEY = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
RAW = KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def test_a_key_is_taken_in_each_of_its_forms() -> None:
    pem = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    line = KEY.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    texts = [pem.decode(), line.decode() + " eve@host", RAW.hex(), base64.b64encode(RAW).decode()]
    assert [signatures.public_key(text) for text in texts] == [RAW] * 4
    assert signatures.key_id(RAW) == hashlib.sha256(RAW).hexdigest()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense!",
        "AAAA",
        "z" * 64,
        "ssh-ed25519 x",
        "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
        ec.generate_private_key(ec.SECP256R1())
        .public_key()
        .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        .decode(),
    ],
)
def test_what_is_no_ed25519_key_is_refused(text: str) -> None:
    with pytest.raises(signatures.BadKeyError):
        signatures.public_key(text)


def test_a_signature_is_of_every_byte_of_the_file() -> None:
    file = b"goos: linux"
    value = KEY.sign(file).hex()
    assert signatures.is_good(signatures.beside(value, key="K", file=file), RAW)
    assert not signatures.is_good(signatures.beside(value, key="K", file=file + b"\n"), RAW)
    with pytest.raises(ValueError, match="64 bytes"):
        signatures.beside("AAAA", key="", file=file)


def test_a_signature_inside_the_file_is_of_the_rest_in_any_order() -> None:
    data: dict[str, Any] = {"run": {"b": 1.5, "a": "ü"}, "schema": "x"}
    value = base64.b64encode(KEY.sign(signatures.canonical(data))).decode()
    mixed = {"signature": {"key_id": " AB ", "value": value}, "schema": "x"}
    mixed["run"] = {"a": "ü", "b": 1.5}
    found = signatures.inside(mixed)
    assert found is not None
    assert found.key_id == "ab"
    assert signatures.is_good(found, RAW)
    assert signatures.inside({"signature": 7}) is None


RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())
WANTED = identity.audience("https://portal.example/", HASH)
CLAIMS = {
    "iss": "https://token.actions.githubusercontent.com",
    "aud": WANTED,
    "exp": NOW.timestamp() + 300,
    "iat": NOW.timestamp(),
    "repository": "acme/bench",
    "ref": "refs/heads/main",
    "sha": "0123456789abcdef",
}


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def number(value: int) -> str:
    return b64(value.to_bytes((value.bit_length() + 7) // 8))


def rsa_jwk() -> dict[str, Any]:
    numbers = RSA.public_key().public_numbers()
    return {"kty": "RSA", "kid": "k1", "n": number(numbers.n), "e": number(numbers.e)}


def ec_jwk() -> dict[str, Any]:
    numbers = EC.public_key().public_numbers()
    x, y = (b64(value.to_bytes(32)) for value in (numbers.x, numbers.y))
    return {"kty": "EC", "crv": "P-256", "kid": "k2", "x": x, "y": y}


def token(algorithm: str = "RS256", **claims: Any) -> str:
    told = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    parts = [{"alg": algorithm, "kid": "k1"}, told]
    signed = ".".join(b64(json.dumps(part).encode()) for part in parts)
    if algorithm == "ES256":
        r, s = utils.decode_dss_signature(EC.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = r.to_bytes(32) + s.to_bytes(32)
    else:
        signature = RSA.sign(signed.encode(), padding.PKCS1v15(), SHA256())
    return f"{signed}.{b64(signature)}"


def test_a_token_of_a_ci_says_which_repository_it_is() -> None:
    found = identity.verified(token(), jwk=rsa_jwk(), wanted=WANTED, at=NOW)
    assert str(found) == "acme/bench refs/heads/main 0123456789ab"
    assert identity.issuer_of(token()) == (CLAIMS["iss"], "k1")
    gitlab = token("ES256", repository=None, project_path="acme/c", aud=["https://portal.example"])
    assert identity.verified(gitlab, jwk=ec_jwk(), wanted=WANTED, at=NOW).repository == "acme/c"


@pytest.mark.parametrize(
    ("text", "jwk", "words"),
    [
        (token(aud="https://portal.example#sha256=other"), rsa_jwk(), "not made for this file"),
        (token(exp=NOW.timestamp() - 61), rsa_jwk(), "expired"),
        (token(exp=None), rsa_jwk(), "until when"),
        (token(exp=True), rsa_jwk(), "cannot be read"),
        (token(iat="x"), rsa_jwk(), "cannot be read"),
        (token(nbf=NOW.timestamp() + 61), rsa_jwk(), "not good yet"),
        (token(repository=None), rsa_jwk(), "no repository"),
        (token("none"), rsa_jwk(), "not taken"),
        (token("ES256"), rsa_jwk(), "not taken"),
        (token(), ec_jwk(), "not taken"),
        (token()[:-9] + "AAAAAAAAA", rsa_jwk(), "not good"),
        (token(), {"kty": "RSA"}, "cannot be read"),
        (token(), {"kty": "oct", "k": "x"}, "another kind"),
        ("a.b", rsa_jwk(), "not an identity token"),
        ("a.b.c", rsa_jwk(), "not an identity token"),
        (f"{b64(b'7')}.{b64(b'{}')}.{b64(b'x')}", rsa_jwk(), "not an identity token"),
        ("x" * 20_001, rsa_jwk(), "not an identity token"),
    ],
)
def test_a_token_that_cannot_be_believed_is_refused(
    text: str, jwk: dict[str, Any], words: str
) -> None:
    with pytest.raises(identity.BadTokenError, match=words):
        identity.verified(text, jwk=jwk, wanted=WANTED, at=NOW)


def test_of_a_key_set_only_keys_that_can_be_used_are_kept() -> None:
    keys = {"keys": [rsa_jwk(), ec_jwk(), {"kty": "oct", "kid": "k3"}, {"kty": "RSA"}, 7]}
    assert [name for name, _key in identity.keys_in(keys)] == ["k1", "k2"]
    for wrong in ("x", {"keys": 7}, {"k": 7}):
        with pytest.raises(identity.BadTokenError):
            identity.keys_in(wrong)
