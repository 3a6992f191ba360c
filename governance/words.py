"""The words around the numbers of a vote: labels of the arithmetic, states, the answer."""

from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import apnumber
from django.utils import formats
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import Body, Motion, RuleSet, Seat
from governance.rules.explained import majority, recusal
from governance.tally.report import Item, Line, Outcome, Report, Rule, Share
from governance.tally.rollcall import Standing
from governance.tally.rules import (
    SHARES,
    PassBase,
    Quorum,
    QuorumBase,
    QuorumBy,
    Rules,
    Threshold,
    by_threshold,
)

TONES = {
    "draft": "open",
    "discussion": "info",
    "on_hold": "warn",
    "open": "solid",
    "adopted": "good",
    "failed": "bad",
    "void": "warn",
    "superseded": "",
    "lapsed": "",
    "withdrawn": "",
}


@dataclass(frozen=True, slots=True)
class SumRow:
    """A row of `components/sum.html`."""

    label: str
    value: str
    note: str
    kind: str
    met: bool | None


def sum_rows(report: Report, rule_set: RuleSet) -> list[SumRow]:
    """The arithmetic as the page sets it, each line with its clause of the bylaws."""
    return [
        SumRow(
            label=_label(line, report, rule_set.body),
            value=signed(line.value),
            note=_note(line, report, rule_set),
            kind=line.weight.value,
            met=line.met,
        )
        for line in report.lines()
    ]


def signed(value: int) -> str:
    """Whole numbers with a true minus sign."""
    return str(value) if value >= 0 else f"− {-value}"


def standing(stand: Standing) -> str:
    return {
        Standing.YES: _("yes"),
        Standing.NO: _("no"),
        Standing.ABSTAIN: _("abstains"),
        Standing.RECUSED: _("recused"),
        Standing.ABSENT: _("absent"),
        Standing.VACANT: _("vacant"),
    }[stand]


def in_office(body: Body) -> str:
    if body.kind == Body.Kind.BOARD:
        return _("Directors in office")
    return _("Members in office")


def answer(report: Report) -> str:
    """The result in one sentence."""
    if report.outcome is Outcome.VOID:
        return _no_quorum(report)
    told = [_yes_against_needed(report)]
    if not report.has_quorum:
        told.append(
            _("The quorum asks for %(needed)s yes votes.")
            % {"needed": apnumber(report.quorum_needed)}
        )
    if report.has_majority:
        told += [_refused(share) for share in report.refusing]
    return " ".join(told)


def _no_quorum(report: Report) -> str:
    return ngettext(
        "%(got)s was present; the quorum is %(needed)s. Nothing was decided.",
        "%(got)s were present; the quorum is %(needed)s. Nothing was decided.",
        report.quorum_got,
    ) % {"got": spelled(report.quorum_got), "needed": apnumber(report.quorum_needed)}


def _yes_against_needed(report: Report) -> str:
    if report.casting_vote or report.lot:
        return _after_a_tie(report)
    return ngettext(
        "%(got)s voted yes; %(needed)s was needed.",
        "%(got)s voted yes; %(needed)s were needed.",
        report.needed,
    ) % {"got": spelled(report.got), "needed": apnumber(report.needed)}


def _after_a_tie(report: Report) -> str:
    words = _("%(got)s voted yes, with the lot %(all)s; %(needed)s were needed.")
    if report.casting_vote:
        words = _("%(got)s voted yes, with the casting vote %(all)s; %(needed)s were needed.")
    given = report.got - report.casting_vote - report.lot
    return words % {
        "got": spelled(given),
        "all": apnumber(report.got),
        "needed": apnumber(report.needed),
    }


def _refused(share: Share) -> str:
    if not share.name:
        words = _("Of the %(of)s who have no interest in it %(needed)s had to say yes.")
        return words % {"of": share.base, "needed": share.needed}
    words = _("%(name)s: %(got)s voted yes, %(needed)s were needed.")
    return words % {
        "name": constituency(share.name),
        "got": share.got,
        "needed": share.needed,
    }


def constituency(name: str) -> str:
    """How a constituency is called beside a number."""
    known = {each.value: str(each.label) for each in Seat.Constituency}
    return known.get(name, name)


def without_a_vote(motion: Motion) -> str:
    """How a motion that nobody voted on stands, in one sentence."""
    if motion.way == Motion.Way.CONSENSUS:
        return _("Nobody objects; carried by consensus.")
    if not motion.is_decided:
        return _("Being signed, without a vote.")
    if motion.resolution:
        return _("Carried by written consent.")
    return _("Too few signed in time; nothing was decided.")


def spelled(value: int) -> str:
    """A number at the start of a sentence: Three, 12."""
    return capfirst(str(apnumber(value))) if value else _("None")


def explanation(rules: Rules) -> str:
    """What abstaining and recusing did, by these rules."""
    return f"{majority.abstention(rules)} {recusal.counted(rules)}"


