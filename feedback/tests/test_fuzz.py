"""Whatever arrives: no exception, no 5xx, nothing that the database refuses, nothing that grows."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
import re
from pathlib import Path

import psutil
import pytest

from feedback import inbox
from feedback.actions.drain import UnreadableError, drain_inbox, told_by
from feedback.actions.intake import receive_reports
from feedback.models import Incoming, Kind, Quarantined, ServerWeek
from feedback.packing import digest, unpack
from feedback.parser import KEY_LIMIT, KEY_SIZE, LINE_LIMIT, SENSITIVE, VALUE_LIMIT, parse
from feedback.receiver import reply
from feedback.receiver.connection import Receiver
from feedback.tests.clients import post, recorded
from feedback.tests.fuzzing import CORPUS, Fuzzer, corpus, in_pieces, quiet_receiver, take

SEED = 6
AT = dt.datetime(2026, 11, 18, tzinfo=dt.UTC)
GROWTH = 48 * 2**20  # bytes that the process may grow after its first tenth
ANSWERS = {b"", reply.OK, reply.LIVE, reply.TOO_LARGE, reply.MALFORMED, reply.NOT_HERE}
WITH_CODE = re.compile(rb"HTTP/1\.1 200 OK\r\n[^<]*<h1>ok, deletion code [A-Z2-7-]{27}</h1>\n")
LARGEST = {field.name: field.max_length for field in ServerWeek._meta.fields if field.max_length}
BLANK = {name.decode() for name in SENSITIVE}


def assert_harmless(answer: bytes, row: inbox.Row | None) -> object:
    """One of our answers, and a row that can be stored and read; what kind of thing happened."""
    said = answer.removeprefix(reply.CONTINUE)
    assert said in ANSWERS or WITH_CODE.fullmatch(said)
    assert len(said) <= reply.LIMIT
    assert (row is not None) == (b"<h1>ok" in said)
    if row is None:
        return said
    body = unpack(row.body)
    assert len(row.server_key) in {0, KEY_SIZE}
    assert row.digest == digest(body)
    assert row.kind in Kind.values
    values = parse(body)
    assert len(values) <= LINE_LIMIT
    for key, value in values.items():
        assert len(key) <= KEY_LIMIT
        assert len(value) <= VALUE_LIMIT
        assert "\0" not in key + value
        assert key not in BLANK or not value
    return (row.kind, row.word_digest is None, len(values).bit_length(), assert_facts_fit(values))


def assert_facts_fit(values: dict[str, str]) -> object:
    """The facts fit into their columns."""
    try:
        reading = told_by(values, (b"key", AT, ""), {}).reading
    except UnreadableError:
        return None
    if reading.facts is None:
        return reading.started, reading.stopped
    for name in reading.facts.__slots__:
        fact = getattr(reading.facts, name)
        if isinstance(fact, str):
            assert len(fact) <= LARGEST[name]
        else:
            assert 0 <= fact < (2**63 if name in {"features", "engines"} else 2**15)
    return reading.facts.series, reading.facts.system


async def fuzz(fuzzer: Fuzzer, times: int, kept: list[inbox.Row]) -> None:
    """So many inputs; some of the rows that come of them are kept."""
    receiver, process, size = quiet_receiver(), psutil.Process(), 0
    for number in range(times):
        if number == times // 10:
            size = process.memory_info().rss
        data = fuzzer.make()
        try:
            answer, row = await take(receiver, in_pieces(data, fuzzer.random))
            fuzzer.learn(data, assert_harmless(answer, row))
        except Exception as error:
            raise AssertionError(f"input {number} of seed {SEED}: {data[:2000]!r}") from error
        if row and len(kept) < 300 and number % 7 == 0:
            kept.append(row)
    assert process.memory_info().rss - size < GROWTH
    assert_nothing_is_left(receiver)


def assert_nothing_is_left(receiver: Receiver) -> None:
    assert (receiver.buffered, receiver.connections, receiver.idle) == (0, set(), {})


def fuzz_and_store(times: int, caplog: pytest.LogCaptureFixture) -> None:
    fuzzer, kept = Fuzzer(SEED, corpus()), list[inbox.Row]()
    with caplog.at_level(logging.WARNING, "feedback"):
        asyncio.run(fuzz(fuzzer, times, kept))
    assert caplog.records == []
    assert len(fuzzer.seen) > 30  # the inputs do reach all kinds of behaviour
    assert len(kept) > 20
    receive_reports(rows=kept)
    while drain_inbox():
        pass
    assert not Incoming.objects.exists()
    reasons = Quarantined.objects.values_list("reason", flat=True)
    assert {reason.partition(":")[0] for reason in reasons} <= {"UnreadableError"}


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.bin")), ids=lambda path: path.stem)
def test_what_once_was_sent_does_no_harm(path: Path) -> None:
    data = path.read_bytes()

    async def once() -> None:
        receiver = quiet_receiver()
        assert_harmless(*await take(receiver, iter([data])))
        assert_harmless(*await take(receiver, (bytes([byte]) for byte in data)))
        assert_nothing_is_left(receiver)

    asyncio.run(once())


def test_a_thousand_strange_inputs_do_no_harm(db: None, caplog: pytest.LogCaptureFixture) -> None:
    fuzz_and_store(1_000, caplog)


@pytest.mark.proof
def test_thirty_thousand_strange_inputs_do_no_harm(
    db: None, caplog: pytest.LogCaptureFixture
) -> None:
    fuzz_and_store(30_000, caplog)


@pytest.mark.proof_full
def test_a_million_strange_inputs_do_no_harm(db: None, caplog: pytest.LogCaptureFixture) -> None:
    fuzz_and_store(1_000_000, caplog)


@pytest.mark.parametrize("name", ["startup.bin", "full.bin", "full_tab_in_user_info.bin"])
def test_a_recorded_report_cut_anywhere_does_no_harm(shared_data: Path, name: str) -> None:
    data = recorded(shared_data, name)

    async def each() -> None:
        receiver = quiet_receiver()
        for end in range(0, len(data), max(len(data) // 60, 1)):
            assert_harmless(*await take(receiver, iter([data[:end]])))
        body = data.partition(b"\r\n\r\n")[2]
        for end in range(0, len(body), max(len(body) // 60, 1)):
            answer, row = await take(receiver, iter([post(body[:end])]))
            assert_harmless(answer, row)
            assert row is not None

    asyncio.run(each())
