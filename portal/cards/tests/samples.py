"""Where a picture stands."""

from portal.cards.card import Card


def picture() -> str:
    return Card("Foundation", "Title", "Text").get_absolute_url()


SAMPLES = {"cards:picture": picture}
