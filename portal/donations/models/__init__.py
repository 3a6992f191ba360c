from portal.donations.models.currency import DonationCurrency
from portal.donations.models.donation import Dedication, Donation, DonationQuerySet

__all__ = ["Dedication", "Donation", "DonationCurrency", "DonationQuerySet"]
