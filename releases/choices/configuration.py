"""The choice in the words of the pure configurator."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.conf import settings

from releases import configurator, serving
from releases.choices import Chosen


def configuration(chosen: Chosen, *, at: dt.datetime) -> configurator.Choice:
    """Repositories may come from a mirror; keys and the set-up script always come from here."""
    system = chosen.system
    return configurator.Choice(
        product=chosen.product.slug,
        title=chosen.target.title,
        name=chosen.target.name,
        system=system.name,
        tool=system.tool,
        codename=system.codename,
        architecture=chosen.architecture,
        address=address(chosen),
        site=settings.BASE_URL,
        keys=chosen.details.keys,
        package=chosen.package,
        generated_on=at.date(),
        has_modules=system.has_modules,
        is_default=chosen.product.is_default,
        image=system.image,
        has_keyring=chosen.details.has_keyring,
        warnings=tuple(_warnings(chosen, at.date())),
    )


def _warnings(chosen: Chosen, day: dt.date) -> Iterator[str]:
    """What the page warns of, for who reads only the file."""
    target, system = chosen.target, chosen.system
    if target.is_withdrawn:
        yield f"{target.latest.version} was withdrawn. Its page says why."
    if not target.latest.is_stable:
        yield f"{target.title} is not for production."
    if target.is_ended:
        yield f"{target.title} is no longer supported and gets no more fixes."
    if system.is_ended(day):
        yield f"{system.name} is no longer supported by its makers."


def address(chosen: Chosen) -> str:
    base = chosen.mirror.base_url if chosen.mirror else settings.BASE_URL
    area = "repo" if chosen.system.is_deb else "yum"
    return f"{base.rstrip('/')}/{area}/{serving.root(chosen.repository, chosen.target.name)}"
