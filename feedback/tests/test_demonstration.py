import datetime as dt

import pytest
from django.utils import timezone

from feedback import demonstration
from feedback.fleet import WEEKS
from feedback.models import RAW_DAYS, Count, Intake, Period, Quarantined, Report, ServerWeek
from portal.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def small_fleet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demonstration, "SIZE", 40)


def test_the_demonstration_is_a_year_of_reports_and_a_second_run_changes_nothing(
    small_fleet: None, frank: User
) -> None:
    at = timezone.now()
    demonstration.load(actor=frank, at=at)
    assert Period.objects.months().exists()
    lines = list(demonstration.load_more(actor=frank, at=at))
    assert lines[-1].startswith(f"feedback: {WEEKS} of {WEEKS} weeks")
    assert 12 <= Period.objects.months().count() <= 14
    before = (ServerWeek.objects.count(), list(Intake.objects.order_by("pk").values()))
    counts = Count.objects.count()
    demonstration.load(actor=frank, at=at)
    assert list(demonstration.load_more(actor=frank, at=at))[-1].endswith(" 0 reports")
    assert (ServerWeek.objects.count(), list(Intake.objects.order_by("pk").values())) == before
    assert Count.objects.count() == counts
    outcomes = set(Intake.objects.values_list("outcome", flat=True))
    assert outcomes == {"counted", "test", "maxscale", "no_identity", "unreadable"}
    promised = at - dt.timedelta(days=RAW_DAYS)
    for kind in (Report, Quarantined):
        assert kind._default_manager.filter(received_at__gte=promised).exists()
        assert not kind._default_manager.filter(received_at__lt=promised).exists()
