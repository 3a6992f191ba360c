"""Everything after the close of an election that anybody can do again: open the ballots, count,
compare with what was published, and fill a seat that became free.

Pure, on the standard library and `cryptography`: these modules lie in every bundle, beside those of
`governance.sealed` and `governance.tally`.
"""
