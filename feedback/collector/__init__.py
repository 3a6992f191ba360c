"""Collects the reports of a fleet whose servers have no way to the internet. Standard library only.

    python -m feedback.collector hosts.txt --submit https://portal.example.org

asks every server for the report that it would send, and submits them together. A folder of its own
(`cp -r feedback/collector`) runs without the rest of the portal: `python -m collector`.
"""
