"""What runs in the browsers of voters, by its hash: fixed in the manifest, so that anybody can
compare what they were served.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings

FOLDERS = ("js/election", "vendor/blindrsa")


@cache
def digests() -> dict[str, str]:
    """SHA-256 of each file that the page of a ballot runs, by its place among the static files."""
    root = Path(settings.BASE_DIR) / "static"
    found = (path for folder in FOLDERS for path in sorted((root / folder).rglob("*.js")))
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest() for path in found
    }
