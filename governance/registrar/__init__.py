"""The process that signs pseudonyms of voters blindly, one for each number of a roll."""
