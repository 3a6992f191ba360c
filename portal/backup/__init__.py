"""Copies of everything that an installation cannot make anew, and the way back from one.

A backup folder holds `contents/` (files under their SHA-256, each once for all copies) and a
folder for each copy, with a manifest that was written last: without it a copy is unfinished and
counts for nothing. `manage.py backup` takes one from a running portal, `manage.py restore` brings
one back into an empty place. See docs/decisions/0216-a-backup-is-files-around-one-moment.md.
"""

PARTS = ("portal", "files", "box", "registrar", "signer", "secrets")
SEALED = frozenset({"box", "registrar", "signer", "secrets"})  # only ever written encrypted


class BackupError(Exception):
    """It cannot be done; says what to do."""
