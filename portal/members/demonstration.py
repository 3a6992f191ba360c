"""The offer of the demonstration foundation: kinds, tiers and prices."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.money import Money
from portal.members.actions.contributor import accept_standing, change_contributor
from portal.members.actions.mailing import send_mailing, write_mailing
from portal.members.actions.nomination import Case, approve_nomination, nominate
from portal.members.actions.subscriber import name_subscriber
from portal.members.actions.tier import define_kind, save_tier, sentences
from portal.members.models import (
    Benefit,
    BenefitKind,
    Contributor,
    Nomination,
    Organisation,
    Subscriber,
    Tier,
)
from portal.members.terms import add_months

BIG, MID, LOW = Tier.LogoSize.BIG, Tier.LogoSize.MID, Tier.LogoSize.LOW


@dataclass(frozen=True)
class Contribution:
    """A contributor of the demonstration."""

    name: str
    about: str
    did: str
    link: str
    days: int  # since the nomination was approved


CONTRIBUTIONS = [
    Contribution(
        "Ines Duarte",
        "Optimizer, and its tests",
        "Rewrote the cost model of range scans, with 60 tests. Answers on the list every week.",
        "https://code.example/ines/cost-model",
        180,
    ),
    Contribution(
        "Hiro Tanaka",
        "Connectors for Java and Python",
        "Maintains both connectors since 2021 and reviews what others send.",
        "https://code.example/hiro",
        95,
    ),
    Contribution(
        "Kemi Adeyemi",
        "Documentation, Yoruba translation",
        "Wrote the chapter about replication, and translated the first steps.",
        "https://docs.example/replication",
        40,
    ),
]
WAITING = Case(
    name="Mila Sato",
    email="mila@example.org",
    did="Found and fixed three crashes of the storage engine, each with a test that fails"
    " without the fix. Helps people on the chat most evenings.",
    links=["https://code.example/mila/crash-1", "https://code.example/mila/crash-2"],
)


def silver_benefits() -> list[Benefit]:
    return [
        Benefit(kind=BenefitKind.LOGO, text="Logo on the supporters page, small"),
        *sentences("Logo wall for your site"),
        *sentences("No vote", included=False),
    ]


def gold_benefits() -> list[Benefit]:
    return [
        Benefit(kind=BenefitKind.LOGO, text="Logo on the supporters page, medium"),
        Benefit(kind=BenefitKind.SEATS, quantity=1),
        Benefit(kind=BenefitKind.VOTES, quantity=1),
    ]


def platinum_benefits() -> list[Benefit]:
    return [
        Benefit(kind=BenefitKind.LOGO, text="Logo first and large"),
        Benefit(kind=BenefitKind.SEATS, quantity=2),
        Benefit(kind=BenefitKind.VOTES, quantity=1, text="One vote, as every member"),
        Benefit(quantity=2, text="Two talks a year with the council"),
        Benefit(
            kind=BenefitKind.TICKETS,
            quantity=4,
            months_to_use=9,
            text="Four tickets for the annual conference",
        ),
        *sentences("Security notices before everyone"),
    ]


BENEFITS = {"silver": silver_benefits, "gold": gold_benefits, "platinum": platinum_benefits}

LETTER = (
    "What we plan for the next series",
    """\
The council asks for your advice before it decides on **20 January**.

| plan | for whom | cost |
|---|---|---|
| Online change of columns | everybody | four months of one person |
| A second storage engine | large installations | a year of two |

Which would your people use first? Answer by the end of the year; every answer is read aloud in
the meeting.
""",
)
DRAFT = (
    "Dates of the meetings in spring",
    "The advisory list meets twice, on **3 March** and **5 May**, online.\n",
)


def load(*, actor: User, at: datetime) -> None:
    """Three tiers of the year of `at`, in euro, dollar and yen."""
    sponsor = define_kind(
        actor=actor, slug="sponsor", name="sponsor", plural="sponsors", takes_part=False
    )
    member = define_kind(
        actor=actor, slug="member", name="member", plural="members", takes_part=True
    )
    silver = Tier(
        year=at.year,
        slug="silver",
        name="Silver",
        kind=sponsor,
        note="any size",
        rank=3,
        logo_size=LOW,
    )
    gold = Tier(
        year=at.year,
        slug="gold",
        name="Gold",
        kind=member,
        rank=2,
        logo_size=MID,
        is_highlighted=True,
    )
    platinum = Tier(
        year=at.year,
        slug="platinum",
        name="Platinum",
        kind=member,
        rank=1,
        logo_size=BIG,
        capacity=6,
        needs_review=True,
        early_notices=True,
    )
    offer(actor, silver, [5_000, 5_500, 800_000], BENEFITS["silver"]())
    offer(actor, gold, [20_000, 22_000, 3_200_000], BENEFITS["gold"]())
    offer(actor, platinum, [50_000, 55_000, 8_000_000], BENEFITS["platinum"]())
    for contribution in CONTRIBUTIONS:
        welcome(actor, contribution, at)
    if not Nomination.objects.of_address(WAITING.email).exists():
        nominate(actor=people.person(people.DANA), case=WAITING, at=at)


def load_more(*, actor: User, at: datetime) -> Iterator[str]:
    """The advisory list, once the supporters are there: a seat each, a letter, a draft."""
    if Subscriber.objects.exists():
        return
    for organisation in Organisation.objects.members_on(at):
        owner = organisation.contacts.filter(role=Role.OWNER)[0]
        name_subscriber(
            actor=actor, organisation=organisation, name=owner.name, email=owner.email, at=at
        )
    number = Subscriber.objects.receiving(at).count()
    letter = write_mailing(actor=actor, subject=LETTER[0], text=LETTER[1])
    send_mailing(actor=actor, mailing=letter, expected=number, at=at)
    write_mailing(actor=actor, subject=DRAFT[0], text=DRAFT[1])
    yield f"advisory list: {number} seats, a letter and a draft"


def welcome(actor: User, contribution: Contribution, at: datetime) -> None:
    """Nominated by Dana, approved, accepted; a year and a half are left."""
    email = people.address(contribution.name)
    if Contributor.objects.filter(email=email).exists():
        return
    start = at - timedelta(days=contribution.days)
    case = Case(contribution.name, email, contribution.did, [contribution.link])
    nomination = nominate(actor=people.person(people.DANA), case=case, at=start)
    standing = approve_nomination(
        actor=actor, nomination=nomination, until=add_months(start, 24), at=start
    )
    contributor = accept_standing(
        user=people.person(contribution.name),
        contributor=standing.contributor,
        is_listed=True,
        at=start,
    )
    contributor.about = contribution.about
    change_contributor(actor=people.person(contribution.name), contributor=contributor)


def offer(actor: User, tier: Tier, amounts: list[int], benefits: list[Benefit]) -> None:
    """Add the tier unless it is there; one membership or sponsorship at a time."""
    if Tier.objects.filter(year=tier.year, slug=tier.slug).exists():
        return
    euro, dollar, yen = amounts
    prices = [Money(euro * 100, "EUR"), Money(dollar * 100, "USD"), Money(yen, "JPY")]
    others = Tier.objects.filter(year=tier.year)
    save_tier(actor=actor, tier=tier, prices=prices, benefits=benefits, conflicts=others)
