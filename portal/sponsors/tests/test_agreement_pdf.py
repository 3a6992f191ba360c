"""The accepted agreement as a file: its text as the page shows it."""

from typing import Any

import pytest
from django.utils import timezone
from fpdf import FPDF

from portal.sponsors import agreement_pdf
from portal.sponsors.actions.agreement import publish_agreement
from tests.supporters import make_draft, make_tier

pytestmark = pytest.mark.django_db
TEXT = "## Terms\n\nThe supporter\npays once.\n\n- a logo\n- a seat"


def test_lines_of_the_text_are_joined_and_points_of_a_list_stay_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    render = FPDF._render_styled_text_line

    def keep(self: FPDF, line: Any, *args: Any, **more: Any) -> Any:
        drawn.append("".join("".join(fragment.characters) for fragment in line.fragments))
        return render(self, line, *args, **more)

    monkeypatch.setattr(FPDF, "_render_styled_text_line", keep)
    publish_agreement(actor=None, title="Agreement", text=TEXT, in_force_from=timezone.now())
    agreement_pdf.write(make_draft(make_tier()))
    assert "The supporter pays once." in "".join(drawn)
    assert "a logo" in drawn
    assert "a seat" in drawn
