"""Foundation Portal: the composition root and the apps that every domain stands on."""

from portal.celery import app as celery_app

__all__ = ["celery_app"]
