"""How mature a release is: the words of a product's own scale, on five notches."""

from typing import Final

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Maturity(models.TextChoices):
    PREVIEW = "preview", _("Preview")
    ALPHA = "alpha", _("Alpha")
    BETA = "beta", _("Beta")
    GAMMA = "gamma", _("Gamma")
    RC = "rc", _("RC")
    STABLE = "stable", _("Stable")
    OLD_STABLE = "old-stable", _("Old Stable")


class Scale(models.TextChoices):
    SERVER = "server", _("Preview, Alpha, Beta, RC, Stable, Old Stable")
    CLASSIC = "classic", _("Alpha, Beta, Gamma, Stable (GA)")
    TOOL = "tool", _("Beta, Stable")


STABLE_NOTCH: Final = 5
NOTCHES: Final[dict[Scale, dict[Maturity, int]]] = {
    Scale.SERVER: {
        Maturity.PREVIEW: 1,
        Maturity.ALPHA: 2,
        Maturity.BETA: 3,
        Maturity.RC: 4,
        Maturity.STABLE: 5,
        Maturity.OLD_STABLE: 5,
    },
    Scale.CLASSIC: {
        Maturity.ALPHA: 1,
        Maturity.BETA: 3,
        Maturity.GAMMA: 4,
        Maturity.STABLE: 5,
    },
    Scale.TOOL: {Maturity.BETA: 3, Maturity.STABLE: 5},
}

# What a reader must know before installing; nothing where there is nothing to fear.
WARNINGS: Final[dict[Maturity, Promise]] = {
    Maturity.PREVIEW: _(
        "A preview shows one feature. It is never upgraded: throw the data away afterwards."
    ),
    Maturity.ALPHA: _(
        "An alpha may lose data and will not upgrade in place to the stable release. Try it on a"
        " copy."
    ),
    Maturity.BETA: _("A beta has all features of the series and known errors. Try it on a copy."),
    Maturity.GAMMA: _("A gamma release is nearly done; it may still hold serious errors."),
    Maturity.RC: _(
        "A release candidate becomes the stable release if nobody finds a serious error. Test it"
        " with your application now."
    ),
}


def allowed(scale: str, maturity: str) -> bool:
    """Whether the product's scale has this word."""
    return maturity in NOTCHES[Scale(scale)]


def notches(scale: str, maturity: str) -> int:
    """How many of the five; one for a word that the scale has lost."""
    return NOTCHES[Scale(scale)].get(Maturity(maturity), 1)
