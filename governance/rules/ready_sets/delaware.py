"""A trade association in Delaware, 501(c)(6): what the law says where the bylaws say nothing."""

from django.utils.translation import gettext_lazy as _

from governance.rules.ready_sets.ready_set import ReadyRules, ReadySet, Source

_CODE = "https://delcode.delaware.gov/title8/c001"
_BOARD = {
    "quorum": "majority",
    "quorum_base": "fixed",
    "quorum_clause": "8 Del. C. § 141(b)",
    "seats_clause": "8 Del. C. § 141(b)",
    "threshold": "strict",
    "pass_base": "present",
    "pass_clause": "8 Del. C. § 141(b)",
    "recused_count_for_quorum": True,
    "recused_leave_base": False,
    "disinterested_majority": True,
    "recusal_clause": "8 Del. C. § 144",
    "tie": "status_quo",
    "tie_clause": "8 Del. C. § 141(b)",
    "opening_clause": "8 Del. C. § 141(b)",
    "seconds_needed": 1,
    "consent": "unanimous",
    "consent_days": 60,
    "consent_clause": "8 Del. C. § 141(f)",
    "vacancy_filled_by": "body",
    "vacancy_term": "rest_of_term",
    "vacancy_clause": "8 Del. C. § 223",
}

DELAWARE = ReadySet(
    slug="delaware",
    name=_("Board of a Delaware 501(c)(6)"),
    about=_(
        "What the corporation law of Delaware says where the bylaws of a trade association say "
        "nothing else: a majority of the directors is a quorum, a majority of those present "
        "decides, and in writing all of them sign. Members decide in writing by as many "
        "signatures as a meeting with everybody present would need."
    ),
    sources=(
        Source("8 Del. C. § 141, § 144", f"{_CODE}/sc04/index.html"),
        Source("8 Del. C. § 215, § 223, § 228", f"{_CODE}/sc07/index.html"),
    ),
    rules=(
        ReadyRules("ordinary", _("Decisions of the board"), _BOARD),
        ReadyRules(
            "members",
            _("Decisions of the members"),
            {
                "quorum": "third",
                "quorum_base": "eligible",
                "quorum_by": "present",
                "quorum_clause": "8 Del. C. § 215(c)(1)",
                "seats_clause": "8 Del. C. § 215(b)",
                "threshold": "strict",
                "pass_base": "present",
                "pass_clause": "8 Del. C. § 215(c)(2)",
                "recused_leave_base": False,
                "recusal_clause": "8 Del. C. § 215(c)(2)",
                "tie_clause": "8 Del. C. § 215(c)(2)",
                "opening_clause": "8 Del. C. § 222",
                "seconds_needed": 0,
                "consent": "as_if_present",
                "consent_days": 60,
                "consent_notice": True,
                "consent_clause": "8 Del. C. § 228",
                "notice_days": 10,
                "change_clause": "8 Del. C. § 222(b)",
                "record_days": 10,
                "membership_clause": "8 Del. C. § 213(a)",
            },
        ),
    ),
)
