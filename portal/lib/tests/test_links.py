from datetime import timedelta

from portal.lib import links

HOUR = timedelta(hours=1)


def test_a_link_holds_its_value_for_its_purpose() -> None:
    token = links.sign("draft:7", purpose="draft")
    assert links.unsign(token, purpose="draft", max_age=HOUR) == "draft:7"


def test_a_link_is_good_for_nothing_else() -> None:
    token = links.sign("draft:7", purpose="draft")
    assert links.unsign(token, purpose="invoice", max_age=HOUR) is None
    assert links.unsign(token.replace("7", "8", 1), purpose="draft", max_age=HOUR) is None
    assert links.unsign("", purpose="draft", max_age=HOUR) is None


def test_a_link_expires() -> None:
    token = links.sign("draft:7", purpose="draft")
    assert links.unsign(token, purpose="draft", max_age=timedelta(seconds=-1)) is None
