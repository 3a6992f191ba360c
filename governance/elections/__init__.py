"""Elections: who may do what and when, from nominations to the declared result."""
