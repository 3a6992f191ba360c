"""The accepted agreement as a PDF: the text word for word, and who accepted it when."""

from django.conf import settings
from django.utils import formats
from django.utils.translation import gettext as _

from portal.lib.pdf import Document
from portal.lib.pdf_markdown import write_markdown
from portal.sponsors.models import Application


def write(application: Application) -> bytes:
    agreement = application.agreement
    if agreement is None or application.accepted_at is None:
        raise ValueError("nothing was accepted")
    document = Document(title=str(agreement), author=settings.FOUNDATION_NAME)
    write_markdown(document, agreement.text)
    document.words(_("Acceptance"), bold=True, size=13)
    document.rows(
        [
            (_("Organisation"), application.legal_name),
            (_("Accepted by"), application.accepted_by),
            (_("Accepted on"), formats.date_format(application.accepted_at, "j F Y, H:i e")),
            (_("Version"), str(agreement.version)),
        ]
    )
    document.words(_("SHA-256 of the text: ") + application.agreement_sha256, size=9, soft=True)
    return document.written()
