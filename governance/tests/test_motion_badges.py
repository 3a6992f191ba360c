"""How a motion looks in a list: its badge, its score, whether it is in force."""

from datetime import date

import pytest

from governance.models import Body, Motion
from governance.templatetags.governance import force_badge, motion_badge, motion_score
from governance.tests.conftest import START, make_decided
from portal.accounts.models import User

DAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("fields", "sought", "text", "tone"),
    [
        ({"state": "draft"}, False, "Draft", "open"),
        ({"state": "discussion"}, True, "Consensus sought", "solid"),
        ({"state": "discussion", "until": DAY}, False, "Consensus sought", "solid"),
        ({"state": "open", "way": "consent"}, False, "Being signed", "solid"),
        ({"state": "open", "way": "consent", "until": DAY}, False, "Being signed", "solid"),
        ({"state": "open", "deadline": DAY, "until": DAY}, False, "Vote open", "solid"),
    ],
)
def test_the_badge_says_how_it_is_decided(
    fields: dict[str, object], sought: bool, text: str, tone: str
) -> None:
    motion = Motion()
    for name, value in fields.items():
        setattr(motion, name, value)
    assert motion_badge(motion, sought) == {"text": text, "tone": tone}


def test_a_motion_without_a_count_says_its_way_and_an_open_one_nothing() -> None:
    assert motion_score(Motion(state=Motion.State.OPEN)) == "—"
    consented = Motion(state=Motion.State.ADOPTED, way=Motion.Way.CONSENT, decided_at=START)
    assert motion_score(consented) == str(consented.get_way_display())


@pytest.mark.django_db
def test_the_score_tells_only_what_there_is(board: Body, directors: list[User]) -> None:
    votes = {0: "yes", 1: "yes", 2: "yes", 3: "yes", 4: "recuse"}
    carried = make_decided(board, directors, "Buy it", votes)
    assert motion_score(carried) == "4 yes, 1 recused"
    assert force_badge(carried, DAY.replace(year=2020))["text"] == "later"
    assert force_badge(carried, DAY.replace(year=2030))["text"] == "in force"
