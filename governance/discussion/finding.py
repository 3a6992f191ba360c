"""Where words that somebody copied from a page stand in a text; pure."""

import re

LINE_END = r"(?: |[ \t]*\n[ \t]*)"  # a page shows it as a space, within a paragraph


def places(text: str, passage: str) -> list[tuple[int, int]]:
    """Letter by letter; where it stands nowhere so, also over the ends of lines."""
    exact = [found.span() for found in re.finditer(re.escape(passage), text)]
    return exact or [found.span() for found in over_lines(passage).finditer(text)]


def over_lines(passage: str) -> re.Pattern[str]:
    """The passage, however the text ends its lines."""
    return re.compile(LINE_END.join(map(re.escape, passage.split(" "))))
