"""Meetings beyond their rows: the document of the minutes, presence, calendars, words, letters."""