def _label(line: Line, report: Report, body: Body) -> str:
    if line.item is Item.PRESENT:
        return _quorum_label(report)
    if line.item is Item.NEEDED:
        return needed(report.rules)
    if line.item is Item.RECUSED:
        return _("less recused") if line.value < 0 else _("plus recused")
    if line.item is Item.CLASS:
        return _("Yes votes: %(name)s") % {"name": constituency(line.name)}
    return {
        Item.SEATS: _("Voting seats"),
        Item.VACANT: _("less vacant"),
        Item.IN_OFFICE: in_office(body),
        Item.ROLL: _("Members on the roll"),
        Item.TOOK_PART: _("Took part"),
        Item.ABSENT: _("less absent"),
        Item.ABSTAINED: _("less abstentions"),
        Item.BASE: _("Base"),
        Item.OPTION: _("Yes votes, for the quorum"),
        Item.DISINTERESTED: _("Yes votes of the disinterested"),
        Item.NO: _("No votes"),
        Item.MINIMUM: _("Needed at least, whatever the base"),
        Item.YES: _("Yes votes"),
        Item.CASTING: _("Casting vote of the chair"),
        Item.LOT: _("The lot, drawn for the motion"),
        Item.TOTAL: _total_label(report),
    }[line.item]


def _total_label(report: Report) -> str:
    return _("Yes votes with the lot") if report.lot else _("Yes votes with the casting vote")


def _quorum_label(report: Report) -> str:
    if report.rules.quorum is Quorum.NONE:
        return _("Present, no quorum is asked")
    words = {"quorum": report.quorum_needed}
    if report.rules.quorum_by is QuorumBy.BALLOTS:
        return _("Ballots cast, quorum is %(quorum)s") % words
    return _("Present, quorum is %(quorum)s") % words


def needed(rules: Rules) -> str:
    return {
        Threshold.SIMPLE: _("Needed, more yes than no"),
        Threshold.STRICT: _("Needed, more than half"),
        Threshold.TWO_THIRDS: _("Needed, two thirds rounded up"),
        Threshold.THREE_QUARTERS: _("Needed, three quarters rounded up"),
        Threshold.UNANIMOUS: _("Needed, all of the base"),
        Threshold.RATIO: ngettext(
            "Needed, %(ratio)s yes for each no", "Needed, %(ratio)s yes for each no", rules.ratio
        )
        % {"ratio": rules.ratio},
    }[rules.threshold]


def _note(line: Line, report: Report, rule_set: RuleSet) -> str:
    clause = _clause(line.rule, rule_set)
    if line.needed is not None:
        words = _("needed %(needed)s of %(base)s") % {"needed": line.needed, "base": line.base}
    else:
        words = {
            Item.PRESENT: _quorum_note,
            Item.OPTION: _option_note,
            Item.BASE: _base_note,
            Item.NEEDED: _needed_note,
        }.get(line.item, _no_note)(report)
    return ": ".join(part for part in (clause, words) if part)


def _clause(rule: Rule | None, rule_set: RuleSet) -> str:
    if rule is None:
        return ""
    return {
        Rule.SEATS: rule_set.seats_clause,
        Rule.QUORUM: rule_set.quorum_clause,
        Rule.RECUSAL: rule_set.recusal_clause,
        Rule.PASS: rule_set.pass_clause,
        Rule.TIE: rule_set.tie_clause,
    }[rule]


def _no_note(report: Report) -> str:
    return ""


def _quorum_note(report: Report) -> str:
    rules = report.rules
    if rules.quorum is Quorum.NONE:
        return ""
    base = _quorum_base(report)
    if not report.count.recused:
        return base
    counted = rules.recused_count_for_quorum and rules.quorum_by is QuorumBy.PRESENT
    return f"{base}; {_('recused count') if counted else _('recused do not count')}"


def _quorum_base(report: Report) -> str:
    root = _root(report) if report.rules.quorum is Quorum.SQUARE_ROOT else ""
    base = {
        QuorumBase.FIXED: _("of all voting seats"),
        QuorumBase.FILLED: _("of those filled"),
        QuorumBase.ELIGIBLE: _("of the members on the roll"),
    }[report.rules.quorum_base]
    return "; ".join(part for part in (base, root) if part)


def _option_note(report: Report) -> str:
    words = {"needed": report.quorum_needed, "base": _quorum_base(report)}
    return _("needed %(needed)s %(base)s") % words


def _root(report: Report) -> str:
    return f"3 × √{report.quorum_base} ÷ 2"


def _base_note(report: Report) -> str:
    on_roll = report.rules.quorum_base is QuorumBase.ELIGIBLE
    return {
        PassBase.PRESENT: _("those present"),
        PassBase.CAST: _("yes and no"),
        PassBase.FILLED: _("all on the roll") if on_roll else _("seats that are filled"),
        PassBase.FIXED: _("all voting seats"),
    }[report.rules.pass_base]


def _needed_note(report: Report) -> str:
    rules, base, no = report.rules, report.base, report.count.no
    if rules.threshold is Threshold.SIMPLE:
        return f"{no} + 1"
    if rules.threshold is Threshold.RATIO:
        return f"{no} × {rules.ratio} = {by_threshold(rules, base=base, no=no)}"
    if rules.threshold is Threshold.STRICT:
        return _("more than %(sum)s") % {"sum": f"{base} ÷ 2 = {_decimal(base, 2)}"}
    if rules.threshold is Threshold.UNANIMOUS:
        return ""
    share = SHARES[rules.threshold]
    top, bottom = share.numerator, share.denominator
    return f"{base} × {top} ÷ {bottom} = {_decimal(base * top, bottom)}"


def _decimal(top: int, bottom: int) -> str:
    """top ÷ bottom with two decimals where it is not whole, rounded half up."""
    if top % bottom == 0:
        return str(top // bottom)
    hundredths = (200 * top + bottom) // (2 * bottom)
    whole, rest = divmod(hundredths, 100)
    text = f"{whole}.{rest:02}".rstrip("0")
    return text.replace(".", formats.get_format("DECIMAL_SEPARATOR"))
