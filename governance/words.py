"""The words around the numbers of a vote: labels of the arithmetic, states, the answer."""

from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import apnumber
from django.utils import formats
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import Body, RuleSet
from governance.tally.report import Item, Line, Outcome, Report, Rule
from governance.tally.rollcall import Standing
from governance.tally.rules import (
    SHARES,
    PassBase,
    QuorumBase,
    Rules,
    Threshold,
    by_threshold,
)

TONES = {
    "draft": "open",
    "open": "solid",
    "adopted": "good",
    "failed": "bad",
    "void": "warn",
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
        return ngettext(
            "%(got)s was present; the quorum is %(needed)s. Nothing was decided.",
            "%(got)s were present; the quorum is %(needed)s. Nothing was decided.",
            report.quorum_got,
        ) % {"got": spelled(report.quorum_got), "needed": apnumber(report.quorum_needed)}
    return ngettext(
        "%(got)s voted yes; %(needed)s was needed.",
        "%(got)s voted yes; %(needed)s were needed.",
        report.needed,
    ) % {"got": spelled(report.got), "needed": apnumber(report.needed)}


def spelled(value: int) -> str:
    """A number at the start of a sentence: Three, 12."""
    return capfirst(str(apnumber(value))) if value else _("None")


def explanation(rules: Rules) -> str:
    """What abstaining and recusing did, by these rules."""
    return " ".join([_about_abstention(rules), _about_recusal(rules)])


def _about_abstention(rules: Rules) -> str:
    neutral = rules.pass_base is PassBase.CAST or not _asks_base(rules)
    if neutral:
        return _("An abstention counts for neither side.")
    return _("An abstention stays in the base and so works against the motion.")


def _about_recusal(rules: Rules) -> str:
    leaves = rules.recused_leave_base or rules.pass_base is PassBase.CAST
    words = {
        (True, True): _("A recusal leaves the base but counts for the quorum."),
        (True, False): _("A recusal leaves the base and does not count for the quorum."),
        (False, True): _("A recusal stays in the base and counts for the quorum."),
        (False, False): _("A recusal stays in the base but does not count for the quorum."),
    }
    if not _asks_base(rules):
        return (
            _("A recusal counts for the quorum only.")
            if rules.recused_count_for_quorum
            else _("A recusal counts for nothing.")
        )
    return words[leaves, rules.recused_count_for_quorum]


def _asks_base(rules: Rules) -> bool:
    return rules.threshold not in {Threshold.SIMPLE, Threshold.RATIO}


def _label(line: Line, report: Report, body: Body) -> str:
    if line.item is Item.PRESENT:
        return _("Present, quorum is %(quorum)s") % {"quorum": report.quorum_needed}
    if line.item is Item.NEEDED:
        return needed(report.rules)
    if line.item is Item.RECUSED:
        return _("less recused") if line.value < 0 else _("plus recused")
    return {
        Item.SEATS: _("Voting seats"),
        Item.VACANT: _("less vacant"),
        Item.IN_OFFICE: in_office(body),
        Item.ABSENT: _("less absent"),
        Item.ABSTAINED: _("less abstentions"),
        Item.BASE: _("Base"),
        Item.NO: _("No votes"),
        Item.MINIMUM: _("Needed at least, whatever the base"),
        Item.YES: _("Yes votes"),
        Item.CASTING: _("Casting vote of the chair"),
        Item.TOTAL: _("Yes votes with the casting vote"),
    }[line.item]


def needed(rules: Rules) -> str:
    return {
        Threshold.SIMPLE: _("Needed, more yes than no"),
        Threshold.STRICT: _("Needed, more than half"),
        Threshold.TWO_THIRDS: _("Needed, two thirds rounded up"),
        Threshold.THREE_QUARTERS: _("Needed, three quarters rounded up"),
        Threshold.RATIO: ngettext(
            "Needed, %(ratio)s yes for each no", "Needed, %(ratio)s yes for each no", rules.ratio
        )
        % {"ratio": rules.ratio},
    }[rules.threshold]


def _note(line: Line, report: Report, rule_set: RuleSet) -> str:
    clause = _clause(line.rule, rule_set)
    words = {
        Item.PRESENT: _quorum_note,
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
    base = (
        _("of all voting seats") if rules.quorum_base is QuorumBase.FIXED else _("of those filled")
    )
    if not report.count.recused:
        return base
    recused = _("recused count") if rules.recused_count_for_quorum else _("recused do not count")
    return f"{base}; {recused}"


def _base_note(report: Report) -> str:
    return {
        PassBase.PRESENT: _("those present"),
        PassBase.CAST: _("yes and no"),
        PassBase.FILLED: _("seats that are filled"),
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
