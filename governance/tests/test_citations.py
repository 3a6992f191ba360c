"""Clauses that rules and texts name become links to what is in force."""

import re

import pytest
from django.template import Context, Template

from governance.bylaws.links import Citations
from governance.models import Body, Motion
from governance.tests.bylaws import make_bylaws, make_version
from governance.tests.conftest import make_draft
from governance.words import SumRow
from portal.accounts.models import User
from portal.lib import markdown
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


def test_a_clause_that_exists_is_a_link(board: Body) -> None:
    make_version(make_bylaws(board))
    linked = Citations().linked
    assert linked("Bylaw 4.2: <b>half</b>") == (
        '<a href="/governance/bylaws/foundation/#c4.2">Bylaw 4.2</a>: &lt;b&gt;half&lt;/b&gt;'
    )
    assert linked("see Bylaw 4") == ('see <a href="/governance/bylaws/foundation/#a4">Bylaw 4</a>')


def test_the_arithmetic_of_a_result_leads_to_its_clauses(board: Body) -> None:
    make_version(make_bylaws(board))
    row = SumRow(label="Seats", value="7", note="Bylaw 4.1", kind="", met=None)
    [linked] = Citations().rows([row])
    assert linked.note == '<a href="/governance/bylaws/foundation/#c4.1">Bylaw 4.1</a>'


def test_what_nobody_adopted_stays_text(board: Body) -> None:
    make_version(make_bylaws(board))
    linked = Citations().linked
    assert linked("Bylaw 9.9 and Charter 4") == "Bylaw 9.9 and Charter 4"
    assert linked("<i>") == "&lt;i&gt;"


def test_the_tag_asks_once(board: Body, django_assert_num_queries: object) -> None:
    make_version(make_bylaws(board))
    template = Template("{% load bylaws %}{% cited a %}{% cited a %}{{ b|clause_place }}")
    html = template.render(Context({"a": "Bylaw 4.1", "b": "c4.1"}))
    assert html.count("#c4.1") == 2
    assert html.endswith("clause 4.1")


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("By Bylaw 4.2, *and* **Bylaw 4**.", 2),
        ("[Bylaw 4.2](https://example.org/) and `Bylaw 4.2`", 0),
        ("    Bylaw 4.2\n\nThen Bylaw 4.1", 1),
        ("```\nBylaw 4.2\n```", 0),
        ("# Bylaw 4.2\n\n> Bylaw 4.1 <b>x</b> & <script>Bylaw 4.2</script>", 3),
        ("[a `b`](https://example.org/) Bylaw 4.2", 1),
        ("Bylaw 99.2", 0),
    ],
)
def test_a_text_that_people_wrote_leads_to_the_clauses_that_it_names(
    board: Body, text: str, links: int
) -> None:
    make_version(make_bylaws(board))
    plain = markdown.render(text)
    linked = Citations().linked_in(plain)
    assert linked.count('<a href="/governance/bylaws/foundation/#') == links
    assert re.sub('<a href="/governance/bylaws/[^>]*>(.*?)</a>', r"\1", linked) == plain


def test_the_page_of_a_motion_leads_to_the_clause(board: Body, directors: list[User]) -> None:
    make_version(make_bylaws(board))
    motion = make_draft(board, directors[0], "By the bylaws")
    Motion.objects.filter(pk=motion.pk).update(text="See Bylaw 4.2.")
    page = sign_in(directors[0]).get(motion.get_absolute_url()).content.decode()
    assert '<p>See <a href="/governance/bylaws/foundation/#c4.2">Bylaw 4.2</a>.</p>' in page
