from portal.sponsors.models.agreement import Agreement
from portal.sponsors.models.application import Application

__all__ = ["Agreement", "Application"]
