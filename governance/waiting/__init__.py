"""What waits for a person, from every part of governance: each module knows one kind."""
