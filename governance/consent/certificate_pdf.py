"""The certificate of a written consent: the text, who signed it when, and the digests."""

from django.conf import settings
from django.utils.translation import gettext as _

from governance.consent import consenting
from governance.models import Consent, RuleSet
from governance.reasons import in_words
from portal.lib.pdf import Document


def write(consent: Consent) -> bytes:
    """Of a consent that is effective; the same rows always say the same."""
    motion = consent.motion
    if consent.effective_at is None or motion.rule_set is None:
        raise ValueError("only what is effective has a certificate")
    title = _("Certificate of written consent")
    foot = f"{title} {motion.resolution}"
    paper = Document(title=title, author=settings.FOUNDATION_NAME, foot=foot)
    paper.set_creation_date(consent.effective_at)
    paper.rows(
        [
            (_("Resolution"), motion.resolution),
            (_("Decided by"), motion.deciders),
            (_("Rules"), _rules(motion.rule_set)),
            (_("Clause"), motion.rule_set.consent_clause or "—"),
            (_("List of signers frozen"), in_words(motion.opened_at)),
            (_("Effective"), in_words(consent.effective_at)),
        ]
    )
    paper.words(motion.title, size=14, bold=True)
    paper.words(motion.text.replace("\r\n", "\n"), after=4)
    paper.words(f"sha256 {motion.text_sha256}", size=8, soft=True, after=6)
    _signers(paper, consent)
    paper.words(
        _(
            "Each signer had just proved who they are. The statements that were signed, word for"
            " word, are in the signed bundle of decisions: %(url)s"
        )
        % {"url": f"{settings.BASE_URL}/governance/decisions/"},
        size=9,
        soft=True,
    )
    return paper.written()


def _rules(rule_set: RuleSet) -> str:
    words = {"name": rule_set.name, "number": rule_set.version}
    return _("%(name)s, version %(number)s") % words


def _signers(paper: Document, consent: Consent) -> None:
    lines = consenting.lines(consent, consent.effective_at or consent.deadline)
    signed = [line.signature for line in lines if line.signature]
    words = {"signed": len(signed), "all": len(lines), "needed": consent.needed}
    paper.words(
        _("Signed by %(signed)s of %(all)s; %(needed)s were needed") % words, size=14, bold=True
    )
    for signature in signed:
        voter = signature.voter
        whose = f"{voter.name}, {voter.affiliation}" if voter.affiliation else voter.name
        paper.row(whose, in_words(signature.made_at), note=f"sha256 {signature.sha256}")
    paper.ln(3)
    missing = [line.voter.name for line in lines if line.signature is None]
    if missing:
        paper.words(_("Without a signature: %(names)s") % {"names": ", ".join(missing)})
