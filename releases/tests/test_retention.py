"""How many past publications a repository keeps, as its managers set it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases.actions.retention import set_retention
from releases.errors import RefusedError
from releases.models import Repository
from releases.tests import factory


@pytest.fixture
def repository(dana: User) -> Repository:
    return Repository.objects.create(
        series=factory.make_series(), distribution="debian-12", codename="bookworm"
    )


def test_a_manager_lets_it_keep_more_and_the_log_says_who(
    dana: User, repository: Repository, client_for: Callable[[User], Client]
) -> None:
    client, page = client_for(dana), f"/releases/manage/repositories/{repository.pk}/"
    assert f"{page}retention/" in client.get(page).content.decode()
    for _time in range(2):
        answer = client.post(f"{page}retention/", {"publications": 10, "days": 30}, follow=True)
    repository.refresh_from_db()
    assert (repository.keep_generations, repository.keep_for) == (10, dt.timedelta(days=30))
    assert "10 newer ones and 30 days" in answer.content.decode()
    (entry,) = AuditEntry.objects.filter(verb="repository.set_retention")
    assert entry.actor_id == dana.pk
    assert entry.detail["before"] == {"publications": 3, "days": 3}


def test_less_than_clients_need_is_refused_beside_its_field(
    dana: User, repository: Repository, client_for: Callable[[User], Client]
) -> None:
    address = f"/releases/manage/repositories/{repository.pk}/retention/"
    answer = client_for(dana).post(address, {"publications": 2, "days": 30})
    assert answer.status_code == 400
    assert "greater than or equal to 3" in answer.content.decode()
    with pytest.raises(RefusedError, match="clients need them"):
        set_retention(actor=dana, repository=repository, publications=3, days=2)
    repository.refresh_from_db()
    assert repository.keep_generations == 3
