"""The board of an election as everybody reads it: from the box; once counted, from its bundle."""

from governance.box.client import Found
from governance.elections import offices
from governance.models import Election
from governance.recount import bundle, files
from governance.sealed import wire


def lines(election: Election, after: int = 0) -> list[bytes]:
    """The blocks after that number, one in a line."""
    if election.counted_at is None:
        return offices.ballot_box().blocks(election.name, after)
    return _kept(election)[after:]


def find(election: Election, digest: str) -> Found:
    """Where a ballot is."""
    if election.counted_at is None:
        return offices.ballot_box().find(election.name, digest)
    for line in _kept(election):
        block = wire.read_block(line)
        if digest in block.ballots:
            return Found(is_known=True, block=block.number)
    return Found(is_known=False)


def _kept(election: Election) -> list[bytes]:
    packed = bundle.unpack(bytes(election.count.bundle))
    return files.read_lines(packed.get(files.BLOCKS, b""))
