"""A person with a browser: opens pages, and notices what no page may do.

Every page that a visitor opens is checked for violations of the Content Security Policy, errors
in the console, failed requests and scripts that threw; `Visitor.complaints` lists them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response

VENDOR: Final = Path(__file__).resolve().parent.parent / "vendor"
Theme = Literal["light", "dark"]
AXE_TAGS: Final = (
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"),
    "best-practice",
)

# Who asks for less motion sees no colour fade: what was switched is drawn in the next frame.
# Whatever moves all the same is waited for, but not what turns for ever.
SETTLED: Final = """
async () => {
  for (const _ of [1, 2]) await new Promise((drawn) => requestAnimationFrame(drawn));
  await Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished));
}
"""

LISTEN_FOR_VIOLATIONS: Final = """
window.__violations = [];
document.addEventListener('securitypolicyviolation', (event) =>
  __violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
"""

# A page that waits for a result loads itself again; a checker needs it to stay.
HOLD_STILL: Final = """
const soon = window.setTimeout.bind(window);
window.setTimeout = (call, delay, ...rest) => delay >= 500 ? 0 : soon(call, delay, ...rest);
"""

OVERFLOW: Final = """
() => {
  const root = document.documentElement, found = [];
  if (root.scrollWidth <= root.clientWidth) return [];
  for (const element of document.querySelectorAll('body *')) {
    const box = element.getBoundingClientRect();
    const isOut = box.right > root.clientWidth + 1 || box.left < -1;
    if (isOut && !element.closest('.scroll, pre, .localnav, svg'))
      found.push(`${element.tagName}.${element.className} ends at ${Math.round(box.right)}`);
  }
  return [`${root.scrollWidth - root.clientWidth} px wider than the window`, ...found.slice(0, 3)];
}
"""

# What axe has not: the border of a control against what it stands on, or its own ground.
LOW_BORDERS: Final = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
  };
  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  };
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const colour = rgb(getComputedStyle(element).backgroundColor);
      if (colour[3] > 0) return colour;
    }
    return [255, 255, 255, 255];
  };
  const kinds = ['checkbox', 'radio', 'hidden', 'submit', 'button', 'image'];
  const controls = 'input, select, textarea, .choice, .button.second';
  const found = [];
  for (const control of document.querySelectorAll(controls)) {
    if (kinds.includes(control.type) || control.disabled || !control.checkVisibility()) continue;
    if (control.classList.contains('visually-hidden')) continue;
    const outside = ground(control.parentElement), inside = ground(control);
    const border = rgb(getComputedStyle(control).borderTopColor);
    const edge = Math.min(contrast(border, outside), contrast(border, inside));
    const ratio = Math.max(contrast(inside, outside), edge);
    const name = `${control.tagName}.${control.className}#${control.id}`;
    if (ratio < 3) found.push(`${name} ${ratio.toFixed(2)}`);
  }
  return found;
}
"""


class Visitor:
    """One window of a browser. `base` is the address of the server under test."""

    def __init__(
        self, browser: Browser, base: str, *, width: int = 1280, theme: Theme = "light"
    ) -> None:
        self.base = base
        self.width = width
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
        )
        self.theme: Theme = theme
        self.context.add_init_script(LISTEN_FOR_VIOLATIONS)
        self.page: Page = self.context.new_page()
        self._errors: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self._errors.append(f"threw {error}"))
        self.page.on("response", self._answered)

    def _heard(self, message: ConsoleMessage) -> None:
        # A page of status 404 is an error of the console too; tests ask for those on purpose.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self._errors.append(f"console: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400 and response.request.resource_type != "document":
            self._errors.append(f"{response.status} for {response.url}")

    def hold_still(self) -> None:
        """From the next page on, nothing happens later than half a second."""
        self.context.add_init_script(HOLD_STILL)

    def sign_in(self, cookies: dict[str, str]) -> None:
        """Take the cookies of a Django test client that is signed in."""
        self.context.add_cookies(
            [{"name": n, "value": value, "url": self.base} for n, value in cookies.items()]
        )

    def open(self, path: str) -> Response:
        """Go to a page, wait until it is quiet, forget what earlier pages did."""
        self._errors.clear()
        response = self.page.goto(self.base + path, wait_until="load")
        assert response is not None, path
        return response

    def switch(self, theme: Theme) -> None:
        self.theme = theme
        self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        self.page.evaluate(f"({SETTLED.strip()})().then(() => true)")

    @property
    def complaints(self) -> list[str]:
        """What the page did that no page may do. The policy is asked in the page itself."""
        violations: list[str] = self.page.evaluate("window.__violations ?? []")
        return [*(f"policy: {violation}" for violation in violations), *self._errors]

    def assert_clean(self) -> None:
        assert not self.complaints, f"{self.page.url}: {self.complaints}"

    def overflow(self) -> list[str]:
        found: list[str] = self.page.evaluate(OVERFLOW)
        return found

    def overflow_at(self, *widths: int) -> list[str]:
        """The same page in windows of other widths; this one is as it was afterwards."""
        found = []
        for width in widths:
            self.page.set_viewport_size({"width": width, "height": 900})
            found += [f"at {width}: {line}" for line in self.overflow()]
        self.page.set_viewport_size({"width": self.width, "height": 900})
        return found

    def low_borders(self) -> list[str]:
        found: list[str] = self.page.evaluate(LOW_BORDERS)
        return found

    def axe(self, only: Sequence[str] = ()) -> list[str]:
        """What axe-core finds, one line a rule; `only` names rules, else WCAG 2.2 AA and more."""
        run = {"type": "rule", "values": only} if only else {"type": "tag", "values": AXE_TAGS}
        rules = {} if only else {"target-size": {"enabled": True}}
        asked = json.dumps({"runOnly": run, "rules": rules, "resultTypes": ["violations"]})
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate((VENDOR / "axe.min.js").read_text() + "\n;undefined")
        result: dict[str, Any] = self.page.evaluate(f"axe.run(document, {asked})")
        return [_worded(violation) for violation in result["violations"]]

    def close(self) -> None:
        self.context.close()


def _worded(violation: dict[str, Any]) -> str:
    nodes = violation["nodes"]
    where = nodes[0]["target"], nodes[0]["failureSummary"].replace("\n", " ")[:200]
    return f"{violation['id']} ({len(nodes)}): {where[0]} {where[1]}"
