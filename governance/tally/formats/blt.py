"""BLT, the format of most STV programs (Hill, Wichmann and Woodall 1987; OpenSTV, Droop, eSTV).

4 2              four candidates, two seats
-2               the second has withdrawn
3 1 3 4 0        three papers rank the first, the third, the fourth
0                the end of the papers
"Ada"            one name for each candidate, then the title
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from governance.tally.formats.sheet import (
    FormatError,
    Sheet,
    as_paper,
    as_ranks,
    check_candidates,
    sheet,
)

_TOKEN = re.compile(r'"(?P<text>[^"]*)"|(?P<comment>#.*)|(?P<word>\S+)')


def write(contest: Sheet) -> str:
    """The contest as BLT. Raises FormatError where a paper has equal ranks."""
    lines = [f"{len(contest.candidates)} {contest.seats}"]
    if contest.withdrawn:
        lines.append(" ".join(f"-{one + 1}" for one in contest.withdrawn))
    for number, ranks in contest.papers:
        lines.append(" ".join(map(str, [number, *(one + 1 for one in as_paper(ranks)), 0])))
    lines.append("0")
    lines += [_quoted(text) for text in [*contest.candidates, contest.title]]
    return "".join(f"{line}\n" for line in lines)


def read(text: str) -> Sheet:
    """The contest of a BLT file. Raises FormatError with the line of what cannot be read."""
    tokens = _Tokens(text)
    candidates, seats = tokens.number(), tokens.number()
    check_candidates(candidates)
    withdrawn = []
    while (first := tokens.number()) < 0:
        withdrawn.append(_place(-first, candidates, tokens.line))
    papers = []
    while first:
        ranked: list[int] = []
        while one := tokens.number():
            ranked.append(_place(one, candidates, tokens.line))
        if len(set(ranked)) < len(ranked):
            raise FormatError("a paper ranks a candidate twice", tokens.line)
        papers.append((first, as_ranks(bytes(ranked), candidates)))
        first = tokens.number()
        if first < 0:
            raise FormatError("a paper cannot be there a negative number of times", tokens.line)
    names = [tokens.text() for _ in range(candidates)]
    return sheet(tokens.text(), names, seats, papers, withdrawn)


def _place(number: int, candidates: int, line: int) -> int:
    if not 1 <= number <= candidates:
        raise FormatError(f"there is no candidate {number}", line)
    return number - 1


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace('"', "'"))


class _Tokens:
    """The words and quoted texts of a file, one after another, with the line of the last."""

    def __init__(self, text: str) -> None:
        self.line = 1
        self._found = self._tokens(text)

    def _tokens(self, text: str) -> Iterator[re.Match[str]]:
        for number, line in enumerate(text.splitlines(), 1):
            for found in _TOKEN.finditer(line):
                if found["comment"] is None:
                    self.line = number
                    yield found

    def _next(self) -> re.Match[str]:
        found = next(self._found, None)
        if found is None:
            raise FormatError("the file ends too early", self.line)
        return found

    def number(self) -> int:
        word = self._next()["word"] or ""
        if not re.fullmatch(r"-?\d{1,9}", word, re.ASCII):
            raise FormatError("a whole number was expected", self.line)
        return int(word)

    def text(self) -> str:
        found = self._next()
        if found["text"] is None:
            raise FormatError("a text in double quotes was expected", self.line)
        return found["text"]
