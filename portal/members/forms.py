"""The form that takes a logo."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from portal.members.pictures import LARGEST_FILE, Picture, PictureError, check

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
