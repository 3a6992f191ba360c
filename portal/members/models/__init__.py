from portal.members.models.benefit import Benefit, BenefitKind, BenefitUse, Entitlement
from portal.members.models.cancellation import Cancellation
from portal.members.models.contact import Contact
from portal.members.models.contributor import Contributor, Standing
from portal.members.models.data_export import DataExport, DataExportPiece
from portal.members.models.logo import Logo
from portal.members.models.logo_change import LogoChange
from portal.members.models.mailing import Delivery, Mailing
from portal.members.models.nomination import Nomination
from portal.members.models.organisation import Organisation
from portal.members.models.renewal_stop import RenewalStop
from portal.members.models.subscriber import Subscriber
from portal.members.models.term import Term
from portal.members.models.tier import SupporterKind, Tier, TierPrice
from portal.members.models.transfer import Transfer

__all__ = [
    "Benefit",
    "BenefitKind",
    "BenefitUse",
    "Cancellation",
    "Contact",
    "Contributor",
    "DataExport",
    "DataExportPiece",
    "Delivery",
    "Entitlement",
    "Logo",
    "LogoChange",
    "Mailing",
    "Nomination",
    "Organisation",
    "RenewalStop",
    "Standing",
    "Subscriber",
    "SupporterKind",
    "Term",
    "Tier",
    "TierPrice",
    "Transfer",
]
