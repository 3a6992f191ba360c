"""The picture of a page: its words, an address that nobody else can make, drawn and kept."""

from io import BytesIO

import pytest
from django.core.signing import Signer
from django.test import Client
from PIL import Image, ImageFont

from portal.cards import drawing
from portal.cards.card import LONGEST, Card, of_page, read
from portal.news.tests.rows import in_state

CARD = Card("Example DB Foundation", "A title", "A text", ("12 organisations",))


def test_an_address_carries_its_words_and_is_always_the_same() -> None:
    address = CARD.get_absolute_url()

    assert address == CARD.get_absolute_url()
    assert read(address.removeprefix("/cards/").removesuffix(".png")) == CARD


def test_words_of_a_page_are_read_from_its_html_and_shortened() -> None:
    card = of_page("F", "A &amp; B", "x" * 999, "\n one  line \n\n<\n3\n4\n5")

    assert card.title == "A & B"
    assert len(card.text) == LONGEST
    assert card.facts == ("one line", "<", "3", "4")


@pytest.mark.parametrize("token", ["x", "eyJ9:abc", Signer(salt="another").sign_object({})])
def test_an_address_that_this_site_did_not_make_has_no_picture(client: Client, token: str) -> None:
    assert client.get(f"/cards/{token}.png").status_code == 404


@pytest.mark.parametrize(
    "title", ["Short", "A longer title of several words " * 5, "W" * 160, "", "Ελληνικά и русский"]
)
def test_every_title_fits(title: str) -> None:
    drawn = drawing.png(Card("Foundation " * 20, title, "text " * 30, ("a fact " * 40,) * 4))

    image = Image.open(BytesIO(drawn))
    assert (image.size, image.format) == (drawing.SIZE, "PNG")
    assert len(drawn) < 80_000


def test_lines_are_not_wider_than_they_may_be() -> None:
    font = ImageFont.truetype(drawing.FONTS / "LiberationSans-Regular.ttf", 30)

    width = int(font.getlength("some words and ")) + 1  # fonts are laid out by what the machine has

    lines = drawing.wrapped("some words and oneverylongwordthatneverends", font, width)

    assert all(font.getlength(line) <= width for line in lines)
    assert lines[0] == "some words and"


def test_a_picture_may_be_kept_for_ever_and_knows_nobody(client: Client) -> None:
    client.cookies["theme"] = "dark"
    answer = client.get(CARD.get_absolute_url())

    assert answer.headers["Content-Type"] == "image/png"
    assert "immutable" in answer.headers["Cache-Control"]
    assert "Cookie" not in answer.headers.get("Vary", "")
    assert client.get(CARD.get_absolute_url()).content == answer.content


@pytest.mark.django_db
def test_a_page_names_its_picture(client: Client) -> None:
    item = in_state("published", title='Kestrels "return"', summary="To the north.")

    page = client.get(item.get_absolute_url()).content.decode()

    assert '<meta property="og:title" content="Kestrels &quot;return&quot;">' in page
    assert '<meta property="og:description" content="To the north.">' in page
    [address] = [
        line.split('content="')[1].removesuffix('">')
        for line in page.splitlines()
        if 'property="og:image"' in line
    ]
    token = address.rpartition("/")[2].removesuffix(".png")
    card = read(token)
    assert card is not None
    assert (card.title, card.text) == ('Kestrels "return"', "To the north.")
    assert client.get(address).status_code == 200
