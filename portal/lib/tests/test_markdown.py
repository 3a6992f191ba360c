import pytest

from portal.lib import markdown


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Title", "<h2>Title</h2>"),
        ("*a* **b** `c`", "<p><em>a</em> <strong>b</strong> <code>c</code></p>"),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("![x](https://example.org/x.png)", "<p></p>"),
        ("3. third", '<ol start="3">'),
        ("| a |\n|---|\n| b |", "<td>b</td>"),
        ("| a |\n|--:|\n| 1 |", '<td class="num">1</td>'),
        ('style="text-align:right"', '<p>style="text-align:right"</p>'),
    ],
)
def test_markdown_becomes_safe_html(text: str, html: str) -> None:
    assert html in markdown.render(text)


def test_links_carry_no_way_back() -> None:
    rendered = markdown.render("[x](https://example.org)")
    assert 'href="https://example.org"' in rendered
    assert 'rel="noopener noreferrer"' in rendered


def test_links_of_this_site_are_completed_for_readers_elsewhere() -> None:
    rendered = markdown.render("[a](/b) [c](#d) [e](//f.example/g)", base="https://x.example/y/")
    for address in ("https://x.example/b", "https://x.example/y/#d", "https://f.example/g"):
        assert f'href="{address}"' in rendered


def test_numbers_stand_to_the_right_for_readers_elsewhere_too() -> None:
    rendered = markdown.render("| a |\n|--:|\n| 1 |", base="https://x.example/y/")
    assert '<td align="right">1</td>' in rendered
    assert "class" not in rendered


def test_pictures_are_those_of_this_site() -> None:
    for address in ("https://a.example/b", "//a.example/b", "b.png"):
        assert "src=" not in markdown.render(f"![x]({address})", pictures=True)
    assert 'src="/b.png"' in markdown.render("![x](/b.png)", pictures=True)
    assert "<img" not in markdown.render("![x](/b.png)")
