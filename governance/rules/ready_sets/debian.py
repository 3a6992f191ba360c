"""Debian's general resolutions, for a motion against "further discussion"."""

from django.utils.translation import gettext_lazy as _

from governance.rules.ready_sets.ready_set import ReadyRules, ReadySet, Source

_GENERAL = {
    "quorum": "square_root",
    "quorum_base": "eligible",
    "quorum_by": "yes",
    "quorum_clause": "Constitution 4.2, A.5.2",
    "seats_clause": "Constitution 4.2",
    "threshold": "simple",
    "pass_base": "cast",
    "pass_clause": "Constitution A.5.3",
    "recusal_clause": "Constitution 4.2",
    "tie_clause": "Constitution A.5.3",
    "seconds_needed": 5,
    "discussion_days": 14,
    "discussion_restarts": False,
    "discussion_clause": "Constitution 4.2, A.1",
    "minimum_hours": 336,
    "opening_clause": "Constitution 4.2, A.3",
}

DEBIAN = ReadySet(
    slug="debian",
    name=_("General resolution after Debian's model"),
    about=_(
        "Everybody on the roll votes. Three halves of the square root of the roll have to prefer "
        "the motion to further discussion, and more prefer it than not; what overrules a "
        "founding document needs three for each who does not."
    ),
    sources=(
        Source(_("Debian, its constitution in summary"), "https://en.wikipedia.org/wiki/Debian"),
    ),
    rules=(
        ReadyRules("general", _("General resolution"), _GENERAL),
        ReadyRules(
            "constitution",
            _("Change of the constitution, 3 : 1"),
            _GENERAL | {"threshold": "ratio", "ratio": 3, "pass_clause": "Constitution 4.1, A.5.3"},
        ),
    ),
)
