"""Where the things lie that a copy is made of, and that come back from one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

from governance.offices.database import beside
from governance.offices.process import secret

OFFICES: Final = ("box", "registrar")
SECRETS: Final = (
    "SECRET_KEY",
    "FEEDBACK_PEPPER",
    "METRICS_TOKEN",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET",
    "EMAIL_HOST_PASSWORD",
    "DEMONSTRATION_PASSWORD",
)


@dataclass(frozen=True)
class Places:
    """`databases` are the addresses of portal, box and registrar; `folders` those of keys."""

    databases: Mapping[str, str]
    files: Mapping[str, Path]
    folders: Mapping[str, Path]
    secrets: Mapping[str, str]
    state: Path


def here(folders: Mapping[str, Path]) -> Places:
    """Those of this installation; `folders` names folders of keys that lie elsewhere."""
    environ = os.environ
    portal = settings.DATABASE_URL
    databases = {"portal": portal}
    for name in OFFICES:
        own = secret(environ, f"{name.upper()}_DATABASE_URL")
        databases[name] = own or beside(portal, name)
    usual = {name: settings.STATE_DIR / name for name in (*OFFICES, "signer")}
    return Places(
        databases=databases,
        files={"releases": settings.RELEASE_FILES_DIR, "media": settings.MEDIA_ROOT},
        folders={**usual, **folders},
        secrets={name: value for name in SECRETS if (value := secret(environ, name))},
        state=settings.STATE_DIR,
    )
