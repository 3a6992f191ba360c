"""A badge that a supporter shows on its own site, as one small SVG; pure."""

from xml.sax.saxutils import escape, quoteattr

HEIGHT = 40
PADDING = 14
LETTER = 7.4  # of a sans serif of 14, about; the text is fitted to it


def draw(*, supporter: str, tier: str, foundation: str) -> str:
    """Two fields: the tier, and whom it supports."""
    left, right = tier, foundation
    first, second = _width(left), _width(right)
    label = f"{supporter}: {tier}, {foundation}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{first + second:.0f}" height="{HEIGHT}"'
        f' viewBox="0 0 {first + second:.0f} {HEIGHT}" role="img" aria-label={quoteattr(label)}>'
        f"<title>{escape(label)}</title>"
        f'<rect width="{first + second:.0f}" height="{HEIGHT}" rx="3" fill="#fff"/>'
        f'<rect width="{first:.0f}" height="{HEIGHT}" rx="3" fill="#0b5d3b"/>'
        f'<rect x=".5" y=".5" width="{first + second - 1:.0f}" height="{HEIGHT - 1}" rx="3"'
        ' fill="none" stroke="#0b5d3b"/>'
        f"{_text(left, 0, first, '#fff')}{_text(right, first, second, '#10231b')}</svg>\n"
    )


def _width(text: str) -> float:
    return round(2 * PADDING + LETTER * len(text))


def _text(text: str, start: float, width: float, colour: str) -> str:
    inner = width - 2 * PADDING
    return (
        f'<text x="{start + PADDING:.0f}" y="{HEIGHT / 2:.0f}" dominant-baseline="central"'
        f' textLength="{inner:.0f}" lengthAdjust="spacingAndGlyphs" fill="{colour}"'
        f' font-family="sans-serif" font-size="14" font-weight="600">{escape(text)}</text>'
    )
