#!/usr/bin/env python
"""Django's command line for the portal."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    from django.core.management import execute_from_command_line

    from portal import local

    with local.installation():
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
