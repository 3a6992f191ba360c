"""Makes an SVG drawing of a stranger safe; pure.

A drawing is rebuilt from an allow-list of elements and attributes: what is not on it is left out.
Nothing that runs, loads or styles survives; `style` declarations and simple class rules of a
`<style>` element become presentation attributes, which is how drawing programs export colours.
"""

import hashlib
import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, SubElement, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

SVG = "http://www.w3.org/2000/svg"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
DEEPEST = 40
MOST_ELEMENTS = 5_000
MOST_DRAWN = 20_000  # elements, counted again wherever a reference draws them again
MOST_REFERENCES = 200  # drawn ones: uses, masks, clip paths
LONGEST_CHAIN = 6  # of references that lead to references
LARGEST = 20_000  # of a width or height
LONGEST_STYLE = 20_000  # characters in all style sheets of a drawing

SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "use"}
ELEMENTS = SHAPES | {
    *("svg", "g", "defs", "symbol", "title", "desc", "tspan"),
    *("linearGradient", "radialGradient", "stop", "clipPath", "mask"),
}
PRESENTATION = {
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity"),
    *("stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray"),
    *("stroke-dashoffset", "opacity", "color", "clip-path", "clip-rule", "mask", "display"),
    *("font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor"),
    *("stop-color", "stop-opacity", "visibility", "dominant-baseline", "paint-order"),
}
ATTRIBUTES = PRESENTATION | {
    *("id", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy"),
    *("dx", "dy", "width", "height", "viewBox", "points", "transform", "offset", "pathLength"),
    *("gradientUnits", "gradientTransform", "spreadMethod", "preserveAspectRatio"),
    *("clipPathUnits", "maskUnits", "maskContentUnits", "textLength", "lengthAdjust", "href"),
}
REFERENCE = re.compile(r"url\(\s*['\"]?#([A-Za-z_][\w.:-]*)['\"]?\s*\)")
NAME = re.compile(r"[A-Za-z_][\w.:-]*")
LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)(px|pt)?\s*")
CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
OWN_REFERENCE = re.compile("\0[^\0]+\0")
ONLY_REFERENCE = {"clip-path", "mask"}
FUNCTIONS = {
    *("rgb", "rgba", "hsl", "hsla"),
    *("matrix", "translate", "scale", "rotate", "skewX", "skewY"),
}
FORBIDDEN = re.compile(r"url\s*\(|javascript:|expression|@import|[<>\\]|/\*", re.IGNORECASE)


