"""`vote.zip`: the program with copies of the pure modules that it stands on."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Final

from governance.recount import code

PROGRAM: Final = "vote.py"
_MODULES: Final = ("__init__.py", "choosing.py", "recovery.py", "vote.py")


def archive() -> bytes:
    """The same bytes for the same code, so that its hash can be told in a manifest."""
    here = Path(__file__).resolve().parent
    own = {f"{code.FOLDER}governance/voting/{name}": here / name for name in _MODULES}
    files = code.modules() | {name: path.read_bytes() for name, path in own.items()}
    files[PROGRAM] = (here / "start.py").read_bytes()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as found:
        for name in sorted(files):
            found.writestr(zipfile.ZipInfo(f"vote/{name}"), files[name])
    return out.getvalue()
