"""Acts that are sent from a page lead back to it when their address is only asked for."""

import pytest
from django.test import Client

from governance.models import Body, Motion
from governance.tests.bylaws import discuss, make_bylaws, make_proposal, make_version
from portal.accounts.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("act", ["vote", "comments", "position", "second", "discuss", "revoke"])
def test_an_act_on_a_motion_leads_to_its_page(client: Client, motion: Motion, act: str) -> None:
    answer = client.get(f"{motion.get_absolute_url()}{act}/")
    assert (answer.status_code, answer["Location"]) == (302, motion.get_absolute_url())
    assert client.put(f"{motion.get_absolute_url()}{act}/").status_code == 405


def test_a_comment_on_a_clause_leads_to_the_proposal(
    client: Client, board: Body, directors: list[User]
) -> None:
    bylaws = make_bylaws(board)
    make_version(bylaws)
    page = discuss(make_proposal(bylaws, directors[0]), directors).get_absolute_url()
    assert client.get(f"{page}comments/")["Location"] == page


def test_signing_in_again_leads_to_the_page_with_the_text(client: Client, motion: Motion) -> None:
    page = motion.get_absolute_url()
    answer = client.post(
        f"{page}vote/", {"choice": "yes"}, headers={"Referer": f"http://testserver{page}"}
    )
    assert answer["Location"] == f"/accounts/login/?next={page.replace('/', '%2F')}"
