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
    ],
)
def test_markdown_becomes_safe_html(text: str, html: str) -> None:
    assert html in markdown.render(text)


def test_links_carry_no_way_back() -> None:
    rendered = markdown.render("[x](https://example.org)")
    assert 'href="https://example.org"' in rendered
    assert 'rel="noopener noreferrer"' in rendered
