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

from portal.members import svg_losses
from portal.members.svg_losses import Loss
from portal.members.svg_vocabulary import (
    ATTRIBUTES,
    ELEMENTS,
    FORBIDDEN,
    FUNCTIONS,
    GROUPS,
    NAME,
    ONLY_REFERENCE,
    PRESENTATION,
    REFERENCE,
    SHAPES,
    SVG,
    XLINK_HREF,
)

DEEPEST = 40
MOST_ELEMENTS = 5_000
MOST_DRAWN = 20_000  # elements, counted again wherever a reference draws them again
MOST_REFERENCES = 200  # drawn ones: uses, masks, clip paths
LONGEST_CHAIN = 6  # of references that lead to references
LARGEST = 20_000  # of a width or height
LONGEST_STYLE = 20_000  # characters in all style sheets of a drawing
FRAME = frozenset({"viewBox", "width", "height", "x", "y"})
LINK = frozenset({"href", XLINK_HREF})

LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)(px|pt)?\s*")
CLASS = re.compile(r"\.([A-Za-z_][\w-]*)")
OWN_REFERENCE = re.compile("\0[^\0]+\0")


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
    losses: tuple[Loss, ...] = ()  # what was left out and may be missed


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
    rules, losses = _rules(root)
    copier = _Copier(prefix, rules, losses)
    copier.attributes(root, clean, without=FRAME)
    copier.children(root, clean)
    if not any(element.tag in SHAPES for element in clean.iter()):
        raise SvgError("empty")
    _check_effort(clean)
    told = tuple(loss for loss in Loss if loss in copier.losses)
    return Drawing(tostring(clean, encoding="utf-8"), width, height, told)


@dataclass
class _Copier:
    """Copies what is allowed; notes what was left out."""

    prefix: str
    rules: Rules
    losses: set[Loss]

    def children(self, source: Element, target: Element, depth: int = 0) -> None:
        if depth > DEEPEST:
            raise SvgError("complex")
        for child in source:
            name = _local(child)
            if name in GROUPS:
                self._lose(svg_losses.of_element(name, child.attrib))
                self._child(child, SubElement(target, "g"), depth, without=LINK)
            elif name in ELEMENTS and name != "svg":
                self._child(child, SubElement(target, name), depth)
            else:
                self._lose(svg_losses.of_element(name, child.attrib))

    def _child(
        self, child: Element, copy: Element, depth: int, without: frozenset[str] = frozenset()
    ) -> None:
        self.attributes(child, copy, without)
        if copy.tag in {"text", "tspan", "title", "desc"}:
            copy.text = child.text
        if copy.tag == "tspan":
            copy.tail = child.tail
        self.children(child, copy, depth + 1)

    def attributes(
        self, source: Element, target: Element, without: frozenset[str] = frozenset()
    ) -> None:
        for name, value in self._given(source).items():
            if name in without or name == XLINK_HREF:
                continue
            if name not in ATTRIBUTES:
                self._lose(svg_losses.of_attribute(name, value))
                continue
            safe = _safe_value(name, value, self.prefix)
            if safe is None:
                self._lose(svg_losses.of_value(name, value))
            else:
                target.set(name, safe)

    def _given(self, source: Element) -> dict[str, str]:
        """Attributes, then what its classes say, then its own style."""
        given = dict(source.attrib)
        if XLINK_HREF in given:
            given.setdefault("href", given[XLINK_HREF])
        declared: dict[str, str] = {}
        for name in given.pop("class", "").split():
            declared |= self.rules.get(name, {})
        declared |= _declarations(given.pop("style", ""))
        for name in declared.keys() - PRESENTATION:
            self._lose(svg_losses.of_attribute(name, declared.pop(name)))
        return given | declared

    def _lose(self, loss: Loss | None) -> None:
        if loss is not None:
            self.losses.add(loss)


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


def _rules(root: Element) -> tuple[Rules, set[Loss]]:
    """Class rules of the drawing's style sheets, `.name{...}` and lists of them; no others."""
    sheets = [element.text or "" for element in root.iter() if _local(element) == "style"]
    if sum(map(len, sheets)) > LONGEST_STYLE:
        raise SvgError("complex")
    rules: Rules = {}
    others = False
    for block in "}".join(sheets).split("}"):
        selectors, _, body = block.partition("{")
        declarations = _declarations(body)
        for selector in selectors.split(","):
            match = CLASS.fullmatch(selector.strip())
            if match:
                rules.setdefault(match[1], {}).update(declarations)
            else:
                others = others or bool(PRESENTATION & declarations.keys())
    return rules, svg_losses.of_sheets("".join(sheets), others)


def _declarations(style: str) -> dict[str, str]:
    """As they are written; only those that are attributes too are copied."""
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    return {name.strip(): value.strip() for name, value in pairs}


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
