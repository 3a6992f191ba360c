from portal.members.models.contact import Contact
from portal.members.models.logo import Logo
from portal.members.models.organisation import Organisation
from portal.members.models.term import Term
from portal.members.models.tier import SupporterKind, Tier, TierPrice

__all__ = ["Contact", "Logo", "Organisation", "SupporterKind", "Term", "Tier", "TierPrice"]
