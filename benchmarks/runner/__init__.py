"""The runner: measures connectors against a MariaDB server and writes the portal's format.

`python -m benchmarks.runner --help`. It needs Python, a server's programs (`mariadbd`, `mariadb`)
and what each driver's language needs; nothing of the portal itself. docs/benchmarks/runner.md.
"""
