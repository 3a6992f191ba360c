"""Whether everything is there that a count needs."""

from governance.models import Election


def is_opened(election: Election) -> bool:
    """Whether enough scrutineers told their shares, and all officers their hidden numbers."""
    if election.officers.filter(told_at__isnull=True).exists():
        return False
    told = election.scrutineers.filter(opened_at__isnull=False).count()
    return not election.is_sealed or told >= election.shares_needed
