"""What the database promises about a motion, whatever wrote the row."""

from django.db.models import BaseConstraint, CheckConstraint, F, Q, UniqueConstraint

BEFORE_VOTE = ["draft", "discussion", "on_hold", "lapsed"]
ADOPTED = Q(state__in=["adopted", "superseded"])
DECIDED = Q(state__in=["adopted", "superseded", "failed", "void"])
NEVER_OPENED = Q(
    opened_at__isnull=True, deadline__isnull=True, rule_set__isnull=True, text_sha256=""
)
OPENED = Q(opened_at__isnull=False, rule_set__isnull=False) & ~Q(text_sha256="")
UNNUMBERED = Q(year__isnull=True, number__isnull=True)
ON_HOLD = Q(state="on_hold", held_at__isnull=False, held_from__in=["draft", "discussion"])


def _check(name: str, condition: Q) -> CheckConstraint:
    return CheckConstraint(name=name, condition=condition)


CONSTRAINTS: list[BaseConstraint] = [
    UniqueConstraint(fields=["year", "number"], name="resolution_number_once"),
    _check(
        "motion_opened_whole",
        Q(NEVER_OPENED, state__in=[*BEFORE_VOTE, "withdrawn"])
        | (~Q(state__in=BEFORE_VOTE) & OPENED),
    ),
    _check(
        "motion_vote_has_a_deadline",
        Q(opened_at__isnull=True)
        | Q(deadline__gt=F("opened_at"))
        | (~Q(way="vote") & Q(deadline__isnull=True)),
    ),
    _check(
        "motion_decided_has_a_date",
        Q(DECIDED, decided_at__gte=F("opened_at")) | Q(~DECIDED, decided_at__isnull=True),
    ),
    _check(
        "motion_adopted_has_a_number",
        Q(ADOPTED, amendment__isnull=True, year__isnull=False, number__gte=1)
        | Q(ADOPTED & UNNUMBERED, amendment__isnull=False)
        | (~ADOPTED & UNNUMBERED),
    ),
    _check(
        "motion_adopted_takes_effect",
        Q(ADOPTED, effective_on__isnull=False) | Q(~ADOPTED, effective_on__isnull=True),
    ),
    _check(
        "motion_superseded_by_another",
        Q(superseded_by__isnull=True, superseded_on__isnull=True) & ~Q(state="superseded")
        | Q(ADOPTED, superseded_by__isnull=False, superseded_on__isnull=False)
        & ~Q(superseded_by=F("id")),
    ),
    _check(
        "motion_withdrawn_has_a_date",
        Q(state="withdrawn", withdrawn_at__isnull=False)
        | (~Q(state="withdrawn") & Q(withdrawn_at__isnull=True)),
    ),
    _check(
        "motion_seconded_by_another",
        Q(seconded_by__isnull=True, seconded_at__isnull=True)
        | (Q(seconded_at__isnull=False) & ~Q(seconded_by=F("proposed_by"))),
    ),
    _check(
        "motion_discussion_has_a_clock",
        Q(
            discussed_at__isnull=True,
            clock_from__isnull=True,
            active_at__isnull=True,
            discussed_by__isnull=True,
        )
        & ~Q(state__in=["discussion", "lapsed"])
        | Q(
            discussed_by__isnull=False,
            clock_from__gte=F("discussed_at"),
            active_at__gte=F("discussed_at"),
        ),
    ),
    _check(
        "motion_on_hold_with_reason",
        ON_HOLD & Q(held_by__isnull=False) & ~Q(held_because="")
        | ~Q(state="on_hold")
        & Q(held_at__isnull=True, held_by__isnull=True, held_from="", held_because=""),
    ),
    _check("motion_names_the_meeting_of_its_vote", Q(meeting__isnull=True) | Q(way="meeting")),
    _check(
        "motion_lapsed_has_a_date",
        Q(state="lapsed", lapsed_at__isnull=False)
        | (~Q(state="lapsed") & Q(lapsed_at__isnull=True)),
    ),
]
