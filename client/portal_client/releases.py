"""`portal releases upload`: the one-file client, with the settings of this program."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any, Dict

from portal_client import portal_upload
from portal_client.errors import OK, REFUSED, UNREACHABLE, UNREADABLE, PortalError
from portal_client.settings import with_token

Report = Dict[str, Any]


def upload(options: Namespace) -> int:
    """Send every file, also after one was refused; go on where an earlier run was cut off."""
    settings = with_token(options, "releases:upload")
    try:
        paths = portal_upload.files_of(options.files)
        portal = portal_upload.Portal(settings.url, settings.token)
        if not options.json:
            return portal_upload.send_all(portal, paths, options)
        reports = [_sent(portal, path, options) for path in paths]
        for report in reports:
            _settle(portal, report)
    except portal_upload.UnreachableError as error:
        raise PortalError(UNREACHABLE, f"{error}. Run the same command again to go on.") from None
    except OSError as error:
        raise PortalError(UNREADABLE, str(error)) from None
    print(json.dumps({"product": options.product, "version": options.version, "files": reports}))
    return REFUSED if any(report["reason"] for report in reports) else OK


def _sent(portal: portal_upload.Portal, path: str, options: Namespace) -> Report:
    """What came of one file so far; the portal looks at it while others are sent."""
    report: Report = {"file": path, "state": "refused", "reason": ""}
    try:
        what = portal_upload.examine(portal, path, options)
        report["state"] = "fits"
        if not options.check:
            report.update(portal_upload.send(portal, path, what))
    except portal_upload.RefusedError as error:
        report.update(state="refused", reason=str(error))
    return report


def _settle(portal: portal_upload.Portal, report: Report) -> None:
    if "id" in report:
        report.update(portal_upload.wait(portal, report))
