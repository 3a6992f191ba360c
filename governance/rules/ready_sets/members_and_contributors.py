"""A board of two halves, elected by corporate members and by contributors."""

from django.utils.translation import gettext_lazy as _

from governance.rules.ready_sets.ready_set import ReadyRules, ReadySet, Source

_ORDINARY = {
    "quorum": "majority",
    "quorum_base": "filled",
    "quorum_clause": "Bylaws, quorum",
    "seats_clause": "Bylaws, board",
    "threshold": "strict",
    "pass_base": "present",
    "pass_clause": "Bylaws, action",
    "recused_leave_base": True,
    "recusal_clause": "Bylaws, conflicts",
    "tie": "status_quo",
    "tie_clause": "Bylaws, action",
    "minimum_hours": 72,
    "opening_clause": "Bylaws, action",
    "consent": "unanimous",
    "consent_clause": "Bylaws, consent",
    "cap_seats": 1,
    "cap_clause": "Bylaws, board",
    "vacancy_filled_by": "same_class",
    "vacancy_term": "next_election",
    "vacancy_clause": "Bylaws, vacancies",
}

MEMBERS_AND_CONTRIBUTORS = ReadySet(
    slug="members-and-contributors",
    name=_("Board after MariaDB's and Eclipse's model"),
    about=_(
        "Half of the directors are elected by corporate members, half by technical contributors. "
        "The board decides with the majority of those present. A change of the bylaws takes two "
        "thirds of the board with a majority in both halves, public discussion, and two thirds "
        "of the members at large, a third of whom have to vote."
    ),
    sources=(
        Source(_("By-laws of the MariaDB Foundation"), "https://mariadb.org/bylaws/"),
        Source(
            _("Eclipse Foundation, vote on the bylaws of 2019: two thirds of the membership"),
            "https://www.eclipse.org/membership/vote2019/",
        ),
        Source(
            _("MariaDB Foundation, 2013: next steps to community governance"),
            "https://mariadb.org/mariadb-foundation-takes-next-steps-to-community-governance/",
        ),
    ),
    rules=(
        ReadyRules("ordinary", _("Ordinary decisions of the board"), _ORDINARY),
        ReadyRules(
            "bylaws",
            _("Change of the bylaws: the board"),
            _ORDINARY
            | {
                "threshold": "two_thirds",
                "pass_base": "filled",
                "per_class": True,
                "pass_clause": "Bylaws, amendments",
                "discussion_days": 14,
                "discussion_restarts": True,
                "discussion_clause": "Bylaws, amendments",
                "minimum_hours": 168,
                "consent": "none",
                "notice_days": 30,
                "public_discussion_days": 30,
                "member_vote": "both",
                "effective_after_days": 14,
                "change_clause": "Bylaws, amendments",
            },
        ),
        ReadyRules(
            "members-bylaws",
            _("Change of the bylaws: the members at large"),
            {
                "quorum": "third",
                "quorum_base": "eligible",
                "quorum_by": "ballots",
                "quorum_clause": "Bylaws, members",
                "seats_clause": "Bylaws, members",
                "threshold": "two_thirds",
                "pass_base": "cast",
                "minimum_yes": 10,
                "pass_clause": "Bylaws, amendments",
                "recusal_clause": "Bylaws, members",
                "tie_clause": "Bylaws, members",
                "seconds_needed": 0,
                "may_open": "officers",
                "minimum_hours": 336,
                "opening_clause": "Bylaws, members",
                "record_days": 14,
                "activity": "either",
                "affirmation_months": 12,
                "membership_clause": "Bylaws, members",
            },
        ),
    ),
)
