"""How the values of raw reports are stored, in little room, and come back."""

import datetime as dt
from pathlib import Path
from random import Random

import pytest

from feedback import inbox, shelf
from feedback.actions import dictionary as training
from feedback.actions.dictionary import train_dictionary
from feedback.actions.retention import forget_old
from feedback.actions.withdrawal import withdraw_report
from feedback.models import RAW_DAYS, Dictionary, KeySet, Report, ServerWeek
from feedback.packing import Packer
from feedback.parser import clean, parse
from feedback.tests.clients import PEPPER, recorded
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row

pytestmark = pytest.mark.django_db
WIDE = {**DEBIAN, **{f"STATUS_{n}": "0" for n in range(80)}}


def stored() -> list[dict[str, str]]:
    return [values for _, values in shelf.take(Report.objects.order_by("received_at", "digest"))]


def busy(servers: int, seed: int = 1) -> list[inbox.Row]:
    """Full reports whose counters differ from server to server."""
    random = Random(seed)
    rows = []
    for number in range(servers):
        counters = {key: str(random.randrange(10**6)) for key in list(WIDE)[8:20]}
        rows.append(row(f"busy-{seed}-{number}", {**WIDE, **counters}))
    return rows


def test_the_values_of_a_real_report_come_back_as_they_were(shared_data: Path) -> None:
    body = recorded(shared_data, "full.bin").partition(b"\r\n\r\n")[2]
    arrive(inbox.row(body, pepper=PEPPER, received_at=NOON))
    assert stored() == [parse(clean(body, PEPPER).body)]
    assert len(bytes(Report.objects.get().body)) < 3_000


def test_servers_that_send_the_same_keys_share_one_set() -> None:
    arrive(
        *fleet(5), row("other", {**DEBIAN, "NEW_KEY": "1"}), row("x", {"FEEDBACK_WHEN": "startup"})
    )
    assert sorted(KeySet.objects.values_list("size", flat=True)) == [2, 7, 8]
    assert Report.objects.count() == 7


def test_what_was_learnt_saves_room_and_older_reports_are_still_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(training, "LEAST", 40)
    code = inbox.new_code()
    arrive(*busy(60), row("mine", WIDE, code=code), row("mine", {**WIDE, "VERSION": "11.4.2"}))
    before = stored()
    assert train_dictionary(at=NOON) is not None
    assert train_dictionary(at=NOON) is None  # nothing more to win
    arrive(*busy(10, seed=2))
    sizes = {
        known: sum(len(bytes(r.body)) for r in Report.objects.filter(dictionary=known)[:10])
        for known in (None, Dictionary.objects.get())
    }
    assert sizes[Dictionary.objects.get()] < 0.8 * sizes[None]
    assert all(values in stored() for values in before)
    assert withdraw_report(actor=None, code=code)
    assert ServerWeek.objects.filter(version="11.4.2").exists()


def test_nothing_is_learnt_from_few_reports_or_from_those_that_tell_a_moment_only() -> None:
    arrive(*fleet(training.LEAST + 10, {"FEEDBACK_WHEN": "startup"}), *busy(3))
    assert train_dictionary(at=NOON) is None
    assert not Dictionary.objects.exists()


def test_sets_and_dictionaries_go_with_their_last_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "LEAST", 40)
    arrive(*busy(60))
    train_dictionary(at=NOON)
    later = NOON + dt.timedelta(days=RAW_DAYS + 1)
    arrive(row("later", at=later), at=later)
    assert forget_old(at=later) == 60
    assert [key_set.size for key_set in KeySet.objects.all()] == [7]
    assert Dictionary.objects.count() == 1  # the newest is for reports to come
    assert stored()[0]["VERSION"] == DEBIAN["VERSION"]


def test_a_body_is_read_with_its_own_dictionary_only() -> None:
    packed = Packer().pack(["a", "", "c"])
    assert Packer().unpack(packed) == ["a", "", "c"]
    with pytest.raises(ValueError, match="not packed with this dictionary"):
        Packer().unpack(packed[:-2])
