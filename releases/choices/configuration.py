"""The choice in the words of the pure configurator."""

from __future__ import annotations

import datetime as dt

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
    )


def address(chosen: Chosen) -> str:
    base = chosen.mirror.base_url if chosen.mirror else settings.BASE_URL
    area = "repo" if chosen.system.is_deb else "yum"
    return f"{base.rstrip('/')}/{area}/{serving.root(chosen.repository, chosen.target.name)}"
