"""What papers print of letters that their font lacks."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from fpdf import FPDF

from portal.lib.countries import COUNTRIES
from portal.lib.on_paper import check_printable
from portal.lib.pdf import Document
from portal.lib.pdf_letters import printed, unprintable


@pytest.mark.parametrize(
    ("text", "shown", "lacking"),
    [
        ("Ägäische Łódź İş, Αθήνα, Київ", "Ägäische Łódź İş, Αθήνα, Київ", ""),
        ("e\N{COMBINING ACUTE ACCENT}a\N{ZERO WIDTH SPACE}b", "éab", ""),
        ("Công ty Cổ phần Việt", "Công ty Co phan Viet", ""),
        ("Acme 日本 日", "Acme □□ □", "日本"),
        ("Musterweg 1\n10115 Berlin", "Musterweg 1\n10115 Berlin", ""),
        ("a □", "a □", ""),
    ],
)
def test_a_letter_is_kept_or_loses_its_accent_or_becomes_a_square(
    text: str, shown: str, lacking: str
) -> None:
    assert printed(text) == shown
    assert unprintable(text) == lacking


def test_every_country_of_an_address_can_be_printed() -> None:
    assert [name for _, name in COUNTRIES if unprintable(str(name))] == []


def test_no_text_of_a_paper_reaches_the_font_with_letters_that_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    render = FPDF._render_styled_text_line

    def keep(self: FPDF, line: Any, *args: Any, **more: Any) -> Any:
        drawn.extend("".join(fragment.characters) for fragment in line.fragments)
        return render(self, line, *args, **more)

    monkeypatch.setattr(FPDF, "_render_styled_text_line", keep)
    document = Document(title="Receipt", author="Example")
    document.words("日本 K.K.")
    document.row("Organisation", "日本 K.K.")
    document.written()
    assert "□□ K.K." in drawn
    assert "日" not in "".join(drawn)


def test_a_field_for_papers_says_which_letters_it_cannot_take() -> None:
    check_printable("Bürotechnik Łódź, Αθήνα")
    with pytest.raises(ValidationError, match="Papers cannot print 日本"):
        check_printable("日本 K.K.")
