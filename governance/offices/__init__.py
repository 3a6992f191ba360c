"""What the two own processes of sealed elections share: socket, database, keys, manifests.

The registrar signs pseudonyms and never sees a ballot; the box takes ballots and never sees a name.
Neither knows Django, and neither asks the other.
"""
