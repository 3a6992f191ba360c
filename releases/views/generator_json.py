"""The answer of the generator for programs."""

from __future__ import annotations

from typing import Any

from releases import configurator
from releases.choices import Chosen, Target
from releases.distributions import Distribution


def answer(
    chosen: Chosen, choice: configurator.Choice | None, query: dict[str, str]
) -> dict[str, Any]:
    """What was chosen with every format of it, or what is missing; and what there is."""
    if choice is None:
        return {"missing": list(chosen.missing), "nearest": query, "offered": _offered(chosen)}
    return {
        "choice": query,
        "installs": chosen.details.installs,
        "package": chosen.package,
        "maturity": chosen.target.latest.maturity,
        "eol_date": chosen.target.series.eol_on,
        "is_ended": chosen.target.is_ended,
        "is_withdrawn": chosen.target.is_withdrawn,
        "distribution": _distribution(chosen.system),
        "address": choice.address,
        "keyring": {
            "name": choice.keyring,
            "armored": choice.keyring_address("asc"),
            "binary": choice.keyring_address("pgp"),
        },
        "keys": [
            {
                "name": key.name,
                "fingerprint": key.fingerprint,
                "armored": choice.key_address(key.name, "asc"),
                "binary": choice.key_address(key.name, "pgp"),
            }
            for key in choice.keys
        ],
        "formats": {output.slug: _pieces(output, choice) for output in chosen.outputs},
        "offered": _offered(chosen),
    }


def _pieces(output: configurator.Output, choice: configurator.Choice) -> list[dict[str, str]]:
    return [
        {"kind": piece.kind, "path": piece.path, "text": piece.text}
        for piece in output.write(choice)
    ]


def _offered(chosen: Chosen) -> dict[str, Any]:
    return {
        "products": [found.slug for found in chosen.products],
        "series": [_target(found) for found in chosen.series],
        "aliases": [_target(found) for found in chosen.aliases],
        "versions": [_target(found) for found in chosen.versions],
        "distributions": [_distribution(found) for found in chosen.systems],
        "architectures": chosen.architectures,
        "mirrors": [
            {"slug": found.slug, "name": found.name, "country": found.country}
            for found in chosen.details.mirrors
        ],
        "formats": [found.slug for found in chosen.outputs],
    }


def _target(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        "series": target.series.name,
        "installs": target.latest.version,
        "maturity": target.latest.maturity,
        "eol_date": target.series.eol_on,
        "is_ended": target.is_ended,
        "is_withdrawn": target.is_withdrawn,
    }


def _distribution(system: Distribution) -> dict[str, Any]:
    return {"slug": system.slug, "name": system.name, "eol_date": system.ends_on}
