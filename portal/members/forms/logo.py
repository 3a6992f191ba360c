"""The form that takes a logo."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from portal.members.pictures import LARGEST_FILE, Picture, PictureError, check
from portal.members.svg_losses import Loss

PICTURE_ERRORS = {
    "large": _("The file is larger than 300 kB. Save a smaller one."),
    "format": _("This is neither PNG nor SVG. Choose another file."),
    "broken": _("The file cannot be read. Export it again, as SVG or PNG."),
    "dimensions": _("The picture is larger than 4000 pixels. Save a smaller one."),
    "entities": _("This SVG declares entities. Export it again as plain SVG."),
    "complex": _("This SVG has too many parts. Simplify it, or send a PNG."),
    "empty": _("Nothing in this SVG can be shown safely. Export it with shapes, not pictures."),
    "size": _("This SVG has no size. Export it with a width and a height, or with a view box."),
}
LOSSES = {
    Loss.SCRIPT: _("scripts"),
    Loss.PICTURE: _("pictures inside the drawing"),
    Loss.LINK: _("links"),
    Loss.ELSEWHERE: _("what is loaded from elsewhere"),
    Loss.FOREIGN: _("web pages inside the drawing"),
    Loss.MOVEMENT: _("animations"),
    Loss.EFFECT: _("filters, patterns, markers"),
    Loss.STYLE: _("style rules that are not of a class"),
    Loss.OTHER: _("parts of a kind that is not known here"),
}


def left_out(picture: Picture) -> str:
    """What was taken out of a drawing, and what to do about it; empty where nothing was."""
    if not picture.losses:
        return ""
    said = gettext(
        "This was taken out of your file: %(parts)s. A logo stands on the screens of others, so it"
        " may run nothing and load nothing. Compare the picture below with yours; if something is"
        " missing, turn it into plain shapes and export it again, or send a PNG."
    )
    return said % {"parts": ", ".join(str(LOSSES[loss]) for loss in picture.losses)}


class LogoForm(forms.Form):
    """`picture` holds the checked file after a valid post."""

    logo = forms.FileField(
        label=_("Logo"),
        required=False,
        help_text=_("SVG or PNG, up to 300 kB. It stands on a light ground in both themes."),
        widget=forms.ClearableFileInput({"accept": ".svg,.png,image/svg+xml,image/png"}),
    )
    picture: Picture | None = None

    def clean_logo(self) -> UploadedFile[Any] | None:
        file: UploadedFile[Any] | None = self.cleaned_data["logo"]
        if file is None:
            return None
        try:
            self.picture = check(file.read(LARGEST_FILE + 1))
        except PictureError as error:
            raise forms.ValidationError(PICTURE_ERRORS[error.code], code=error.code) from error
        return file
