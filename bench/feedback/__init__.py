"""Usage reports: taking them in, reading them, storing them."""
