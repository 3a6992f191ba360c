"""The process that takes sealed ballots and keeps the board; it knows no voter."""
