"""`python -m portal_client` is `portal`."""

from portal_client.main import run

run()
