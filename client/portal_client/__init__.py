"""The command line of a Foundation Portal.

``portal_upload`` and ``portal_benchmark`` are the one-file clients that a portal hands out, here by
links: one text, used alone or through ``portal``.
"""

__version__ = "0.1.0"
