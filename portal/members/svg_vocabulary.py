"""The elements and attributes that a drawing may have; what is not here is left out."""

import re

SVG = "http://www.w3.org/2000/svg"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"

SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "use"}
ELEMENTS = SHAPES | {
    *("svg", "g", "defs", "symbol", "title", "desc", "tspan"),
    *("linearGradient", "radialGradient", "stop", "clipPath", "mask"),
}
GROUPS = {"a", "switch"}  # what stands in them is kept, as a group
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
ONLY_REFERENCE = {"clip-path", "mask"}
FUNCTIONS = {
    *("rgb", "rgba", "hsl", "hsla"),
    *("matrix", "translate", "scale", "rotate", "skewX", "skewY"),
}
REFERENCE = re.compile(r"url\(\s*['\"]?#([A-Za-z_][\w.:-]*)['\"]?\s*\)")
NAME = re.compile(r"[A-Za-z_][\w.:-]*")
FORBIDDEN = re.compile(r"url\s*\(|javascript:|expression|@import|[<>\\]|/\*", re.IGNORECASE)
