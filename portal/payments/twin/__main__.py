"""Starts the twin: `python -m portal.payments.twin`."""

import os
import signal
import sys
import threading
from pathlib import Path
from urllib.parse import urlsplit

import django
from django.conf import settings


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()  # for the templates and their words; no model is used
    if settings.PAYMENT_PROVIDER != "twin":
        print("A Stripe key is set: the twin does not run beside it.", file=sys.stderr)  # noqa: T201
        return 1
    from portal.payments.twin.delivery import Courier
    from portal.payments.twin.server import Twin
    from portal.payments.twin.state import State
    from portal.payments.twin.wire import serve

    state = State(Path(settings.STATE_DIR) / "payment-twin.db")
    courier = Courier(state, settings.TWIN_WEBHOOK_URL, settings.STRIPE_WEBHOOK_SECRET)
    static = Path(settings.BASE_DIR) / "static"
    twin = Twin(state, settings.TWIN_URL, courier, static)
    host = os.environ.get("LISTEN_HOST", "127.0.0.1")
    port = int(os.environ.get("TWIN_PORT") or urlsplit(settings.TWIN_URL).port or 8003)
    server = serve(twin, host, port)
    threading.Thread(target=courier.run, args=[settings.TWIN_URL], daemon=True).start()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: threading.Thread(target=server.shutdown).start())
    print(f"payment twin on {settings.TWIN_URL}", flush=True)  # noqa: T201
    server.serve_forever()
    courier.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
