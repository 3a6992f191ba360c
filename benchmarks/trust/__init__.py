"""What a number is worth: who stands behind it, and what speaks against it. Pure."""
