"""A council that looks for consensus and votes as Apache's projects do."""

from django.utils.translation import gettext_lazy as _

from governance.rules.ready_sets.ready_set import ReadyRules, ReadySet, Source

_PROCEDURAL = {
    "quorum": "none",
    "quorum_base": "filled",
    "quorum_clause": "Voting, procedural",
    "seats_clause": "Voting, binding votes",
    "threshold": "simple",
    "pass_base": "cast",
    "pass_clause": "Voting, procedural",
    "recusal_clause": "Voting, binding votes",
    "tie_clause": "Voting, procedural",
    "seconds_needed": 0,
    "minimum_hours": 72,
    "opening_clause": "Voting, 72 hours",
}

APACHE = ReadySet(
    slug="apache",
    name=_("Council after Apache's model"),
    about=_(
        "No quorum; every vote is open for three days. Questions of procedure take more yes than "
        "no, a release three yes and more yes than no, a change of code three yes and nobody "
        "against it."
    ),
    sources=(
        Source(_("Apache voting process"), "https://www.apache.org/foundation/voting.html"),
        Source(
            _("Apache: consensus building and lazy consensus"),
            "https://community.apache.org/committers/decisionMaking.html",
        ),
    ),
    rules=(
        ReadyRules("procedure", _("Questions of procedure"), _PROCEDURAL),
        ReadyRules(
            "release",
            _("Releases"),
            _PROCEDURAL | {"minimum_yes": 3, "pass_clause": "Voting, releases"},
        ),
        ReadyRules(
            "code",
            _("Changes of code"),
            _PROCEDURAL
            | {
                "threshold": "unanimous",
                "minimum_yes": 3,
                "early_close": False,
                "pass_clause": "Voting, code modifications",
            },
        ),
    ),
)
