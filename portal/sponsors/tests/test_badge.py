"""Badges for the sites of supporters: as true as the supporters page, in the same second."""

import xml.etree.ElementTree as ET

import pytest
from django.test import Client

from portal.members.models import Organisation
from portal.sponsors import badge
from tests.supporters import make_application, post_event, refund_event, session_event

PATH = "/supporters/badges/acme.svg"


@pytest.mark.django_db
@pytest.mark.usefixtures("signed_webhooks")
def test_a_badge_comes_with_the_payment_and_goes_with_the_refund(client: Client) -> None:
    application = make_application()
    assert client.get(PATH).status_code == 404
    post_event(client, session_event(application))
    shown = client.get(PATH)
    assert shown["Content-Type"] == "image/svg+xml"
    assert shown["Access-Control-Allow-Origin"] == "*"
    assert "Gold member" in shown.content.decode()
    again = client.get(PATH, headers={"If-None-Match": shown["ETag"]})
    assert again.status_code == 304
    [row] = client.get("/supporters.json").json()["supporters"]
    assert row["badge"].endswith(PATH)
    Organisation.objects.update(is_listed=False)
    assert client.get(PATH).status_code == 404
    Organisation.objects.update(is_listed=True)
    post_event(client, refund_event(application, 20_000_00))
    assert client.get(PATH, headers={"If-None-Match": shown["ETag"]}).status_code == 404


def test_names_are_escaped_and_the_drawing_is_well_formed() -> None:
    svg = badge.draw(supporter='R&D "Nord"', tier="<Gold>", foundation="A & B")
    root = ET.fromstring(svg)  # noqa: S314  (our own drawing)
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["<Gold>", "A & B"]
    assert root.get("aria-label") == 'R&D "Nord": <Gold>, A & B'
    assert float(root.get("width") or 0) > 100
