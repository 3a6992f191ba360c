"""Elections: counting ballot papers."""
