"""The cryptography of sealed ballots: pure, on the standard library and `cryptography` alone."""
