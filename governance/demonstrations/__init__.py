"""Parts of the demonstration that come after the bodies and their first motions, one a noun."""
