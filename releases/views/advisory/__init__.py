"""Advisories: public pages, documents for programs, early readers, and their managers' pages."""
