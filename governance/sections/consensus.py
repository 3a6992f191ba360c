"""What was carried by consensus: the text, who was asked, and every word of theirs."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from governance.models import Consensus, Motion, Participant
from governance.sections import rules
from governance.sections.asked import Asked
from governance.sections.motion import about, decided, moment

REACHED = Prefetch(
    "consensuses",
    Consensus.objects.filter(state=Consensus.State.REACHED)
    .select_related("called_by", "rule_set__body")
    .prefetch_related("participants__positions"),
    to_attr="reached",
)


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    found = decided(asked, Motion.Way.CONSENSUS).prefetch_related(REACHED)
    for motion in found.iterator(chunk_size=200):
        (consensus,) = motion.reached  # type: ignore[attr-defined]  # by REACHED
        yield f"motions/{motion.slug}", _document(consensus, motion)


def _document(consensus: Consensus, motion: Motion) -> dict[str, Any]:
    asked = list(consensus.participants.all())
    return about(motion) | {
        "kind": "consensus",
        "rules": rules.name_of(consensus.rule_set) if consensus.rule_set else "",
        "round": consensus.round,
        "called": moment(consensus.called_at),
        "called_by": str(consensus.called_by),
        "ends": moment(consensus.ends_at),
        "resolving_until": moment(consensus.resolving_until),
        "needed": consensus.needed,
        "participants": [
            {
                "seat": each.number,
                "name": each.name,
                "affiliation": each.affiliation,
                "office": each.office,
                "is_counted": each.is_counted,
            }
            for each in asked
        ],
        "positions": _positions(asked, motion),
    }


def _positions(asked: list[Participant], motion: Motion) -> list[dict[str, Any]]:
    """Every word of everybody, in the order in which they were said."""
    said = [(position, each) for each in asked for position in each.positions.all()]
    return [
        {
            "seat": each.number,
            "stance": position.stance,
            "reason": motion.as_public(position.reason),
            "said": moment(position.said_at),
        }
        for position, each in sorted(said, key=lambda pair: pair[0].pk)
    ]
