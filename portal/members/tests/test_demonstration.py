"""What the demonstration shows of members; loaded twice it is there once."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from portal.accounts import demonstration as people
from portal.members import demonstration
from portal.members.models import Contributor, Mailing, Nomination, Subscriber, Tier
from portal.members.tests.people import make_organisation, make_term
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db


def test_contributors_seats_and_letters_are_there_once(settings: Settings) -> None:
    settings.DEMONSTRATION_PASSWORD = PASSWORD
    frank, alice = people.person(people.FRANK), people.person(people.ALICE)
    at = frank.joined_at
    for _ in range(2):
        demonstration.load(actor=frank, at=at)
    tier = Tier.objects.get(slug="gold")
    make_term(make_organisation(owner=alice), tier, at)
    for _ in range(2):
        list(demonstration.load_more(actor=frank, at=at))
    assert Contributor.objects.listed(at).count() == len(demonstration.CONTRIBUTIONS)
    assert Nomination.objects.waiting().count() == 1
    assert Subscriber.objects.receiving(at).count() == 1
    assert (Mailing.objects.sent().count(), Mailing.objects.drafts().count()) == (1, 1)
