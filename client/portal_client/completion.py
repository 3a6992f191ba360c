"""Completion in bash, zsh and fish: the shell asks `portal complete` what may come next."""

from __future__ import annotations

import argparse
from typing import Dict, Iterator, List, Sequence

BASH = """_portal() {
    local words
    words=$(portal complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _portal portal
"""
ZSH = """#compdef portal
_portal() {
    local -a found
    found=(${(f)"$(portal complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    compadd -a found
    [[ ${#found} -gt 0 ]] || _files
}
(( $+functions[compdef] )) && compdef _portal portal
"""
FISH = """complete -c portal -a '(
    set -l words (commandline -opc) (commandline -ct); portal complete $words[2..-1] 2>/dev/null)'
"""
SHELLS: Dict[str, str] = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def candidates(parser: argparse.ArgumentParser, words: Sequence[str]) -> List[str]:
    """What the last of `words` may become; empty where a file is meant."""
    *before, last = words or [""]
    previous = ""
    for word in before:
        parser = _commands(parser).get(word, parser)
        previous = word
    for action in parser._actions:
        if previous in action.option_strings and action.nargs != 0:
            return [choice for choice in action.choices or () if choice.startswith(last)]
    return sorted(word for word in _words(parser, last) if word.startswith(last))


def _words(parser: argparse.ArgumentParser, last: str) -> Iterator[str]:
    yield from (name for name in _commands(parser) if name != "complete")
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            if last.startswith("-"):
                yield from action.option_strings
            elif not action.option_strings:
                yield from action.choices or ()


def _commands(parser: argparse.ArgumentParser) -> Dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}
