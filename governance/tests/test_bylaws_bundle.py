"""Bylaws in the signed bundle: the text that was voted on, and what is found in another."""

from typing import Any

import pytest

from governance.bundle import bylaws as checked
from governance.bundle.chain import digest
from governance.models import Body
from governance.sections import bylaws as section
from governance.sections import motion as motions
from governance.sections.asked import Asked
from governance.tests.bylaws import CHANGED, make_bylaws, make_proposal, make_version
from governance.tests.test_bylaws import carry
from portal.accounts.models import User

pytestmark = pytest.mark.django_db


def test_a_version_stands_beside_the_motion_that_adopted_it(
    board: Body, directors: list[User]
) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    motion = carry(make_proposal(bylaws, directors[0]), directors)
    assert motion.deadline is not None
    asked = Asked(motion.deadline)
    records = dict(section.documents(asked)) | dict(motions.documents(asked))
    first, second = records["bylaws/foundation-1"], records["bylaws/foundation-2"]
    assert (first["motion"], second["motion"]) == (None, f"motions/{motion.slug}")
    assert second["text"] == CHANGED
    for document in (first, second):
        assert list(checked.problems(document, records)) == []
    spoilt = second | {"text": second["text"] + "!"}
    assert list(checked.problems(spoilt, records))


def version(**changed: Any) -> dict[str, Any]:
    text = "## 1. Name\n\nExample.\n"
    document = {
        "bylaws": {"slug": "foundation"},
        "number": 1,
        "text": text,
        "text_sha256": digest(text.encode()),
        "motion": "motions/name",
        "adopted": "2026-01-01",
        "in_force": "2026-02-01",
    }
    return document | changed


def motion_of(document: dict[str, Any], **changed: Any) -> dict[str, Any]:
    carried = {"text_sha256": document["text_sha256"], "resolution": "2026-01"}
    return {"motions/name": carried | changed}


@pytest.mark.parametrize(
    ("changed", "motion", "told"),
    [
        ({}, {}, None),
        ({"motion": None}, {}, None),
        ({"text": "Other."}, {}, "not the one that was adopted"),
        ({"in_force": "2025-12-31"}, {}, "in force before it was adopted"),
        ({"motion": "motions/lost"}, {}, "not in the bundle"),
        ({}, {"text_sha256": "0" * 64}, "has another text"),
        ({}, {"resolution": ""}, "was not carried"),
    ],
)
def test_what_does_not_add_up_is_found(
    changed: dict[str, Any], motion: dict[str, Any], told: str | None
) -> None:
    document = version(**changed)
    found = list(checked.problems(document, motion_of(version(), **motion)))
    assert [told in problem for problem in found if told] == ([True] if told else [])
    assert bool(found) == bool(told)


def test_versions_follow_each_other() -> None:
    second = version(number=2, in_force="2026-03-01", motion=None)
    assert list(checked.problems(second, {"bylaws/foundation-1": version()})) == []
    assert list(checked.problems(second, {})) == ["the version before it is not in the bundle"]
    later = {"bylaws/foundation-1": version(in_force="2027-01-01")}
    assert "that it replaces" in next(checked.problems(second, later))
