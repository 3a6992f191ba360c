"""As whom an application is billed."""

from portal.lib import languages
from portal.members.billing import Billed, billed_as
from portal.sponsors.models import Application


@languages.for_the_record
def billed(application: Application) -> Billed:
    """A supporter as its own pages say now, a new one as its application says."""
    if application.organisation is not None:
        return billed_as(application.organisation)
    lines = [
        *application.address.splitlines(),
        application.get_country_display(),
        application.vat_number,
    ]
    return Billed(
        name=application.legal_name,
        email=application.billing_email or application.owner_email,
        lines="\n".join(line for line in lines if line),
        country=application.country,
        vat_number=application.vat_number,
    )