class SvgError(ValueError):
    """Code: broken, entities, complex, empty, size."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Drawing:
    content: bytes
    width: int
    height: int


Rules = dict[str, dict[str, str]]


def sanitise(raw: bytes) -> Drawing:
    """The drawing rebuilt from what is allowed. Raises SvgError."""
    try:
        root = fromstring(raw, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise SvgError("entities") from error
    except (ParseError, ValueError, LookupError) as error:
        raise SvgError("broken") from error
    if root.tag != f"{{{SVG}}}svg":
        raise SvgError("broken")
    if sum(1 for _ in root.iter()) > MOST_ELEMENTS:
        raise SvgError("complex")
    width, height, box = _frame(root)
    prefix = f"l{hashlib.sha256(raw).hexdigest()[:8]}-"
    clean = Element("svg", xmlns=SVG, viewBox=box, width=str(width), height=str(height))
    _copy_attributes(root, clean, prefix, {}, without={"viewBox", "width", "height", "x", "y"})
    _copy_children(root, clean, prefix, _rules(root), depth=0)
    if not any(element.tag in SHAPES for element in clean.iter()):
        raise SvgError("empty")
    _check_effort(clean)
    return Drawing(tostring(clean, encoding="utf-8"), width, height)


def _copy_children(source: Element, target: Element, prefix: str, rules: Rules, depth: int) -> None:
    if depth > DEEPEST:
        raise SvgError("complex")
    for child in source:
        name = _local(child)
        if name not in ELEMENTS or name == "svg":
            continue
        copy = SubElement(target, name)
        _copy_attributes(child, copy, prefix, rules)
        if name in {"text", "tspan", "title", "desc"}:
            copy.text = child.text
        if name in {"tspan"}:
            copy.tail = child.tail
        _copy_children(child, copy, prefix, rules, depth + 1)


def _copy_attributes(
    source: Element,
    target: Element,
    prefix: str,
    rules: Rules,
    without: frozenset[str] | set[str] = frozenset(),
) -> None:
    found = dict(source.attrib)
    if XLINK_HREF in found:
        found.setdefault("href", found[XLINK_HREF])
    for name in found.get("class", "").split():
        found.update(rules.get(name, {}))
    found.update(_declarations(found.get("style", "")))
    for name, value in found.items():
        if name in ATTRIBUTES and name not in without:
            safe = _safe_value(name, value, prefix)
            if safe is not None:
                target.set(name, safe)


def _safe_value(name: str, value: str, prefix: str) -> str | None:
    """The value with ids of its own, None when it leads outside the drawing."""
    value = value.strip()
    if name == "id":
        return prefix + value if NAME.fullmatch(value) else None
    if name == "href":
        inside = value.startswith("#") and NAME.fullmatch(value[1:])
        return f"#{prefix}{value[1:]}" if inside else None
    renamed = REFERENCE.sub(lambda match: f"\0{match[1]}\0", value)
    if FORBIDDEN.search(renamed) or not _functions(renamed) <= FUNCTIONS:
        return None
    if name in ONLY_REFERENCE and renamed != "none" and not OWN_REFERENCE.fullmatch(renamed):
        return None
    return re.sub("\0([^\0]+)\0", lambda match: f"url(#{prefix}{match[1]})", renamed)


def _functions(value: str) -> set[str]:
    """What stands before the opening brackets."""
    heads = (part.rstrip()[-20:] for part in value.split("(")[:-1])
    return {re.split(r"[^\w-]", head)[-1] for head in heads}


def _check_effort(root: Element) -> None:
    """Walk the drawing as a browser draws it: few references can make millions of shapes."""
    targets: dict[str, Element] = {}
    for element in root.iter():
        targets.setdefault(element.get("id", ""), element)
    drawn = references = 0
    left = [(root, 0, False)]
    while left:
        element, chain, is_used = left.pop()
        is_use = element.tag == "use"
        drawn += 1
        if (is_use and is_used) or drawn > MOST_DRAWN or chain > LONGEST_CHAIN:
            raise SvgError("complex")
        left.extend((child, chain, is_used) for child in element)
        for name in ("href", *ONLY_REFERENCE):
            target = targets.get(_target(element.get(name, "")))
            if target is not None:
                references += not element.tag.endswith("Gradient")
                left.append((target, chain + 1, is_use and name == "href"))
        if references > MOST_REFERENCES:
            raise SvgError("complex")


def _target(reference: str) -> str:
    """The id in `#id` or `url(#id)`."""
    return reference.removeprefix("url(").removeprefix("#").removesuffix(")") or "-"


def _rules(root: Element) -> Rules:
    """Class rules of the drawing's style sheets: `.name{...}`, lists of them; no others."""
    sheets = [element.text or "" for element in root.iter() if _local(element) == "style"]
    if sum(map(len, sheets)) > LONGEST_STYLE:
        raise SvgError("complex")
    rules: Rules = {}
    for block in "}".join(sheets).split("}"):
        selectors, _, body = block.partition("{")
        declarations = _declarations(body)
        for selector in selectors.split(","):
            match = CLASS.fullmatch(selector.strip())
            if match:
                rules.setdefault(match[1], {}).update(declarations)
    return rules


def _declarations(style: str) -> dict[str, str]:
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return {name.strip(): value.strip() for name, value in pairs if name.strip() in PRESENTATION}


def _frame(root: Element) -> tuple[int, int, str]:
    """Width and height in pixels and the view box; each is made from the other where absent."""
    numbers = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    try:
        box = [float(number) for number in numbers] if len(numbers) == 4 else []
    except ValueError:
        box = []
    width, height = _length(root.get("width")), _length(root.get("height"))
    if not box and width and height:
        box = [0, 0, width, height]
    if not box or not all(0 < side <= LARGEST for side in box[2:]):
        raise SvgError("size")
    if not all(abs(corner) <= LARGEST for corner in box[:2]):
        raise SvgError("size")
    text = " ".join(f"{number:g}" for number in box)
    return max(1, round(box[2])), max(1, round(box[3])), text


def _length(value: str | None) -> float | None:
    match = LENGTH.fullmatch(value or "")
    return float(match[1]) if match else None


def _local(element: Element) -> str:
    """The name of an SVG element; empty for other namespaces and for comments."""
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.removeprefix(f"{{{SVG}}}") if tag.startswith(f"{{{SVG}}}") else ""
