"""What is left of a stranger's drawing."""

from pathlib import Path

import pytest
from django.conf import settings

from portal.members.pictures import PictureError, check
from portal.members.svg import SvgError, sanitise

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
BOX = b" viewBox='0 0 9 9'>"
LOGOS = sorted((Path(settings.BASE_DIR) / "static" / "img" / "logos").glob("*.svg"))


def clean(inside: str, attributes: str = 'viewBox="0 0 10 10"') -> str:
    return sanitise(f"{HEAD}{attributes}>{inside}</svg>".encode()).content.decode()


SHAPE = '<path d="M0 0h9v9z"/>'


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<g onclick="alert(1)"><path d="M0 0" onload="alert(1)"/></g>',
        "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'>x</body></foreignObject>",
        '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
        '<image href="https://evil.example/x.png"/>',
        '<use xlink:href="https://evil.example/x.svg#a"/>',
        '<use href="data:image/svg+xml,evil"/>',
        '<path d="M0 0" fill="url(https://evil.example/x)"/>',
        '<path d="M0 0" style="fill:url(//evil.example/x);background:url(evil.example)"/>',
        "<style>@import url(https://evil.example/x.css);</style>",
        '<animate attributeName="href" to="javascript:alert(1)"/>',
        '<set attributeName="onclick" to="evil()"/>',
        '<path d="M0 0" filter="url(https://evil.example)"/>',
        "<iframe src='https://evil.example'/>",
    ],
)
def test_nothing_that_runs_or_loads_survives(hostile: str) -> None:
    result = clean(hostile + SHAPE)
    for word in ("evil", "alert", "script", "onload", "onclick", "data:", "style", "foreign"):
        assert word not in result
    assert "M0 0h9v9z" in result


def test_colours_of_drawing_programs_survive() -> None:
    result = clean(
        "<defs><style>.cls-1,.cls-2{fill:#123c69} .cls-2{stroke:red}</style></defs>"
        '<path class="cls-1" d="M0 0"/><path class="cls-2" d="M1 1" style="opacity:.5"/>'
    )
    assert 'fill="#123c69"' in result
    assert 'stroke="red"' in result
    assert 'opacity=".5"' in result


def multiplied(inner: str, outer: str) -> str:
    """Seven levels, each drawing the one below ten times."""
    levels = ["<g id='a0'><path d='M0 0'/></g>"]
    for level in range(1, 8):
        parts = inner.format(level - 1) * 10
        levels.append(outer.format(level, parts))
    return "".join(levels)


@pytest.mark.parametrize(
    "bomb",
    [
        multiplied("<use href='#a{}'/>", "<g id='a{}'>{}</g>"),
        multiplied("<path d='M0' mask='url(#a{})'/>", "<mask id='a{}'>{}</mask>"),
        multiplied("<path d='M0' clip-path='url(#a{})'/>", "<clipPath id='a{}'>{}</clipPath>"),
        "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
        "<mask id='a'><path d='M0' mask='url(#a)'/></mask>",
        "<g id='a'><path d='M0'/></g>" + "<use href='#a'/>" * 201,
        "<g id='a'>" + "<path d='M0'/>" * 200 + "</g>" + "<use href='#a'/>" * 150,
    ],
)
def test_a_small_drawing_cannot_be_made_large_by_references(bomb: str) -> None:
    with pytest.raises(SvgError, match="complex"):
        clean(bomb)


def test_a_clip_path_of_drawing_programs_survives() -> None:
    result = clean(
        "<defs><rect id='r' width='9' height='9'/></defs>"
        "<clipPath id='c'><use xlink:href='#r'/></clipPath>"
        "<g clip-path='url(#c)' transform='translate(1 2) rotate (3)' fill='rgb(1,2,3)'>"
        "<path d='M0 0' mask='none'/></g>"
    )
    for kept in ("clip-path=", "translate(1 2) rotate (3)", "rgb(1,2,3)", 'mask="none"', "<use "):
        assert kept in result


@pytest.mark.parametrize("name", ["mask", "clip-path", "fill", "stroke", "color", "stop-color"])
@pytest.mark.parametrize(
    "value", ["image-set('//evil.example' 1x)", "src('//evil.example')", "url(#a) image('//evil')"]
)
def test_no_value_loads_from_elsewhere(name: str, value: str) -> None:
    assert "evil" not in clean(f'<path d="M0" {name}="{value}"/>')
    assert "evil" not in clean(f'<path d="M0" style="{name}:{value}"/>')


def test_a_style_sheet_that_is_broken_changes_nothing() -> None:
    for broken in ("a" * 19_990, ".a fill:red}", "{" * 9_000, ".a," * 6_000):
        assert "fill" not in clean(f'<style>{broken}</style><path class="a" d="M0 0"/>')


