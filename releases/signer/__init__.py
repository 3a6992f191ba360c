"""The signer process: `python -m releases.signer`. It alone reads the private key."""
