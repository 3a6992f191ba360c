"""The HTTP side of the twin: which page or answer a request gets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from portal.payments.twin import api, desk, pages, portal_page, visits
from portal.payments.twin.delivery import Courier
from portal.payments.twin.errors import MissingError, RequestError
from portal.payments.twin.forms import Form
from portal.payments.twin.shapes import Body
from portal.payments.twin.state import Change, State

STATIC_TYPES = {".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}
BUTTONS = ("sessions", "invoices", "subscriptions", "charges", "disputes", "refunds", "events")


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    form: Form = field(default_factory=dict)

    @property
    def parts(self) -> list[str]:
        return self.path.strip("/").split("/")


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    location: str = ""
    policy: str = ""


class Twin:
    """Answers requests; knows no sockets."""

    def __init__(self, state: State, own_url: str, courier: Courier, static: Path) -> None:
        self.state, self.own_url, self.courier, self.static = state, own_url, courier, static

    def answer(self, request: Request) -> Answer:
        kind = request.parts[0]
        routes: dict[str, Callable[[Request], Answer]] = {
            "v1": self._api,
            "pay": self._payment,
            "challenge": self._challenge,
            "portal": self._portal,
            "stories": self._story,
            "clock": self._clock,
            "deliveries": self._deliveries,
            "static": self._static,
            "health": lambda _: Answer(200, b"live\n", "text/plain"),
            "": self._desk,
            **dict.fromkeys(BUTTONS, self._button),
        }
        if kind not in routes or (request.method != "GET" and _foreign(request, kind)):
            return message_answer(404, "Nothing is here", "The address is wrong.")
        try:
            return routes[kind](request)
        except RequestError as error:
            if kind == "v1":
                return json_answer(api.error_body(error), error.status)
            return message_answer(error.status, "This cannot be done", error.message)

    # --- what the portal asks ---

    def _api(self, request: Request) -> Answer:
        key = request.headers.get("Idempotency-Key", "")
        path = request.path.removeprefix("/v1/").strip("/")
        body = api.answer(self.state, self.own_url, request.method, path, request.form, key)
        return json_answer(body)

    # --- the hosted pages ---

    def _payment(self, request: Request) -> Answer:
        with self.state.changing() as change:
            session = change.get("checkout.session", request.parts[1])
            if session["status"] != "open" or session["expires_at"] < change.now:
                return _closed(session)
            if request.method == "GET":
                return _page(pages.payment_page(change, session), session)
            location = visits.choose(change, session, str(request.form.get("outcome")))
        return self._told(location)

    def _challenge(self, request: Request) -> Answer:
        """The bank's own page, where a card asks for it."""
        with self.state.changing() as change:
            payable = _payable(change, request.parts[1])
            if request.method == "GET":
                return _page(pages.challenge_page(change, payable), payable)
            is_me = request.form.get("answer") == "confirm"
            location = visits.confirm(change, payable, is_me=is_me)
        return self._told(location)

    def _invoice(self, request: Request) -> Answer:
        with self.state.changing() as change:
            invoice = change.get("invoice", request.parts[1])
            if request.method == "GET":
                return _page(pages.invoice_page(change, invoice))
            outcome = str(request.form.get("outcome"))
            if invoice["status"] != "open" or outcome == "unpaid":
                raise RequestError("This invoice cannot be paid so.")
            location = visits.choose(change, invoice, outcome)
        return self._told(location)

    def _portal(self, request: Request) -> Answer:
        session_id, action = request.parts[1], "/".join(request.parts[2:])
        with self.state.changing() as change:
            if request.method == "GET" and not action:
                return _page(pages.portal_page(change, session_id))
            if request.method == "GET":
                raise RequestError("There is no such page.", 404)
            portal_page.press(change, session_id, action, request.form)
        return self._told(f"/portal/{session_id}")

    # --- the desk ---

    def _desk(self, request: Request) -> Answer:
        with self.state.changing() as change:
            return _page(pages.desk_page(change))

    def _story(self, request: Request) -> Answer:
        with self.state.changing() as change:
            story = change.story_of(request.parts[1])  # of a charge, a dispute, an event as well
            return _page(pages.story_page(change, story))

    def _button(self, request: Request) -> Answer:
        match request.parts:
            case ["invoices", _]:
                return self._invoice(request)
            case [noun, thing_id, action] if request.method == "POST":
                desk.press(self.state, noun, thing_id, action, request.form)
                return self._told(_back(request))
        raise RequestError("There is no such button.", 404)

    def _clock(self, request: Request) -> Answer:
        _posted(request)
        desk.turn_clock(self.state, request.form, self.own_url)
        return self._told(_back(request))

    def _deliveries(self, request: Request) -> Answer:
        _posted(request)
        desk.steer_deliveries(self.state, request.form)
        return self._told(_back(request))

    def _static(self, request: Request) -> Answer:
        """The style sheets and the mark of the portal, nothing else."""
        file = (self.static / request.path.removeprefix("/static/")).resolve()
        if not file.is_relative_to(self.static) or file.suffix not in STATIC_TYPES:
            raise RequestError("No such file.", 404)
        if not file.is_file():
            raise RequestError("No such file.", 404)
        return Answer(200, file.read_bytes(), STATIC_TYPES[file.suffix])

    def _told(self, location: str) -> Answer:
        """As Stripe does, deliver before the visitor goes on: the portal knows before they do."""
        self.courier.deliver_due()
        return Answer(303, b"", location=location)


def _foreign(request: Request, kind: str) -> bool:
    """A form of another site must not press our buttons; programs send no such header."""
    site = request.headers.get("Sec-Fetch-Site", "none")
    return kind != "v1" and site not in {"same-origin", "none"}


def _posted(request: Request) -> None:
    if request.method != "POST":
        raise RequestError("This address takes a form of the desk.", 404)


def _payable(change: Change, thing_id: str) -> Body:
    """A session or an invoice, whichever has this id."""
    try:
        return change.get("checkout.session", thing_id)
    except MissingError:
        return change.get("invoice", thing_id)


def _back(request: Request) -> str:
    """The page of the desk that a button stands on."""
    path = urlsplit(request.headers.get("Referer", "")).path
    return path if path.startswith("/stories/") else "/"


def _closed(session: Body) -> Answer:
    text = "The payment page was used or has expired. Go back to see where you stand."
    return message_answer(200, "This page is closed", text, session["success_url"])


def _page(html: str, session: Body | None = None) -> Answer:
    url = session.get("success_url") if session else None
    return Answer(200, html.encode(), policy=pages.policy(*filter(None, [pages.origin(url)])))


def message_answer(status: int, title: str, text: str, back: str = "") -> Answer:
    return Answer(status, pages.message_page(title, text, back).encode())


def json_answer(body: Body, status: int = 200) -> Answer:
    return Answer(status, json.dumps(body).encode(), "application/json")