def test_references_inside_the_drawing_get_names_of_their_own() -> None:
    result = clean(
        '<linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>'
        '<rect id="b" width="5" height="5" fill="url(#a)"/><use xlink:href="#b"/>'
    )
    assert 'id="a"' not in result
    prefix = result.partition("url(#")[2].partition("a)")[0]
    assert f'id="{prefix}a"' in result
    assert f'href="#{prefix}b"' in result


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"<svg", "broken"),
        (b"<html/>", "broken"),
        (b"<svg xmlns='http://example.org/x'/>", "broken"),
        (b"<!DOCTYPE svg [<!ENTITY a 'x'>]>" + HEAD.encode() + b">&a;</svg>", "entities"),
        (HEAD.encode() + b" viewBox='0 0 9 9'><g/></svg>", "empty"),
        (HEAD.encode() + b"><path d='M0'/></svg>", "size"),
        (HEAD.encode() + b" viewBox='0 0 9 -9'><path d='M0'/></svg>", "size"),
        (HEAD.encode() + b" viewBox='x 0 9 9'><path d='M0'/></svg>", "size"),
        (HEAD.encode() + b" viewBox='99999 0 9 9'><path d='M0'/></svg>", "size"),
        (
            HEAD.encode() + b" viewBox='0 0 9 9'>" + b"<g>" * 60 + b"</g>" * 60 + b"</svg>",
            "complex",
        ),
        (HEAD.encode() + BOX + b"<path/>" * 6000 + b"</svg>", "complex"),
        (HEAD.encode() + BOX + b"<style>" + b"a" * 299_000 + b"</style></svg>", "complex"),
        (HEAD.encode() + BOX + b"<style>.a{fill:red}</style>" * 2000 + b"</svg>", "complex"),
    ],
)
def test_what_cannot_be_shown_is_named(raw: bytes, code: str) -> None:
    with pytest.raises(SvgError) as caught:
        sanitise(raw)
    assert caught.value.code == code


def test_a_drawing_without_a_view_box_gets_one() -> None:
    assert 'viewBox="0 0 40 20"' in clean(SHAPE, 'width="40px" height="20"')


@pytest.mark.parametrize("path", LOGOS, ids=lambda path: path.stem)
def test_our_drawn_logos_stay_what_they_are(path: Path) -> None:
    picture = check(path.read_bytes())
    assert picture.format == "svg"
    assert picture.content.count(b"<path") == path.read_bytes().count(b"<path")
    assert check(picture.content).width == picture.width


def test_a_png_is_drawn_anew_without_what_was_hidden() -> None:
    import io

    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    hidden = PngInfo()
    hidden.add_text("comment", "secret words")
    file = io.BytesIO()
    Image.new("RGB", (2000, 500), "green").save(file, "PNG", pnginfo=hidden)
    picture = check(file.getvalue())
    assert (picture.format, picture.width, picture.height) == ("png", 1200, 300)
    assert b"secret words" not in picture.content


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"x" * 300_001, "large"),
        (b"GIF89a", "format"),
        (b"\x89PNG\r\n\x1a\nbroken", "broken"),
        (b"<svg>broken", "broken"),
    ],
)
def test_other_files_are_refused(raw: bytes, code: str) -> None:
    with pytest.raises(PictureError) as caught:
        check(raw)
    assert caught.value.code == code


def test_a_picture_of_too_many_pixels_is_refused() -> None:
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.new("1", (5000, 10)).save(file, "PNG")
    with pytest.raises(PictureError, match="dimensions"):
        check(file.getvalue())


def test_a_header_that_promises_billions_of_pixels_is_refused() -> None:
    import struct
    import zlib

    header = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    chunk += struct.pack(">I", 0) + b"IDAT" + struct.pack(">I", zlib.crc32(b"IDAT"))
    with pytest.raises(PictureError, match="dimensions"):
        check(b"\x89PNG\r\n\x1a\n" + chunk)


@pytest.mark.parametrize(
    ("hostile", "lost"),
    [
        ("<script>alert(1)</script>", "script"),
        ('<path d="M1 1" onload="alert(1)"/>', "script"),
        ('<path d="M1 1" fill="javascript:alert(1)"/>', "script"),
        ('<image href="https://evil.example/x.png"/>', "picture"),
        ('<a href="https://acme.example"><path d="M1 1"/></a>', "link"),
        ('<use href="https://evil.example/x.svg#a"/>', "elsewhere"),
        ('<path d="M1 1" fill="url(https://evil.example/x)"/>', "elsewhere"),
        ("<style>@import url(https://evil.example/x.css);</style>", "elsewhere"),
        ("<foreignObject/>", "foreign"),
        ('<animate attributeName="d" to="M1 1"/>', "movement"),
        ('<filter id="f"/>', "effect"),
        ('<path d="M1 1" filter="url(#f)"/>', "effect"),
        ('<path d="M1 1" style="mix-blend-mode:multiply"/>', "effect"),
        ("<style>path{fill:red}</style>", "style"),
        ('<svg><path d="M1 1"/></svg>', "other"),
        ('<path d="M1 1" clip-path="inset(1px)"/>', "other"),
    ],
)
def test_what_was_left_out_is_told(hostile: str, lost: str) -> None:
    raw = f'{HEAD}viewBox="0 0 10 10">{hostile}{SHAPE}</svg>'
    assert sanitise(raw.encode()).losses == (lost,)


def test_what_nobody_sees_is_not_told() -> None:
    raw = (
        f'{HEAD}viewBox="0 0 10 10" version="1.1" xmlns:i="http://ns.example/i">'
        '<metadata>made by</metadata><!-- x --><i:pgf id="a"/><title>Acme</title>'
        '<style>.a{fill:red;enable-background:new}</style><g data-name="one" class="a b">'
        '<switch><foreignObject requiredExtensions="i"/><path d="M1 1" filter="none"/></switch></g>'
        "</svg>"
    )
    drawing = sanitise(raw.encode())
    assert drawing.losses == ()
    assert b"M1 1" in drawing.content


def test_what_stands_in_a_link_stays_without_it() -> None:
    result = clean('<a href="https://acme.example" fill="red"><path d="M1 1"/></a>')
    assert '<g fill="red"><path d="M1 1" /></g>' in result
    assert "acme.example" not in result


def test_a_style_declares_no_structure() -> None:
    assert "href" not in clean(f'<use style="href:#a;d:path(1)"/>{SHAPE}')
