"""The registrar and the ballot box of this installation."""

from django.conf import settings

from governance.box.client import BallotBox, SocketBallotBox
from governance.registrar.client import Registrar, SocketRegistrar


def registrar() -> Registrar:
    return SocketRegistrar(settings.REGISTRAR_SOCKET)


def ballot_box() -> BallotBox:
    return SocketBallotBox(settings.BOX_SOCKET)
