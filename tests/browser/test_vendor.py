import hashlib
import re

from tests.browser.modules import STATIC
from tests.browser.visitor import VENDOR


def test_the_vendored_checker_is_the_file_that_was_reviewed() -> None:
    told = re.search(r"`axe\.min\.js`.*`([0-9a-f]{64})`", (VENDOR / "README.md").read_text())
    assert told is not None
    assert hashlib.sha256((VENDOR / "axe.min.js").read_bytes()).hexdigest() == told[1]


def test_what_voters_run_is_what_was_reviewed() -> None:
    folder = STATIC / "vendor"
    told = re.findall(
        r"^\| `(\S+)` .*`([0-9a-f]{64})` \|$", (folder / "README.md").read_text(), re.M
    )
    found = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in {"README.md", "LICENSE.txt"}
    }
    assert dict(told) == found
    assert {path.parent.name for path in folder.rglob("LICENSE.txt")} == {"blindrsa", "sjcl"}
