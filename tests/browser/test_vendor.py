import hashlib
import re

from tests.browser.visitor import VENDOR


def test_the_vendored_checker_is_the_file_that_was_reviewed() -> None:
    told = re.search(r"`axe\.min\.js`.*`([0-9a-f]{64})`", (VENDOR / "README.md").read_text())
    assert told is not None
    assert hashlib.sha256((VENDOR / "axe.min.js").read_bytes()).hexdigest() == told[1]
