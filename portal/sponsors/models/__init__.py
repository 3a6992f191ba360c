from portal.sponsors.models.agreement import Agreement
from portal.sponsors.models.application import Application
from portal.sponsors.models.notice import RenewalNotice

__all__ = ["Agreement", "Application", "RenewalNotice"]
